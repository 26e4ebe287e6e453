/**
 * What a package makes public, read from its declarations: every name that an entry point exports, wherever it is
 * declared, with its public members, and whether each has a doc comment.
 */
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type ESTree, parseSync } from "rolldown/utils"

export interface PublicName {
  /** `Host`, or `Host.launch`. */
  readonly name: string
  /** Path of the declaring file below the folder given. */
  readonly file: string
  readonly documented: boolean
}

type Statement = ESTree.Program["body"][number]
interface Declared {
  readonly file: string
  /** With `export` in front, where that is part of it. */
  readonly statements: readonly Statement[]
}
interface Module {
  readonly body: readonly Statement[]
  readonly isDocumented: (start: number) => boolean
}

/**
 * @param folder holds the declarations; `entry` is one of them.
 * @param headerOf the comment at the top of a declaration's source, which may have come to stand before its first name.
 */
export function publicNames(
  folder: string,
  entry: string,
  headerOf: (file: string) => string | null = () => null,
): readonly PublicName[] {
  const modules = new Map<string, Module>()
  const load = (file: string): Module => {
    const known = modules.get(file) ?? parse(join(folder, file), headerOf(file))
    modules.set(file, known)
    return known
  }
  const found = [...exportsOf(load, entry)].flatMap(([name, { file, statements }]) => {
    const { isDocumented } = load(file)
    const own = { name, file, documented: statements.some(statement => isDocumented(statement.start)) }
    const members = statements.flatMap(statement => membersOf(unexported(statement)))
    const byName = Map.groupBy(members, member => member.name)
    return [
      own,
      ...[...byName].map(([member, overloads]) => {
        const documented = overloads.some(overload => isDocumented(overload.start))
        return { name: `${name}.${member}`, file, documented }
      }),
    ]
  })
  return found
}

/** A doc comment belongs to what follows it directly, but for the one that is about the file. */
function parse(path: string, header: string | null): Module {
  const source = readFileSync(path, "utf8")
  const { program, comments, errors } = parseSync(path, source, { lang: "dts" })
  if (errors.length > 0) throw new Error(`${path} cannot be parsed`)
  const docs = comments.filter(
    ({ type, value, start }) =>
      type === "Block" && value.startsWith("*") && !(start === 0 && `/*${value}*/` === header),
  )
  const isDocumented = (start: number) =>
    docs.some(doc => doc.end <= start && source.slice(doc.end, start).trim() === "" && /\w/.test(doc.value))
  return { body: program.body, isDocumented }
}

function exportsOf(load: (file: string) => Module, file: string): Map<string, Declared> {
  const { body } = load(file)
  const target = (source: string) => join(dirname(file), source.replace(/\.[jt]s$/, ".d.ts"))
  const found = new Map<string, Declared>()
  const add = (name: string, declared: Declared) => {
    const before = found.get(name)
    const statements = [...(before?.file === declared.file ? before.statements : []), ...declared.statements]
    found.set(name, { file: declared.file, statements: [...new Set(statements)] })
  }
  const elsewhere = (source: string, name: string): Declared => {
    const declared = source.startsWith(".") ? exportsOf(load, target(source)).get(name) : undefined
    if (declared === undefined) throw new Error(`${file}: ${name} of ${source} is not found`)
    return declared
  }
  const local = (name: string): Declared => {
    for (const statement of body) {
      if (statement.type !== "ImportDeclaration") continue
      const specifier = statement.specifiers.find(one => one.local.name === name)
      if (specifier?.type === "ImportSpecifier")
        return elsewhere(statement.source.value, nameOf(specifier.imported))
    }
    return { file, statements: body.filter(statement => declaredBy(statement).includes(name)) }
  }
  for (const statement of body) {
    if (statement.type === "ExportAllDeclaration")
      for (const [name, declared] of exportsOf(load, target(statement.source.value))) add(name, declared)
    if (statement.type !== "ExportNamedDeclaration") continue
    for (const name of declaredBy(statement)) add(name, { file, statements: [statement] })
    for (const { local: from, exported } of statement.specifiers) {
      const name = nameOf(from)
      add(nameOf(exported), statement.source === null ? local(name) : elsewhere(statement.source.value, name))
    }
  }
  return found
}

function unexported(statement: Statement): Statement {
  return statement.type === "ExportNamedDeclaration" && statement.declaration !== null
    ? statement.declaration
    : statement
}

function declaredBy(statement: Statement): readonly string[] {
  const declaration = unexported(statement)
  if (declaration.type === "VariableDeclaration") return declaration.declarations.map(({ id }) => nameOf(id))
  return "id" in declaration && declaration.id !== null ? [nameOf(declaration.id)] : []
}

interface Member {
  readonly name: string
  readonly start: number
}

/** A field whose type or value is one literal says all there is to say; a constructor is told by its class. */
function membersOf(declaration: Statement): readonly Member[] {
  if (declaration.type === "TSInterfaceDeclaration") return declaration.body.body.flatMap(member)
  if (declaration.type === "ClassDeclaration") return declaration.body.body.flatMap(member)
  if (declaration.type !== "TSTypeAliasDeclaration") return []
  const { typeAnnotation } = declaration
  return typeAnnotation.type === "TSTypeLiteral" ? typeAnnotation.members.flatMap(member) : []
}

function member(node: ESTree.TSSignature | ESTree.ClassElement): readonly Member[] {
  if (!("key" in node) || node.key.type === "PrivateIdentifier") return []
  if ("accessibility" in node && (node.accessibility === "private" || node.accessibility === "protected"))
    return []
  if ("kind" in node && node.kind === "constructor") return []
  const type = "typeAnnotation" in node ? node.typeAnnotation?.typeAnnotation : null
  if (type?.type === "TSLiteralType" || ("value" in node && node.value?.type === "Literal")) return []
  return node.computed ? [] : [{ name: nameOf(node.key), start: node.start }]
}

function nameOf(node: { readonly type: string }): string {
  if ("name" in node && typeof node.name === "string") return node.name
  if ("value" in node && typeof node.value === "string") return node.value
  throw new Error(`a name of another kind: ${node.type}`)
}

import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { isNative } from "../../../adapters/agents/common/executable.ts"
import { seedConfigFolder } from "../../../adapters/agents/cursor/config-folder.ts"
import { bucketOf, conversationPresence } from "../../../adapters/agents/cursor/conversations.ts"
import { saysLoggedIn } from "../../../adapters/agents/cursor/login.ts"
import { cursor } from "../../../adapters/agents/index.ts"
import { session } from "./support.ts"

let root = ""
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "cursor-adapter-")))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const place = async (path: string, text: string, mode = 0o755) => {
  const file = join(root, path)
  await mkdir(join(file, ".."), { recursive: true })
  await writeFile(file, text)
  await chmod(file, mode)
  return file
}
const says = (text: string, exitCode = 0) => `#!/bin/sh\necho '${text}'\nexit ${exitCode}\n`
const version = "2026.09.28-1a2b3c4"

describe("finding the program", () => {
  const env = () => ({ PATH: join(root, "bin") })

  it("prefers the option, then HOLDFAST_CURSOR_BIN, then cursor-agent", async () => {
    const own = await place("bin/cursor-agent", says(version))
    const other = await place("other/thing", says(version))
    await place("bin/agent", says(version))
    expect(await cursor().locate(env())).toEqual({ binary: own })
    expect(await cursor().locate({ ...env(), HOLDFAST_CURSOR_BIN: ` ${other} ` })).toEqual({ binary: other })
    expect(await cursor({ binary: own }).locate({ ...env(), HOLDFAST_CURSOR_BIN: other })).toEqual({
      binary: own,
    })
    expect(await cursor({ binary: "cursor-agent" }).locate(env())).toEqual({ binary: own })
  })

  it("asks a program named agent who it is, without a key", async () => {
    const agent = await place("bin/agent", `#!/bin/sh\necho "\${CURSOR_API_KEY:-${version}}"\n`)
    expect(await cursor().locate({ ...env(), CURSOR_API_KEY: "k" })).toEqual({ binary: agent })
    await place("bin/agent", says("agent 1.2.3"))
    expect(await cursor().locate(env())).toMatchObject({ kind: "binary", code: "BINARY_NOT_CURSOR" })
  })

  it("X10 looks again every time", async () => {
    const agent = cursor()
    expect(await agent.locate(env())).toMatchObject({ code: "BINARY_NOT_FOUND" })
    await place("bin/cursor-agent", says(version))
    expect(await agent.locate(env())).toHaveProperty("binary")
    await rm(join(root, "bin/cursor-agent"))
    expect(await agent.locate(env())).toMatchObject({ code: "BINARY_NOT_FOUND" })
  })

  it.each([
    ["a script that may not be executed", "a", says(version), 0o644, "BINARY_NOT_EXECUTABLE"],
    ["a text without an interpreter", "a", "hello", 0o755, "BINARY_WRONG_FORMAT"],
    ["a program for another system", "a", `MZ${"\0".repeat(80)}`, 0o755, "BINARY_WRONG_FORMAT"],
    ["an empty file", "a", "", 0o755, "BINARY_WRONG_FORMAT"],
    ["a script whose interpreter is missing", "a", "#!/no/such/bash\n", 0o755, "BINARY_INTERPRETER_MISSING"],
    ["a shim of Windows", "a.cmd", "@echo off", 0o755, "BINARY_IS_SHIM"],
    ["the editor", "cursor", says("1.0"), 0o755, "BINARY_IS_EDITOR"],
  ])("PL-13 names what is wrong with %s", async (_what, name, text, mode, code) => {
    const binary = await place(name, text, mode)
    const obstacle = await cursor({ binary }).locate(env())
    expect(obstacle).toMatchObject({ kind: "binary", code, retryable: false })
    expect(obstacle).toHaveProperty("explanation", expect.stringContaining(binary))
  })

  it("PL-13 tells a missing file from a folder", async () => {
    expect(await cursor({ binary: join(root, "no") }).locate({})).toMatchObject({ code: "BINARY_NOT_FOUND" })
    expect(await cursor({ binary: root }).locate({})).toMatchObject({ code: "BINARY_NOT_EXECUTABLE" })
  })

  it("PL-13 reads processors from the header", () => {
    const elf = (machine: number) => {
      const head = Buffer.alloc(64)
      head.writeUInt32BE(0x7f454c46, 0)
      head[5] = 1
      head.writeUInt16LE(machine, 18)
      return head
    }
    expect(isNative(elf(62), { platform: "linux", arch: "x64" })).toBe(true)
    expect(isNative(elf(183), { platform: "linux", arch: "x64" })).toBe(false)
    expect(isNative(elf(62), { platform: "darwin", arch: "x64" })).toBe(false)
    expect(
      isNative(Buffer.from("cafebabe".padEnd(40, "0"), "hex"), { platform: "darwin", arch: "arm64" }),
    ).toBe(true)
  })
})

describe("the state of the agent", () => {
  it("is told by running it; a key makes it ready, an exit code does not", async () => {
    const binary = await place("a", says(version, 3))
    expect(await cursor({ binary }).status({ CURSOR_API_KEY: "k" })).toEqual({
      installed: true,
      binary,
      version,
      obstacle: null,
    })
    expect(await cursor({ binary }).status({})).toMatchObject({
      installed: true,
      obstacle: { code: "KEY_MISSING" },
    })
  })

  it("AU-02 takes a login from what it prints, since it exits with 0 anyway", async () => {
    const binary = await place(
      "a",
      `#!/bin/sh\n[ "$1" = status ] && echo 'Not logged in' || echo ${version}\n`,
    )
    expect(await cursor({ binary, acceptLogin: true }).status({})).toMatchObject({
      obstacle: { code: "NOT_LOGGED_IN" },
    })
    expect(saysLoggedIn("\x1b[32m✓ Logged in as ada@example.com\x1b[0m")).toBe(true)
    for (const text of ["Not logged in", "", "error"]) expect(saysLoggedIn(text)).toBe(false)
  })

  it("is not installed when nothing answers", async () => {
    const binary = await place("a", "#!/bin/sh\nexit 1\n")
    expect(await cursor({ binary }).status({})).toMatchObject({
      installed: false,
      obstacle: { code: "BINARY_DOES_NOT_RUN" },
    })
    expect(await cursor({ binary: join(root, "no") }).status({})).toMatchObject({ installed: false })
  })
})

describe("the private configuration", () => {
  const settings = {
    version: 1,
    permissions: { allow: ["Shell(ls)"], deny: ["Read(.env*)"] },
    attribution: { attributeCommitsToAgent: false },
    authInfo: { email: "ada@example.com", authId: "x" },
    nested: [{ accessToken: "t", keep: 1 }],
  }

  it("CF-01 starts with the operator's settings, without account, chats and servers", async () => {
    await place("op/cli-config.json", `\uFEFF${JSON.stringify(settings)}`)
    for (const name of ["auth.json", "mcp.json", "hooks.json", "chats/x/store.db"])
      await place(`op/${name}`, "{}")
    await mkdir(join(root, "own"))
    await seedConfigFolder(join(root, "own"), { CURSOR_CONFIG_DIR: join(root, "op") })
    expect(await readdir(join(root, "own"))).toEqual(["cli-config.json"])
    expect(JSON.parse(await readFile(join(root, "own/cli-config.json"), "utf8"))).toEqual({
      version: 1,
      permissions: settings.permissions,
      attribution: settings.attribution,
      nested: [{ keep: 1 }],
    })
    expect((await stat(join(root, "own/cli-config.json"))).mode & 0o777).toBe(0o600)
  })

  it("is filled once: what the CLI wrote since stays", async () => {
    await place("op/cli-config.json", "{}")
    const own = await place("own/cli-config.json", '{"mine":true}')
    await seedConfigFolder(join(root, "own"), { CURSOR_CONFIG_DIR: join(root, "op") })
    expect(await readFile(own, "utf8")).toBe('{"mine":true}')
  })

  it.each(["", "{", "[]", "// comment\n{}"])("leaves to the CLI what it would not read: %j", async text => {
    await place("home/.cursor/cli-config.json", text)
    await mkdir(join(root, "own"))
    await seedConfigFolder(join(root, "own"), { HOME: join(root, "home") })
    expect(await readdir(join(root, "own"))).toEqual([])
  })
})

describe("RS-01 the store of conversations", () => {
  const presence = (id = session, cwd = join(root, "work")) =>
    conversationPresence(join(root, "config"), cwd, id)
  const chat = (cwd: string) => `config/chats/${bucketOf(cwd)}/${session}`

  beforeEach(() => mkdir(join(root, "work")))

  it("has a conversation of this physical folder, also through a link", async () => {
    await place(`${chat(join(root, "work"))}/store.db`, "")
    await symlink(join(root, "work"), join(root, "link"))
    expect(await presence()).toBe("yes")
    expect(await presence(session, join(root, "link"))).toBe("yes")
  })

  it("lacks one that was collected, or belongs to another folder", async () => {
    await place(`${chat(join(root, "elsewhere"))}/store.db`, "")
    expect(await presence()).toBe("no")
    await mkdir(join(root, chat(join(root, "work"))), { recursive: true })
    expect(await presence()).toBe("no")
    expect(await presence("11111111-1111-4111-8111-111111111111")).toBe("no")
  })

  it("says nothing when it cannot be told", async () => {
    expect(await presence()).toBe("unknown")
    await mkdir(join(root, "config/chats"), { recursive: true })
    expect(await presence("../../x")).toBe("unknown")
    expect(await presence(session, join(root, "gone"))).toBe("unknown")
    await place(`${chat(join(root, "work"))}/meta.json`, '{"hasConversation":false}')
    expect(await presence()).toBe("unknown")
    await place(`${chat(join(root, "work"))}/meta.json`, '{"hasConversation":true}')
    expect(await presence()).toBe("yes")
  })
})

/** The index page of `diagrams/`: how to read a drawing, and each machine with a paragraph, its drawing, its sources. */
import { drawn } from "../../adapters/diagram/machines.ts"

export function indexPage(): string {
  const sections = [...drawn].map(
    ([name, { about }]) => `## ${name}

${about}

![The states and transitions of the ${name} machine](${name}.svg)

[Drawing](${name}.svg) · [Mermaid](${name}.mmd) · [the table it is drawn from](../machines/${name}.ts)
`,
  )
  return `# The machines

Drawn from the definitions in [machines/](../machines) by \`npm run diagrams\`, never by hand; \`npm test\` fails when they differ. Why things are as they are is in [decisions/](decisions).

How to read them: \`input [guard] / what is asked for\`. Inputs are named as in \`holdfast log\`. What stands inside a box does not leave the state. \`at once\` needs no input, and a dashed box is left at once; \`otherwise\` is the row that is taken when the guards above it say no. What is asked for is done after the input is in the log: effects, timers (\`schedule\`, \`cancel\`), and inputs for other machines.

\`holdfast diagram <machine>\` prints one in a terminal, \`--session <id>\` marks where a session stands, and \`--at <position>\` where it stood.

${sections.join("\n")}`
}

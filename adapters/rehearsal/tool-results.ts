/** What a real file tool answers, in the CLI's result shapes. Pure: contents in, results out. */
import type { JsonObject } from "./scenario.ts"

export const editResult = (path: string, before: string, after: string): JsonObject => {
  const [old, now] = [before.split("\n"), after.split("\n")]
  const removed = old.filter(line => !now.includes(line))
  const added = now.filter(line => !old.includes(line))
  return {
    path,
    linesAdded: added.length,
    linesRemoved: removed.length,
    diffString: [...removed.map(line => `- ${line}`), ...added.map(line => `+ ${line}`)].join("\n"),
    beforeFullFileContent: before,
    afterFullFileContent: after,
    message: `The file ${path} has been updated.`,
  }
}

export const readResult = (path: string, content: string): JsonObject => ({
  content,
  isEmpty: content === "",
  exceededLimit: false,
  totalLines: linesOf(content),
  totalChars: content.length,
  path,
  readRange: { startLine: 1, endLine: linesOf(content) },
})

export const writeResult = (path: string, content: string): JsonObject => ({
  path,
  linesCreated: linesOf(content),
  fileSize: Buffer.byteLength(content),
})

const linesOf = (content: string): number =>
  content === "" ? 0 : content.replace(/\n$/, "").split("\n").length

/** Field cases PL-11 and X7: the bytes of a prompt are the bytes on the agent's stdin, or they are refused. */
import { createHash } from "node:crypto"
import { describe, expect } from "vitest"
import { it, type Place, refusal } from "./harness.ts"

const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex")

async function isDelivered(place: Place, prompt: string): Promise<void> {
  const { result } = await place.play("pl-11", { prompt })
  expect(result).toMatchObject({ outcome: "succeeded", text: "Read." })
  const bytes = Buffer.from(prompt, "utf8")
  expect(place.noted("prompt")).toMatchObject([{ from: "stdin", bytes: bytes.length, sha256: sha256(bytes) }])
  const [started] = place.noted("started")
  expect(started?.argv.join(" ").length).toBeLessThan(1_000)
  expect(started?.argv.some(arg => arg.includes(prompt.trim().slice(0, 40)))).toBe(false)
}

describe.concurrent("prompts", () => {
  const prompts: Readonly<Record<string, string>> = {
    "of 200 KiB": "0123456789abcdef".repeat(12_800),
    "of 1 MiB": "a prompt of a mebibyte ".repeat(45_591).slice(0, 1_048_576),
    "with a NUL": "before\0after, and then some more",
    "with a leading dash": "--force is not a flag in here",
    "that ends without a newline": "no newline follows this",
    "of shell syntax": "$(touch pwned) `touch pwned` ; rm -rf . & \\ \"quoted\" 'too' %PATH% !history",
  }
  for (const [what, prompt] of Object.entries(prompts))
    it(`PL-11 a prompt ${what} reaches stdin byte for byte, and no argument`, async ({ place }) => {
      await isDelivered(place, prompt)
    })

  const odd: Readonly<Record<string, string>> = {
    "CR LF and lone CR": "first line\r\nsecond line\rthird line\n",
    "U+2028 and U+2029": "a line\u2028another line\u2029the last one",
    "a byte order mark": "\ufeffbegins with a mark, and ends well",
    "every width": "aé漢😀👩‍💻 and a pair \u{10ffff} at the end",
  }
  for (const [what, prompt] of Object.entries(odd))
    it(`X7 a prompt with ${what} is repeated as it is`, async ({ place }) => {
      const { result } = await place.play("x7", { prompt })
      expect(result.text).toBe(prompt)
      expect(place.noted("prompt")).toMatchObject([{ sha256: sha256(prompt) }])
    })

  it("X7 bytes that are no UTF-8 are delivered as they are", async ({ place }) => {
    const host = await place.open({ scenario: "pl-11" })
    const session = await host.launch({ cwd: place.cwd })
    const bytes = Uint8Array.from([0x61, 0xff, 0xfe, 0x00, 0xc3, 0x28, 0x62])
    expect(await session.send(bytes).result).toMatchObject({ outcome: "succeeded" })
    expect(place.noted("prompt")).toMatchObject([{ bytes: 7, sha256: sha256(bytes) }])
  })

  const refused: Readonly<Record<string, readonly [string, string]>> = {
    "an empty prompt": ["", "PROMPT_EMPTY"],
    "a prompt of white space": [" \t\r\n\u00a0\u2028 ", "PROMPT_EMPTY"],
    "a prompt of 10 MB": ["x".repeat(10_000_000), "PROMPT_TOO_LARGE"],
    "half a surrogate pair": ["what is \ud83d this", "PROMPT_NOT_UNICODE"],
    "the other half": ["what is \ude00 this", "PROMPT_NOT_UNICODE"],
  }
  for (const [what, [prompt, code]] of Object.entries(refused))
    it(`X7 ${what} is refused before anything is appended or started`, async ({ place }) => {
      const host = await place.open({ scenario: "pl-11" })
      const session = await host.launch({ cwd: place.cwd })
      const before = place.log().length
      const refusing = await refusal(() => session.send(prompt))
      expect(refusing).toMatchObject({ code, retryable: false })
      expect(refusing.message).not.toContain(prompt.slice(0, 20) || "\0")
      expect(place.log()).toHaveLength(before)
      expect(session.turns()).toEqual([])
      expect(place.journal()).toEqual([])
      // The session is as good as before.
      expect((await place.take(session, "and now a real prompt")).result.outcome).toBe("succeeded")
    })
})

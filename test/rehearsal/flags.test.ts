/** The command line: what parses, what is refused, in whose words and in which order. */
import { describe, expect, it } from "vitest"
import { parseFlags, withoutSecrets } from "../../adapters/rehearsal/flags.ts"
import { makePlace, turns, usualFlags } from "./harness.ts"

const parsed = (...argv: readonly string[]) => {
  const result = parseFlags(argv)
  if ("error" in result) throw new Error(result.error)
  return result.flags
}

describe("parsing", () => {
  it("takes values after a space and after an equals sign", () => {
    expect(parsed("--model", "auto").text("model")).toBe("auto")
    expect(parsed("--resume=abc").get("resume")).toBe("abc")
  })

  it("lets a bare --resume swallow the next word, but not the next flag", () => {
    expect(parsed("--resume", "do it").get("resume")).toBe("do it")
    expect(parsed("--resume", "-p").get("resume")).toBe(true)
  })

  it("takes short flags together", () => {
    const flags = parsed("-pf")
    expect([flags.has("print"), flags.has("force")]).toEqual([true, true])
  })

  it("runs a command named by the first word, even after --", () => {
    expect(parsed("--", "update").command).toBe("update")
    expect(parsed("fix", "update").command).toBeNull()
  })

  it("complains about what it does not know and about what is missing", () => {
    expect(parseFlags(["--no-such"])).toEqual({ error: "error: unknown option '--no-such'" })
    expect(parseFlags(["--model"])).toEqual({ error: "error: option '--model <model>' argument missing" })
  })

  it("keeps keys out of what the journal sees", () => {
    expect(withoutSecrets(["--api-key", "k1", "--api-key=k2", "-H", "X: k3", "-p"])).toEqual([
      "--api-key",
      "***",
      "--api-key=***",
      "-H",
      "***",
      "-p",
    ])
  })
})

describe("the program", () => {
  it("answers --version with a date and seven digits", async () => {
    const { code, stdout } = await makePlace().run({ args: ["--version"] })
    expect([code, /^\d{4}\.\d\d\.\d\d-[0-9a-f]{7}\n$/.test(stdout)]).toEqual([0, true])
  })

  it("lists models that can be asked for", async () => {
    const { stdout } = await makePlace().run({ args: ["models"] })
    expect(stdout).toMatch(/^Available models\n\nauto - Auto \(current, default\)\n/)
  })

  it.each([
    ["an unknown flag", ["--nope"], "error: unknown option '--nope'"],
    ["a bad format", [...usualFlags, "--output-format", "xml"], "Invalid output format"],
    [
      "an unknown model",
      [...usualFlags, "--model", "nope"],
      "Cannot use this model: nope. Available models: auto, ",
    ],
    ["an untrusted folder", ["-p"], "Workspace Trust Required"],
    ["a workspace that is not there", [...usualFlags, "--workspace", "/nowhere"], "Workspace does not exist"],
  ])("refuses %s with exit 1 and nothing on stdout", async (_, args, text) => {
    const { code, stdout, stderr } = await makePlace().run({ args })
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toContain(text)
  })

  it("asks for the account before the prompt, the prompt before the model, the model before trust", async () => {
    const place = makePlace()
    const account = { account: { keyRequired: true }, turns: [] }
    const noKey = await place.run({ scenario: account, args: ["-p", "--model", "nope"], prompt: " \n" })
    const noPrompt = await place.run({ args: ["-p", "--model", "nope"], prompt: " \n" })
    const noModel = await place.run({ args: ["-p", "--model", "nope"] })
    expect(noKey.stderr).toContain("Authentication required")
    expect(noPrompt.stderr).toContain("No prompt")
    expect(noModel.stderr).toContain("Cannot use this model")
  })

  it("trusts a folder for good after --trust, for once after --force", async () => {
    const place = makePlace()
    const scenario = turns({ do: "result" })
    const codes: (number | null)[] = []
    for (const args of [["-p", "--force"], ["-p"], ["-p", "--trust"], ["-p"]])
      codes.push((await place.run({ scenario, args })).code)
    expect(codes).toEqual([0, 1, 0, 0])
  })

  it("takes the last model for the next turn that names none", async () => {
    const place = makePlace()
    const scenario = turns({ do: "init" }, { do: "result" })
    await place.run({ scenario, args: [...usualFlags, "--model", "composer-2.5-fast"] })
    const args = ["-p", "--force", "--output-format", "stream-json"]
    const { events } = await place.run({ scenario, args })
    expect(events[0]).toMatchObject({ subtype: "init", model: "Composer 2.5 Fast" })
  })

  it("says who is logged in, with exit 0 either way", async () => {
    const place = makePlace()
    const out = await place.run({ scenario: { account: { keyRequired: true }, turns: [] }, args: ["status"] })
    const json = await place.run({ args: ["status", "--format", "json"] })
    expect([out.code, out.stdout.trim()]).toEqual([0, "Not logged in"])
    expect(JSON.parse(json.stdout)).toMatchObject({ isAuthenticated: true })
  })
})

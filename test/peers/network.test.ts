/** The proof that these tests cannot reach anything but this machine. */
import { networkInterfaces } from "node:os"
import { describe, expect, it } from "vitest"
import { says } from "./model/decision.ts"
import { Model } from "./model/server.ts"
import { attempt, refuseToRunOnline } from "./network.ts"

describe("the network of these tests", () => {
  it("has loopback only", () => {
    expect(refuseToRunOnline).not.toThrow()
    expect(Object.keys(networkInterfaces())).toEqual(["lo"])
  })

  it.each(["192.0.2.1", "2001:db8::1"])("refuses %s at once", async address => {
    expect(await attempt(address, 443)).toBe("ENETUNREACH")
  })

  it("carries what is sent to the model on this machine", async () => {
    await using model = await Model.open(says("Hello."))
    const { port } = new URL(model.url)
    expect(await attempt("127.0.0.1", Number(port))).toBe("connected")
  })
})

/**
 * A tool call: its two lines in Cursor's envelope, and between them what it really does to the workspace, if the
 * scenario says so. Every real effect is in the journal, before and after. Files outside the workspace are refused.
 */
import { randomBytes, randomUUID } from "node:crypto"
import { hasNewlineInCallIds } from "./models.ts"
import type { Json, JsonObject, ToolStep } from "./scenario.ts"
import { fillRecord, type Stage } from "./stage.ts"
import { act, type ToolResult } from "./tool-effects.ts"

/** Calls that began and have not been seen to end: `completed` repeats what `started` said. */
export type OpenCalls = Map<string, { readonly args: JsonObject; readonly startedAtMs: number }>

export const playTool = async (step: ToolStep, stage: Stage, open: OpenCalls): Promise<void> => {
  const call = step.callId ?? newCallId(stage.model)
  const key = step.kind.endsWith("ToolCall") ? step.kind : `${step.kind}ToolCall`
  const earlier = open.get(call)
  const args = step.args === undefined && earlier ? earlier.args : fillRecord(step.args ?? {}, stage)
  const startedAtMs = earlier?.startedAtMs ?? Date.now()

  if (step.only !== "completed") {
    await stage.stream.endSegment()
    open.set(call, { args, startedAtMs })
    await stage.stream.event(
      envelope(stage, "started", call, key, { args: { ...args, toolCallId: call } }, step),
    )
  }
  if (step.only !== undefined) {
    if (step.only === "completed")
      await complete(step, stage, call, key, args, startedAtMs, scripted(step, stage))
    return
  }
  const result = step.real === true ? await act(step, args, call, stage) : scripted(step, stage)
  await stage.pause(step.waitMs)
  await complete(step, stage, call, key, args, startedAtMs, result)
}

const complete = (
  step: ToolStep,
  stage: Stage,
  call: string,
  key: string,
  args: JsonObject,
  startedAtMs: number,
  result: ToolResult,
): Promise<void> => {
  const held = step.isBackground ?? (step.kind === "shell" ? false : undefined)
  const body: Record<string, Json> = {
    ...(step.omitArgs !== true && { args: { ...args, toolCallId: call } }),
    result: { [result.key]: result.value, ...(held !== undefined && { isBackground: held }) },
  }
  const times = { startedAtMs: String(startedAtMs), completedAtMs: String(Date.now()) }
  return stage.stream.event(envelope(stage, "completed", call, key, body, step, times))
}

const scripted = (step: ToolStep, stage: Stage): ToolResult => ({
  key: step.result ?? "success",
  value: fillRecord(step.value ?? {}, stage),
})

const envelope = (
  stage: Stage,
  subtype: "started" | "completed",
  call: string,
  key: string,
  body: Readonly<Record<string, Json>>,
  step: ToolStep,
  times: Readonly<Record<string, Json>> = { startedAtMs: String(Date.now()) },
): Record<string, Json> => ({
  type: "tool_call",
  subtype,
  call_id: call,
  tool_call: {
    // Metadata comes first on purpose: "the first key" is not the tool.
    toolCallId: call,
    ...times,
    hookAdditionalContexts: [],
    [key]: { ...body, ...(step.description !== undefined && { description: step.description }) },
  },
  model_call_id: stage.stream.modelCallId,
  session_id: stage.chat.id,
  timestamp_ms: Date.now(),
})

const newCallId = (model: string): string =>
  hasNewlineInCallIds(model)
    ? `call_${randomBytes(12).toString("base64url")}\nfc_${randomBytes(16).toString("hex")}`
    : model.startsWith("gemini")
      ? `0_tool_${randomUUID()}`
      : `toolu_${randomBytes(12).toString("base64url")}`

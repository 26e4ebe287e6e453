/**
 * What `cursor-agent` says when it fails in print mode, as one list. The first row that matches wins, so the order
 * of the groups is part of what they say. The rows themselves are next door.
 */

import { type FailureRule, ruleOf } from "../../common/failures/rule.ts"
import { access, limits, login, models } from "./account-rows.ts"
import { conversation, surroundings } from "./run-rows.ts"

export const cursorFailures: readonly FailureRule[] = [
  ...login,
  ...models,
  ...limits,
  ...conversation,
  ...access,
  ...surroundings,
].map(ruleOf)

/** What the two ways in which a run can end have in common, before it becomes a verdict. */
import type { Diagnosis } from "../failures/classify.ts"

export interface Outcome {
  readonly succeeded: boolean
  readonly text: string
  /** With a success: the flaw that degrades it. */
  readonly diagnosis: Diagnosis | null
}

/** One thing that `doctor` looked at. The message says what is, and where it is not fine, the next step. */
export interface Finding {
  readonly code: string
  /** `warning`: works, or is not needed here; `broken`: something that is needed does not work. */
  readonly level: "fine" | "warning" | "broken"
  readonly message: string
}

const of = (level: Finding["level"]) => (code: string, message: string) => ({ code, level, message }) as const
export const fine = of("fine")
export const warning = of("warning")
export const broken = of("broken")

/** How long to wait before something that can be tried again is: from 50 ms to 5 s, for as long as the host lives. */
import { Schedule } from "effect"

export const patience = Schedule.min([Schedule.exponential("50 millis"), Schedule.spaced("5 seconds")])

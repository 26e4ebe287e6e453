/** A gate that a test opens: what waits at it goes on then, and at no other time. */
export class Gate {
  readonly opened: Promise<void>
  readonly open: () => void

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.opened = promise
    this.open = () => resolve()
  }
}

/** Work that may go on side by side, and work that wants to be alone: it waits for the others and they for it. */
export interface Turns {
  together(work: () => Promise<void>): Promise<void>
  alone(work: () => Promise<void>): Promise<void>
}

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  const others = new Set<Promise<void>>()
  return {
    async together(work) {
      await last
      const running = work()
      others.add(running)
      await running.finally(() => others.delete(running))
    },
    async alone(work) {
      const turn = last.then(async () => {
        await Promise.allSettled(others)
        await work()
      })
      last = turn.catch(() => {})
      await turn
    },
  }
}

/** Work that several callers share: whoever comes while a round runs takes part in the next one, together with all others. */
export interface Rounds<Ask> {
  join(ask: Ask): void
  /** Resolves when no round runs. */
  idle(): Promise<void>
}

/** Rounds one after the other; `run` must not reject. */
export function createRounds<Ask>(run: (asks: readonly Ask[]) => Promise<void>): Rounds<Ask> {
  let waiting: Ask[] = []
  let running: Promise<void> | undefined
  const runAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const asks = waiting
      waiting = []
      await run(asks)
    }
    running = undefined
  }
  return {
    join(ask) {
      waiting.push(ask)
      running ??= runAll()
    },
    idle: async () => running,
  }
}

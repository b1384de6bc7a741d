/** Work that requests share: those that come while a round runs take part together in the next one. */
export interface Rounds<T> {
  join(request: T): void
  /** Resolves when no round is running. */
  idle(): Promise<void>
}

/** Runs rounds one after the other. When one rejects, `onFailure` hears of it with those that took part, and the next one begins. */
export function createRounds<T>(
  run: (requests: readonly T[]) => Promise<void>,
  onFailure: (error: unknown, requests: readonly T[]) => void,
): Rounds<T> {
  let waiting: T[] = []
  let running: Promise<void> | undefined
  const runAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const requests = waiting
      waiting = []
      await run(requests).catch((error: unknown) => onFailure(error, requests))
    }
    running = undefined
  }
  return {
    join(request) {
      waiting.push(request)
      running ??= runAll()
    },
    idle: async () => running,
  }
}

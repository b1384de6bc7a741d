/** One reading of an answer, shared by all callers with the same question. */
export interface Turn {
  /** Fires when the last caller has left. */
  readonly signal: AbortSignal
  /** Call this when the snapshot begins. Later requests may expect newer data, so they get the next turn. */
  startReading(): void
}

/** Equal questions share one answer until the snapshot begins. */
interface InFlight<T> {
  /**
   * Joins the turn that waits under the key, or begins a new turn. If a caller aborts, its promise rejects with the reason of
   * its signal. When the last caller leaves, the turn is aborted.
   */
  join(key: string, signal: AbortSignal | undefined, begin: (turn: Turn) => Promise<T>): Promise<T>
}

interface Waiting<T> {
  join(signal: AbortSignal | undefined): Promise<T>
}

/** Creates the shared turns of an engine. */
export function createInFlight<T>(): InFlight<T> {
  const inFlight = new Map<string, Waiting<T>>()

  const start = (key: string, begin: (turn: Turn) => Promise<T>): Waiting<T> => {
    const cancelling = new AbortController()
    let callers = 0
    // A later turn may already wait under the key, so only this turn is removed.
    const startReading = () => void (inFlight.get(key) === waiting && inFlight.delete(key))
    const join = (signal: AbortSignal | undefined) =>
      new Promise<T>((resolve, reject) => {
        callers += 1
        const leave = () => {
          callers -= 1
          reject(signal?.reason)
          if (callers > 0) return
          startReading()
          cancelling.abort(signal?.reason)
        }
        signal?.addEventListener('abort', leave, { once: true })
        answer.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave))
      })
    const waiting: Waiting<T> = { join }
    inFlight.set(key, waiting)
    const answer = begin({ signal: cancelling.signal, startReading }).finally(startReading)
    return waiting
  }

  return {
    async join(key, signal, begin) {
      signal?.throwIfAborted()
      return (inFlight.get(key) ?? start(key, begin)).join(signal)
    },
  }
}

/** An answer on its way, to several who asked for the same. */
export interface Flight {
  /** Fires when nobody wants the answer any more. */
  readonly signal: AbortSignal
  /** Says that the answer's snapshot begins: whoever asks from now on may know of something newer. */
  depart(): void
}

interface Open<T> {
  board(signal: AbortSignal | undefined): Promise<T>
}

/** Equal questions share one answer as long as none of its data has been read. */
export interface Sharing<T> {
  /**
   * The answer of a flight that waits under the same key, else of a new one. Whoever aborts leaves with the signal's reason; the flight
   * is given up when the last one does.
   */
  answer(key: string, signal: AbortSignal | undefined, fly: (flight: Flight) => Promise<T>): Promise<T>
}

/** Nobody asks for anything yet. */
export function createSharing<T>(): Sharing<T> {
  const open = new Map<string, Open<T>>()

  const start = (key: string, fly: (flight: Flight) => Promise<T>): Open<T> => {
    const cancelling = new AbortController()
    let aboard = 0
    // A later flight may wait under the key by then.
    const close = () => void (open.get(key) === flight && open.delete(key))
    const board = (signal: AbortSignal | undefined) =>
      new Promise<T>((resolve, reject) => {
        aboard += 1
        const leave = () => {
          aboard -= 1
          reject(signal?.reason)
          if (aboard > 0) return
          close()
          cancelling.abort(signal?.reason)
        }
        signal?.addEventListener('abort', leave, { once: true })
        landing.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave))
      })
    const flight: Open<T> = { board }
    open.set(key, flight)
    const landing = fly({ signal: cancelling.signal, depart: close }).finally(close)
    return flight
  }

  return {
    async answer(key, signal, fly) {
      signal?.throwIfAborted()
      return (open.get(key) ?? start(key, fly)).board(signal)
    },
  }
}

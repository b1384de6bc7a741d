/** Tells everything that waits on a connection when that connection is lost. */
export interface ConnectionLoss {
  /** Tells the loss to all who listen now or later. The first error counts. */
  report(error: unknown): void
  /** Calls `onLost` once when the connection is lost. The function that it returns stops the listening. */
  listen(onLost: (error: unknown) => void): () => void
  /** Resolves or rejects as the answer does, and rejects if the connection is lost before that comes. */
  orLost<T>(answer: Promise<T>): Promise<T>
}

/**
 * Begins with a connection that is not lost. Listeners serve here rather than one promise that each answer is raced against: such a promise
 * would keep every answer in memory until the connection is closed.
 */
export function createConnectionLoss(): ConnectionLoss {
  const listeners = new Set<(error: unknown) => void>()
  let loss: { readonly error: unknown } | undefined

  const listen = (onLost: (error: unknown) => void) => {
    if (loss === undefined) listeners.add(onLost)
    else onLost(loss.error)
    return () => void listeners.delete(onLost)
  }
  return {
    report(error) {
      if (loss !== undefined) return
      loss = { error }
      for (const listener of listeners) listener(error)
      listeners.clear()
    },
    listen,
    orLost: (answer) =>
      new Promise((resolve, reject) => {
        const stop = listen(reject)
        answer.then(resolve, reject).finally(stop)
      }),
  }
}

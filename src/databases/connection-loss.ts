/** Notifies all waiting work of a connection when the connection is lost. */
interface ConnectionLoss {
  /** Reports the loss to all current and later listeners. Only the first report counts. */
  report(error: unknown): void
  /** Calls `onLost` once when the connection is lost. Returns a function that removes the listener. */
  listen(onLost: (error: unknown) => void): () => void
  /** Settles like the answer. Rejects earlier if the connection is lost. */
  orLost<T>(answer: Promise<T>): Promise<T>
}

/**
 * Creates the notifier of one connection. It uses listeners, because a shared promise that every answer races against would keep every
 * answer in memory until the connection is closed.
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

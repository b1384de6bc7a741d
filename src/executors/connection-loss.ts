/** The loss of a connection, of which everything under way on it must hear. */
export interface ConnectionLoss {
  /** Tells all who listen and all who come later; the first error counts. */
  report(error: unknown): void
  /** Calls back once when the connection is lost; the function given back ends the listening. */
  listen(onLost: (error: unknown) => void): () => void
  /** The answer, or a rejection if the connection is lost before it comes. */
  orLost<T>(answer: Promise<T>): Promise<T>
}

/** A loss that has not happened yet. A promise raced against each answer would keep all answers in memory until the session ends. */
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

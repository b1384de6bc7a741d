/** A function that computes its value when it is first called and keeps it. A failure is not kept. */
export function once<T>(compute: () => T): () => T {
  let kept: { readonly value: T } | undefined
  return () => {
    kept ??= { value: compute() }
    return kept.value
  }
}

/** Resolves or rejects as the work does, and rejects with the signal's reason as soon as that fires, whatever becomes of the work. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

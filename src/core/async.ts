/** A function that computes its value at the first call and stores it. A failure is not stored. */
export function once<T>(compute: () => T): () => T {
  let stored: { readonly value: T } | undefined
  return () => {
    stored ??= { value: compute() }
    return stored.value
  }
}

/** Settles like `work`, but rejects with the error of `overdue` if `work` takes longer than the limit. The work itself goes on. */
export async function withinLimit<T>(work: Promise<T>, limitMs: number, overdue: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(overdue()), limitMs)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves or rejects like `work`, but rejects with the signal's reason as soon as the signal fires. The work itself goes on. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

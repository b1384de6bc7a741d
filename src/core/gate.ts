/** How much a gate has to do. */
export interface QueueLoad {
  readonly running: number
  readonly waiting: number
  /** How many may run, and how many may wait. */
  readonly size: number
  readonly queue_size: number
}

/** Why one is not let in: the queue is full, the wait has been too long, or the gate is closed. */
export type Refusal = 'full' | 'late' | 'closed'

/** Lets a fixed number in at a time. The others wait in the order in which they came; their number and their time are bounded. */
export interface Gate {
  /**
   * Resolves to the function that leaves again. Rejects with the error of the refusal, and with the signal's reason when that fires during
   * the wait.
   */
  enter(signal?: AbortSignal): Promise<() => void>
  /** Says how many are inside and how many wait at the moment. */
  load(): QueueLoad
  /** Admits nobody any more and resolves when the last one has left. */
  close(): Promise<void>
}

export interface GateLimits {
  /** How many may be inside at a time. */
  readonly size: number
  /** How many may wait. */
  readonly queueSize: number
  /** How long one may wait, milliseconds. */
  readonly queueMs: number
}

/** Takes one out of the queue: it gets a place, or the error that keeps it from one. */
type EndWaiting = (refusal?: { readonly error: unknown }) => void

/** Makes a gate that nobody has entered yet; `errorOf` makes the error of whoever is refused. */
export function createGate(
  { size, queueSize, queueMs }: GateLimits,
  errorOf: (refusal: Refusal, load: QueueLoad) => Error,
): Gate {
  // A set keeps the order in which they came.
  const waiting = new Set<EndWaiting>()
  let inside = 0
  let closed = false
  let onEmpty: (() => void) | undefined

  const load = (): QueueLoad => ({ running: inside, waiting: waiting.size, size, queue_size: queueSize })
  const refused = (refusal: Refusal) => errorOf(refusal, load())
  const leave = () => {
    inside -= 1
    const [next] = waiting
    if (next !== undefined) next()
    else if (inside === 0) onEmpty?.()
  }
  const admitted = () => {
    inside += 1
    let left = false
    return () => {
      if (!left) leave()
      left = true
    }
  }
  const queued = (signal: AbortSignal | undefined) =>
    new Promise<() => void>((resolve, reject) => {
      const end: EndWaiting = (refusal) => {
        waiting.delete(end)
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        if (refusal === undefined) resolve(admitted())
        else reject(refusal.error)
      }
      const abort = () => end({ error: signal?.reason })
      const timer = setTimeout(() => end({ error: refused('late') }), queueMs)
      signal?.addEventListener('abort', abort, { once: true })
      waiting.add(end)
    })

  return {
    async enter(signal) {
      signal?.throwIfAborted()
      if (closed) throw refused('closed')
      if (inside < size) return admitted()
      if (waiting.size >= queueSize) throw refused('full')
      return queued(signal)
    },
    load,
    async close() {
      closed = true
      for (const end of [...waiting]) end({ error: refused('closed') })
      if (inside > 0) await new Promise<void>((resolve) => (onEmpty = resolve))
    },
  }
}

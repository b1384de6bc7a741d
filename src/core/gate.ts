/** Load of a gate. */
export interface QueueLoad {
  readonly running: number
  readonly waiting: number
  /** Limits: callers that can run at a time, and callers that can wait. */
  readonly size: number
  readonly queue_size: number
}

/** Reason of a refusal: the queue is full, the wait was too long, or the gate is closed. */
export type Refusal = 'full' | 'late' | 'closed'

/**
 * Admits a fixed number of callers at a time. The others wait in order of arrival. The length of the queue and the wait are
 * limited.
 *
 *     enter ──place free──▶ inside ──leave──▶ (the first in the queue is admitted)
 *       │ no place
 *       ├─ queue has room ─▶ waiting ──place──▶ inside
 *       │                      └─ too long ─▶ 'late', signal ─▶ its reason, close ─▶ 'closed'
 *       └─ queue is full ──▶ 'full'
 */
export interface Gate {
  /**
   * Resolves to the function that leaves the gate. Rejects with the error of a refusal, or with the signal's reason if it fires during the
   * wait.
   */
  enter(signal?: AbortSignal): Promise<() => void>
  /** Number of callers inside and number of waiting callers. */
  load(): QueueLoad
  /** Refuses all further entries and resolves when the last one has left. */
  close(): Promise<void>
}

export interface GateLimits {
  /** Most inside at a time. */
  readonly size: number
  /** Most that can wait. */
  readonly queueSize: number
  /** Longest wait in milliseconds. */
  readonly queueMs: number
}

/** Ends the wait of one caller, with a place or with an error. */
type EndWaiting = (refusal?: { readonly error: unknown }) => void

/** Creates an empty gate. `errorOf` creates the error of a refusal. */
export function createGate(
  { size, queueSize, queueMs }: GateLimits,
  errorOf: (refusal: Refusal, load: QueueLoad) => Error,
): Gate {
  // A set keeps the order of arrival.
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

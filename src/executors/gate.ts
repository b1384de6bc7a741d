import { databaseBusy, databaseClosed } from './failures.ts'

/** Lets at most a fixed number in at a time; the others wait in order, up to a bound. */
export interface Gate {
  /**
   * Resolves to the function that leaves again. Rejects with AppError `connector_unavailable` when the queue is full or the gate closed,
   * with the signal's reason when it fires while waiting.
   */
  enter(signal?: AbortSignal): Promise<() => void>
  /** Admits nobody any more; resolves when the last one has left. */
  close(): Promise<void>
}

interface Waiter {
  readonly admit: () => void
  readonly refuse: (error: unknown) => void
}

/** A gate for `size` at a time and `queueLimit` waiting. */
export function createGate(size: number, queueLimit: number): Gate {
  const waiting: Waiter[] = []
  let inside = 0
  let closed = false
  let onEmpty: (() => void) | undefined

  const leave = () => {
    inside -= 1
    const next = waiting.shift()
    if (next !== undefined) next.admit()
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
      const abort = () => {
        waiting.splice(waiting.indexOf(waiter), 1)
        reject(signal?.reason)
      }
      const waiter: Waiter = {
        admit: () => {
          signal?.removeEventListener('abort', abort)
          resolve(admitted())
        },
        refuse: (error) => {
          signal?.removeEventListener('abort', abort)
          reject(error)
        },
      }
      signal?.addEventListener('abort', abort, { once: true })
      waiting.push(waiter)
    })

  return {
    async enter(signal) {
      signal?.throwIfAborted()
      if (closed) throw databaseClosed()
      if (inside < size) return admitted()
      if (waiting.length >= queueLimit) throw databaseBusy(size, waiting.length)
      return queued(signal)
    },
    async close() {
      closed = true
      for (const waiter of waiting.splice(0)) waiter.refuse(databaseClosed())
      if (inside > 0) await new Promise<void>((resolve) => (onEmpty = resolve))
    },
  }
}

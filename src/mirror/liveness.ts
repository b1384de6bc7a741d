import { performance } from 'node:perf_hooks'

/** Rejects work that has shown no sign of life for longer than it may. */
export class Overdue extends Error {
  constructor(what: string, limitMs: number) {
    super(`${what}: nothing has come for ${limitMs} ms`)
    this.name = 'Overdue'
  }
}

/** Reports a sign of life. `limitMs` is how long the next one may take; without it the limit stays as it was. */
export type Beat = (limitMs?: number) => void

export interface Watch {
  /** What is watched, as the error names it. */
  readonly what: string
  /** Milliseconds that may pass between two signs of life. */
  readonly limitMs: number
  /** Makes the watch give up at once, with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Resolves or rejects as the work does, and rejects earlier when the signal fires or when the work shows no sign of life for too long.
 * Only the caller is released by that: the work itself has to be stopped by other means.
 */
export function whileAlive<T>({ what, limitMs, signal }: Watch, work: (beat: Beat) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    let limit = limitMs
    let last = performance.now()
    let timer: NodeJS.Timeout
    const left = () => limit - (performance.now() - last)
    const arm = () => {
      timer = setTimeout(check, Math.max(1, left()))
    }
    // When the process has stood still, timers run before the answers that came in the meantime. The second timer lets those be heard.
    const check = () => {
      timer = setTimeout(() => (left() > 0 ? arm() : end(() => reject(new Overdue(what, limit)))), 1)
    }
    const abort = () => end(() => reject(signal?.reason))
    const end = (finish: () => void) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      finish()
    }
    const beat: Beat = (next = limit) => {
      last = performance.now()
      if (next === limit) return
      limit = next
      clearTimeout(timer)
      arm()
    }
    signal?.addEventListener('abort', abort, { once: true })
    arm()
    work(beat).then(
      (value) => end(() => resolve(value)),
      (error: unknown) => end(() => reject(error)),
    )
  })
}

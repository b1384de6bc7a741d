import { performance } from 'node:perf_hooks'
import type { Statement } from '../../compiler/statement.ts'
import type { Row } from '../../ports/rows.ts'
import type { Snapshot } from '../../ports/snapshot.ts'

/** The error of work that showed no sign of life within its limit. */
export class Overdue extends Error {
  constructor(what: string, limitMs: number) {
    super(`${what}: nothing has come for ${limitMs} ms`)
    this.name = 'Overdue'
  }
}

/**
 * Reports a sign of life. `limitMs` is the longest time until the next sign of life. If it is absent, the limit does not change.
 */
export type Beat = (limitMs?: number) => void

interface Watch {
  /** Name of the watched work in the error. */
  readonly what: string
  /** Milliseconds that may pass between two signs of life. */
  readonly limitMs: number
  /** Makes the watch give up at once, with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Settles like the work. Rejects earlier if the signal fires or if the work shows no sign of life for too long. This releases
 * only the caller: the work itself has to be stopped by other means.
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
    // After a pause of the whole process, timers run before the answers that arrived in the meantime. The second timer lets these
    // answers count first.
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

/** Called for every statement that a snapshot runs. */
interface Observer {
  began?(statement: Statement): void
  /** Called when a statement has succeeded, and for each row of a stream. */
  received(statement: Statement): void
  failed?(statement: Statement, error: unknown): void
  ended?(statement: Statement): void
}

/** Wraps a snapshot. The observer is called for each of its statements. */
export function observed(snapshot: Snapshot, observer: Observer): Snapshot {
  async function* stream(statement: Statement): AsyncGenerator<Row> {
    observer.began?.(statement)
    try {
      for await (const row of snapshot.stream(statement)) {
        observer.received(statement)
        yield row
      }
      observer.received(statement)
    } catch (error) {
      observer.failed?.(statement, error)
      throw error
    } finally {
      observer.ended?.(statement)
    }
  }
  const watched = async <T>(statement: Statement, run: () => Promise<T>): Promise<T> => {
    observer.began?.(statement)
    try {
      const result = await run()
      observer.received(statement)
      return result
    } catch (error) {
      observer.failed?.(statement, error)
      throw error
    } finally {
      observer.ended?.(statement)
    }
  }
  const { dialect, csv } = snapshot
  const writing: Pick<Snapshot, 'csv'> =
    csv === undefined
      ? {}
      : { csv: { ...csv, write: (statement, ...others) => watched(statement, () => csv.write(statement, ...others)) } }
  return { dialect, query: (statement) => watched(statement, () => snapshot.query(statement)), stream, ...writing }
}

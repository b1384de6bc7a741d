import { AsyncLocalStorage } from 'node:async_hooks'

/** The credential or address for which the process works, and how long its request has waited for turns, in milliseconds. */
export interface Caller {
  readonly id: string
  /** The id of its request, for logs of the database. Undefined outside of a service. */
  readonly requestId: string | undefined
  waitedMs: number
}

const callers = new AsyncLocalStorage<Caller>()

/** Runs the work of one request. Gates give each caller its turn, and count the waits of the request together. */
export function asCaller<T>(id: string, work: () => T, requestId?: string): T {
  return callers.run({ id, requestId, waitedMs: 0 }, work)
}

/** The caller of the request that is being answered. Undefined: the process works for itself. */
export function currentCaller(): Caller | undefined {
  return callers.getStore()
}

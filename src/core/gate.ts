import { type Caller, currentCaller } from './caller.ts'

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
 * Admits a fixed number of questions at a time. The others wait, and the length of the queue and the wait are limited.
 *
 * The next place goes to the caller who has used the gate least. Many or long questions of one caller therefore do not keep the others waiting. The
 * cost of a question is the time that it holds its place, which grows with its statements. Questions of one caller keep the order of their arrival. One
 * caller gets all places but one, if there are several, and half of the queue, unless the gate is of one caller.
 *
 *     enter ──place free──▶ inside ──leave──▶ (the next in the queue is admitted)
 *       │ no place
 *       ├─ queue has room ─▶ waiting ──place──▶ inside
 *       │                      └─ too long ─▶ 'late', signal ─▶ its reason, close ─▶ 'closed'
 *       └─ queue is full ──▶ 'full'
 */
export interface Gate {
  /**
   * Resolves to the function that leaves the gate. Rejects with the error of a refusal, or with the signal's reason if it fires during the
   * wait. The caller is that of the request in progress, unless another is given.
   */
  enter(signal?: AbortSignal, caller?: Caller): Promise<() => void>
  /** Enters if the caller need not wait. Else undefined. */
  enterNow(caller?: Caller): (() => void) | undefined
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
  /** True if the waits of one request at all such gates count together towards the longest wait. */
  readonly addsWaits?: boolean
  /** True if all who come are one caller, such as one principal. Nothing is kept for others, so the whole size and queue are theirs. */
  readonly isOfOneCaller?: boolean
}

/** A question in the queue. Its end comes with a place or with an error. */
interface Waiting {
  readonly lane: Lane
  end(refusal?: { readonly error: unknown }): void
}

/** The questions of one caller that wait or are inside. */
interface Lane {
  readonly key: string
  /** Milliseconds for which its questions have held places, or those of the least served caller when it came. */
  used: number
  waiting: number
  /** When each of its questions inside has entered. */
  readonly entered: Set<{ readonly at: number }>
}

/** The lane that may use the whole gate: work that has no caller, and all questions at a gate of one caller. */
const OWN_WORK = ''

/** Creates an empty gate. `errorOf` creates the error of a refusal. */
export function createGate(
  { size, queueSize, queueMs, addsWaits = false, isOfOneCaller = false }: GateLimits,
  errorOf: (refusal: Refusal, load: QueueLoad) => Error,
): Gate {
  // A set keeps the order of arrival.
  const waiting = new Set<Waiting>()
  const lanes = new Map<string, Lane>()
  let inside = 0
  let closed = false
  let onEmpty: (() => void) | undefined

  const load = (): QueueLoad => ({ running: inside, waiting: waiting.size, size, queue_size: queueSize })
  const refused = (refusal: Refusal) => errorOf(refusal, load())

  const usedBy = ({ used, entered }: Lane, now: number) => [...entered].reduce((sum, { at }) => sum + now - at, used)
  const keyOf = (caller: Caller | undefined) => (isOfOneCaller ? OWN_WORK : (caller?.id ?? OWN_WORK))
  const laneOf = (key: string): Lane => {
    const known = lanes.get(key)
    if (known !== undefined) return known
    const now = performance.now()
    const used = [...lanes.values()].reduce((least, lane) => Math.min(least, usedBy(lane, now)), Number.POSITIVE_INFINITY)
    const lane = { key, used: Number.isFinite(used) ? used : 0, waiting: 0, entered: new Set<{ readonly at: number }>() }
    lanes.set(key, lane)
    return lane
  }
  const forgetIfIdle = ({ key, waiting: waits, entered }: Lane) => {
    if (waits + entered.size === 0) lanes.delete(key)
  }
  const hasPlace = ({ key, entered }: Lane) => inside < size && entered.size < (key === OWN_WORK || size === 1 ? size : size - 1)
  const mayWait = ({ key, waiting: waits }: Lane) =>
    waiting.size < queueSize && waits < (key === OWN_WORK ? queueSize : Math.ceil(queueSize / 2))

  /** The first question of the caller who has used the gate least, or holds fewer places. */
  const next = (): Waiting | undefined => {
    const now = performance.now()
    let best: { readonly each: Waiting; readonly used: number } | undefined
    for (const each of waiting) {
      if (!hasPlace(each.lane)) continue
      const used = usedBy(each.lane, now)
      const isBetter =
        best === undefined || used < best.used || (used === best.used && each.lane.entered.size < best.each.lane.entered.size)
      if (isBetter) best = { each, used }
    }
    return best?.each
  }
  const admitNext = () => {
    for (let first = next(); first !== undefined; first = next()) first.end()
  }
  const admitted = (lane: Lane) => {
    const entry = { at: performance.now() }
    inside += 1
    lane.entered.add(entry)
    return () => {
      if (!lane.entered.delete(entry)) return
      inside -= 1
      lane.used += performance.now() - entry.at
      forgetIfIdle(lane)
      admitNext()
      if (inside === 0) onEmpty?.()
    }
  }
  const queued = (lane: Lane, signal: AbortSignal | undefined, caller: Caller | undefined) =>
    new Promise<() => void>((resolve, reject) => {
      const begun = performance.now()
      const limit = addsWaits ? queueMs - (caller?.waitedMs ?? 0) : queueMs
      const one: Waiting = {
        lane,
        end(refusal) {
          waiting.delete(one)
          lane.waiting -= 1
          clearTimeout(timer)
          signal?.removeEventListener('abort', abort)
          if (addsWaits && caller !== undefined) caller.waitedMs += performance.now() - begun
          if (refusal === undefined) return resolve(admitted(lane))
          forgetIfIdle(lane)
          reject(refusal.error)
        },
      }
      const abort = () => one.end({ error: signal?.reason })
      const timer = setTimeout(() => one.end({ error: refused('late') }), Math.max(0, limit))
      signal?.addEventListener('abort', abort, { once: true })
      lane.waiting += 1
      waiting.add(one)
    })

  return {
    async enter(signal, caller = currentCaller()) {
      signal?.throwIfAborted()
      if (closed) throw refused('closed')
      const lane = laneOf(keyOf(caller))
      if (hasPlace(lane)) return admitted(lane)
      if (mayWait(lane)) return queued(lane, signal, caller)
      forgetIfIdle(lane)
      throw refused('full')
    },
    enterNow(caller = currentCaller()) {
      const lane = laneOf(keyOf(caller))
      if (!closed && hasPlace(lane)) return admitted(lane)
      forgetIfIdle(lane)
      return undefined
    },
    load,
    async close() {
      closed = true
      for (const one of [...waiting]) one.end({ error: refused('closed') })
      if (inside > 0) await new Promise<void>((resolve) => (onEmpty = resolve))
    },
  }
}

import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { DeliveryRecord, DeliveryRun } from '../../core/delivery.ts'
import { AppError } from '../../core/errors.ts'
import type { DeliveryStore, RunOutcome } from '../../engine/engine.ts'
import { attemptRun } from './attempt.ts'
import type { DeliveryParts } from './parts.ts'
import { slotBefore, slotUpTo } from './slots.ts'
import { DAY_MS, MINUTE_MS } from './times.ts'

const HOLD_MS = 2 * MINUTE_MS
const LOOK_MS = 15_000
/** Missed slots that are noted after a time without service. */
const MOST_MISSED = 31
/** Time that runs and rows are kept. A row that is still there is seen again in each run, and at least once a month. */
const RUNS_KEPT_MS = 400 * DAY_MS
const ROWS_KEPT_MS = 100 * DAY_MS

/** Sends what is due until it is stopped. */
export interface DeliveryWorker {
  /** Resolves when all attempts have stopped. Runs that are not over are released. */
  stop(): Promise<void>
}

/**
 * Looks for slots that are due and runs them, next to other processes. A slot has one run in the store, and a run that is taken belongs to one process. If
 * that process dies, another one takes the run over after a while.
 */
export function startWorker(parts: DeliveryParts): DeliveryWorker {
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)
  const round = createRound(parts)
  let prunedAt = 0
  const prune = async (now: Date): Promise<void> => {
    if (now.getTime() - prunedAt < DAY_MS) return
    prunedAt = now.getTime()
    const before = (kept: number) => new Date(now.getTime() - kept).toISOString()
    await (await parts.engine.deliveries.store()).prune({ rows: before(ROWS_KEPT_MS), runs: before(RUNS_KEPT_MS) })
  }
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await round(stopping.signal)
        await prune((parts.now ?? machineClock)())
      } catch (error) {
        // Other checks report a store or a database that cannot be reached.
        if (!stopping.signal.aborted && !(error instanceof AppError)) parts.onFailure(error)
      }
      await pause(parts.lookMs ?? LOOK_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const ended = loop()
  return {
    stop() {
      stopping.abort(new AppError('connector_unavailable', 'The service is stopping.'))
      return ended
    },
  }
}

function machineClock(): Date {
  return new Date()
}

/** One look: adds the runs of slots that are due, then takes and attempts due runs until there are none. Resolves to their deliveries. */
export function createRound(parts: DeliveryParts): (signal: AbortSignal) => Promise<readonly string[]> {
  const { engine, now = machineClock } = parts
  /** The newest slot of each delivery that is known to have a run. */
  const known = new Map<string, string>()
  return async (signal) => {
    const store = await engine.deliveries.store()
    for (const delivery of await store.list()) if (delivery.enabled) await addDue(store, delivery, known, now())
    const done: string[] = []
    for (;;) {
      signal.throwIfAborted()
      const at = now()
      const taken = await store.takeRuns(at.toISOString(), new Date(at.getTime() + (parts.holdMs ?? HOLD_MS)).toISOString())
      if (taken.length === 0) return done
      await Promise.all(taken.map((run) => workOff(store, run, parts, signal)))
      done.push(...taken.map(({ delivery_id }) => delivery_id))
    }
  }
}

/** Adds a run for the newest slot of a delivery. After a time without service, the slots before it are noted as missed. */
async function addDue(store: DeliveryStore, delivery: DeliveryRecord, known: Map<string, string>, now: Date): Promise<void> {
  const { id, when, since } = delivery
  const newest = slotUpTo(when, now)
  if (newest.due_at <= since || known.get(id) === newest.due_at) return
  const isInTime = now.getTime() - Date.parse(newest.due_at) <= DAY_MS
  const isAdded = await store.addRun(id, newest, now.toISOString(), isInTime ? 'waiting' : 'missed')
  known.set(id, newest.due_at)
  let slot = newest
  for (let count = 0; isAdded && count < MOST_MISSED; count += 1) {
    slot = slotBefore(when, slot)
    if (slot.due_at <= since || !(await store.addRun(id, slot, now.toISOString(), 'missed'))) return
  }
}

const SENDER = { id: 'deliveries', kind: 'anonymous', scopes: [], name: 'deliveries' } as const
const NO_REQUEST = { path: null, remote_address: null, request_id: null }

async function workOff(store: DeliveryStore, run: DeliveryRun, parts: DeliveryParts, stopping: AbortSignal): Promise<void> {
  const { engine, now = machineClock, holdMs = HOLD_MS } = parts
  const lost = new AbortController()
  const signal = AbortSignal.any([stopping, lost.signal])
  const hold = async (): Promise<void> => {
    const isHeld = await store.holdRun(run, new Date(now().getTime() + holdMs).toISOString())
    if (!isHeld) lost.abort(new AppError('conflict', 'Another process has taken the run over.'))
  }
  const heartbeat = setInterval(() => void hold().catch(() => undefined), holdMs / 4)
  try {
    const { outcome, rows } = await attemptRun(run, { store, parts, now, signal })
    await store.endRun(run, outcome, now().toISOString(), rows)
    if (outcome.kind === 'over' && (outcome.status === 'sent' || outcome.status === 'failed')) {
      const status = outcome.status === 'sent' ? null : 502
      engine.auth.record(SENDER, { action: 'delivery.send', target: run.delivery_id, status }, NO_REQUEST)
    }
  } catch (error) {
    if (!signal.aborted) throw error
    const released: RunOutcome = { kind: 'released' }
    await store.endRun(run, released, now().toISOString())
  } finally {
    clearInterval(heartbeat)
  }
}

import { AppError } from '../core/errors.ts'
import type { AuditEvent } from '../ports/auth-store.ts'
import { type AuthStores, instantNow } from './deps.ts'

/** Time that an event waits, so that later events are written together with it. */
const GATHER_MS = 500
/** Pause after the store could not be written. */
const RETRY_MS = 5_000
const EVENTS_AT_ONCE = 1_000
/** Most events to hold while the store is down. Beyond that the oldest are dropped, and their number is recorded. */
const MOST_WAITING = 10_000
const PURGE_EVERY_MS = 3_600_000
/** Shortest time between two recorded uses of a key. */
const NOTE_EVERY_MS = 60_000
const DAY_MS = 86_400_000

/** Writes audit events and uses of keys in the background. */
interface Journal {
  record(event: AuditEvent): void
  /** Records that a key is used now, at most once a minute. `noted` is the stored last use. */
  noteUse(id: string, noted: string | null): void
  /** Writes the waiting events. Rejects with the error of the store. Events that could not be written keep waiting. */
  flush(): Promise<void>
  /** Writes the waiting events, if the store is available, and stops. */
  close(): Promise<void>
}

/** A journal that keeps events for `days` days. If the store is down, requests go on and events are written once it is back. */
export function createJournal(openStores: () => Promise<AuthStores>, days: number, onFailure: (error: unknown) => void): Journal {
  let waiting: AuditEvent[] = []
  const uses = new Map<string, string>()
  const notedAt = new Map<string, number>()
  let lost = 0
  let purgedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  // Readiness reports a store that is down. Only internal errors go into the log.
  const report = (error: unknown): void => {
    if (!(error instanceof AppError)) onFailure(error)
  }
  const schedule = (milliseconds: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      flush().catch((error: unknown) => {
        report(error)
        schedule(RETRY_MS)
      })
    }, milliseconds)
    timer.unref()
  }
  // An event that the store refuses must not block the others.
  const put = async (audit: AuthStores['audit'], events: readonly AuditEvent[]): Promise<boolean> => {
    try {
      if (events.length > 0) await audit.add(events)
      return true
    } catch (error) {
      if (error instanceof AppError) throw error
      onFailure(error)
      return false
    }
  }
  const write = async (): Promise<void> => {
    while (waiting.length > 0 || uses.size > 0) {
      const { keys, audit } = await openStores()
      const used = new Map(uses)
      if (used.size > 0) await keys.noteUses(used)
      for (const [id, at] of used) if (uses.get(id) === at) uses.delete(id)
      const batch = waiting.slice(0, EVENTS_AT_ONCE)
      const gone = lost
      const events = gone === 0 ? batch : [lostEvent(gone), ...batch]
      const isDone = await put(audit, events)
      lost += isDone ? -gone : batch.length
      const handled = new Set(batch)
      waiting = waiting.filter((event) => !handled.has(event))
      if (Date.now() - purgedAt < PURGE_EVERY_MS) continue
      await audit.removeBefore(new Date(Date.now() - days * DAY_MS).toISOString())
      purgedAt = Date.now()
    }
  }
  // One write at a time, so that nothing is written twice.
  const flush = (): Promise<void> => {
    writing = writing.catch(() => {}).then(write)
    return writing
  }
  return {
    record(event) {
      waiting.push(event)
      if (waiting.length > MOST_WAITING) lost += waiting.splice(0, waiting.length - MOST_WAITING).length
      schedule(GATHER_MS)
    },
    noteUse(id, noted) {
      const now = Date.now()
      const last = Math.max(notedAt.get(id) ?? 0, noted === null ? 0 : Date.parse(noted))
      if (now - last < NOTE_EVERY_MS) return
      notedAt.set(id, now)
      uses.set(id, new Date(now).toISOString())
      schedule(GATHER_MS)
    },
    flush,
    async close() {
      clearTimeout(timer)
      await flush().catch(report)
      clearTimeout(timer)
    },
  }
}

function lostEvent(count: number): AuditEvent {
  return {
    at: instantNow(),
    actor: { id: 'service', kind: 'anonymous', name: null },
    action: 'audit.lost',
    path: null,
    target: null,
    remote_address: null,
    request_id: null,
    outcome: 'failed',
    status: null,
    count,
  }
}

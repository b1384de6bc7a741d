import type { AuditEvent } from '../ports/auth-store.ts'

/** Equal events within this time become one event with a count. */
const WINDOW_MS = 60_000
/** Most kinds of events to tell apart within that time. All others count as one kind. */
const MOST_KINDS = 500

/** Records events that a caller can cause without limit, such as refusals. */
interface RepeatCollapser {
  /** Records the first event of a kind at once. The number of repeats follows when the minute is over. */
  record(kind: string, event: AuditEvent): void
  /** Records the repeats counted so far. */
  close(): void
}

interface Counted {
  readonly last: AuditEvent
  readonly more: number
}

/** Limits the events recorded for refusals, so that nobody fills the log by trying credentials. */
export function collapseRepeats(record: (event: AuditEvent) => void): RepeatCollapser {
  let counted = new Map<string, Counted>()
  let timer: NodeJS.Timeout | undefined

  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    const ended = counted
    counted = new Map()
    for (const { last, more } of ended.values()) if (more > 0) record({ ...last, count: more })
  }
  return {
    record(kind, event) {
      timer ??= setTimeout(flush, WINDOW_MS)
      timer.unref()
      const name = counted.has(kind) || counted.size < MOST_KINDS ? kind : ''
      const known = counted.get(name)
      if (known === undefined && name !== '') record(event)
      counted.set(name, { last: event, more: known === undefined && name !== '' ? 0 : (known?.more ?? 0) + 1 })
    },
    close: flush,
  }
}

/** Most tokens to remember. A forgotten token counts as new when it comes back. */
const MOST_TOKENS = 10_000

/** True if a token is seen for the first time. `until` is its expiry, in milliseconds. */
type IsFirst = (token: string, until: number) => boolean

/** Remembers tokens until they expire, so that a sign-in is recorded once. */
export function createFirstSeen(): IsFirst {
  const seen = new Map<string, number>()
  return (token, until) => {
    const known = seen.get(token)
    if (known !== undefined && known > Date.now()) return false
    if (seen.size >= MOST_TOKENS) forget(seen)
    seen.set(token, until)
    return true
  }
}

function forget(seen: Map<string, number>): void {
  for (const [token, until] of seen) if (until <= Date.now()) seen.delete(token)
  // A map keeps insertion order.
  for (const token of seen.keys()) {
    if (seen.size < MOST_TOKENS) return
    seen.delete(token)
  }
}

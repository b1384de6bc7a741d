import type { AuditEvent } from '../ports/auth-store.ts'

/** The time within which what is alike becomes one event with a count. */
const WINDOW_MS = 60_000
/** Different ones that are told apart within that time; all others count as one. */
const MOST_KINDS = 500

/** Takes events of which somebody may cause any number, such as refusals. */
interface RepeatCollapser {
  /** The first of a kind is recorded at once; how many more there were follows when its minute is over. */
  record(kind: string, event: AuditEvent): void
  /** Records what was counted so far. */
  close(): void
}

interface Counted {
  readonly last: AuditEvent
  readonly more: number
}

/** Bounds what is recorded of refusals, so that nobody fills the log by trying credentials. */
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

/** Tokens that are remembered at most; which of those that are forgotten comes back counts as a new one. */
const MOST_TOKENS = 10_000

/** Says of a token whether it is seen for the first time; `until`: when it expires, milliseconds. */
type IsFirst = (token: string, until: number) => boolean

/** Remembers tokens as long as they live, so that a sign-in is recorded once. */
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
  // A map keeps the order in which they came.
  for (const token of seen.keys()) {
    if (seen.size < MOST_TOKENS) return
    seen.delete(token)
  }
}

import { calendarOf, UTC } from '../../core/calendar.ts'
import { isObject } from '../../core/json.ts'
import { dayOf } from '../../core/periods.ts'
import { type ChangeMark, isWithin } from '../../ports/read-through.ts'
import { type Answer, LARGE_ROWS } from './answer.ts'
import { type Bodies, createBodies, withBodies } from './bodies.ts'

/** The inputs that an answer depends on: mark, day, store version. */
export interface MadeFrom {
  readonly mark: ChangeMark
  readonly now: Date
  /** The days around now in other zones than UTC. */
  readonly days?: string
  /** State of the side store when the request came. Undefined: it is not known. */
  readonly store: string | undefined
  readonly data_through: string | null
  /** Warnings about the replica, which are the first of the answer's. */
  readonly lagging: Answer['meta']['warnings']
}

/** An answer with the state that it was made from. */
interface Made extends MadeFrom {
  readonly answer: Answer
  /** True if the answer read the side store. */
  readonly readsStore: boolean
}

/** Answers by question, until their state changes. The answer that was used longest ago is dropped first. */
export interface AnswerMemory {
  /** True if the last answer to this question read the side store; for an unknown question, if any answer did. */
  readsStore(key: string): boolean
  /** The answer to the question in this state, if it is known. */
  recall(key: string, from: MadeFrom): Answer | undefined
  keep(key: string, made: Made): void
  /** Bytes held, about. */
  bytes(): number
}

/** Default size. An answer with both bodies takes some 50 KB. */
const MOST_BYTES = 64_000_000
/** Estimated bytes of a cell as an object, and of an answer apart from its cells. */
const [CELL_BYTES, ANSWER_BYTES] = [64, 4_000]

/** Creates an empty memory. */
export function createAnswerMemory(mostBytes = MOST_BYTES): AnswerMemory {
  // A map keeps the order of insertion, so the first key is the least recently used one.
  const held = new Map<string, { readonly made: Made; readonly bodies: Bodies; size: number }>()
  let total = 0
  let anyReadsStore = false
  const drop = (key: string): void => {
    total -= held.get(key)?.size ?? 0
    held.delete(key)
  }
  const dropOldest = (): void => {
    for (const oldest of held.keys()) {
      if (total <= mostBytes) return
      drop(oldest)
    }
  }
  return {
    readsStore: (key) => held.get(key)?.made.readsStore ?? anyReadsStore,
    recall(key, from) {
      const entry = held.get(key)
      if (entry === undefined || !isFrom(entry.made, from)) return undefined
      held.delete(key)
      held.set(key, entry)
      const answer = answerIn(from, entry.made)
      return answer.data === entry.made.answer.data ? withBodies(answer, entry.bodies) : answer
    },
    keep(key, made) {
      drop(key)
      anyReadsStore ||= made.readsStore
      const cells = cellsOf(made.answer)
      if (cells === undefined || !isWithin(made.mark, made.now)) return
      const bodies = createBodies((bytes) => {
        if (held.get(key) !== entry) return
        entry.size += bytes
        total += bytes
        dropOldest()
      })
      const entry = { made, bodies, size: ANSWER_BYTES + key.length * 2 + cells * CELL_BYTES }
      held.set(key, entry)
      total += entry.size
      withBodies(made.answer, bodies)
      dropOldest()
    },
    bytes: () => total,
  }
}

function isFrom(known: Made, { mark, now, store, days }: MadeFrom): boolean {
  const isStoreSame = !known.readsStore || (store !== undefined && known.store === store)
  return known.mark === mark && isWithin(mark, now) && isStoreSame && daysOf(known.now) === daysOf(now) && known.days === days
}

// "Up to now" ends with the next second, which is another day in the last second of a day.
function daysOf(now: Date, dayAt = dayOf): string {
  return `${dayAt(now)} ${dayAt(new Date(now.getTime() + 1_000))}`
}

/** The state with the days around now in the zones other than UTC. */
export function withDaysIn<From extends MadeFrom>(zones: readonly string[], from: From): From {
  const days = zones.flatMap((zone) => (zone === UTC ? [] : [daysOf(from.now, calendarOf(zone, from.now).dayAt)]))
  return days.length === 0 ? from : { ...from, days: days.join() }
}

/** Number of cells of an answer. Undefined: it is too large. */
function cellsOf({ data, columns }: Answer): number | undefined {
  const rows = Array.isArray(data) ? data : isObject(data) && Array.isArray(data['rows']) ? data['rows'] : []
  return rows.length > LARGE_ROWS ? undefined : (rows.length + 1) * Math.max(columns.length, 1)
}

/** The answer as a request in another state shows it: `data_through` and the warnings about the replica are the request's. */
function answerIn({ data_through, lagging }: MadeFrom, { answer, ...made }: Made): Answer {
  const { data, meta } = answer
  const warnings = [...lagging, ...meta.warnings.slice(made.lagging.length)]
  const shown = data_through === made.data_through ? data : withDataThrough(data, data_through)
  return { ...answer, data: shown, meta: { ...meta, data_through, warnings } }
}

// Only the summary shows it: as an object, or as one for each compared segment.
function withDataThrough(data: unknown, data_through: string | null): unknown {
  if (Array.isArray(data)) return data.some(showsDataThrough) ? data.map((row) => withDataThrough(row, data_through)) : data
  return showsDataThrough(data) ? { ...data, data_through } : data
}

function showsDataThrough(row: unknown): row is object {
  return isObject(row) && Object.hasOwn(row, 'data_through')
}

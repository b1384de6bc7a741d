import { AppError } from '../../core/errors.ts'

const MINUTE_MS = 60_000
/** Most openings of a link in a minute, in this process. */
const MOST_A_MINUTE = 60
/** Most links to remember. */
const MOST_LINKS = 1_000

/** The openings of links: how many there are, and the answers that they share. */
export interface LinkVisits {
  /** Counts an opening. AppError `overloaded` if there are too many. */
  count(id: string): void
  /** The answer of at most a minute ago to the same `question`, or a new one. Openings at the same time share it. A failure is not kept. */
  answer<T>(id: string, question: string, work: () => Promise<T>): Promise<T>
}

interface Held {
  readonly question: string
  readonly until: number
  readonly answer: Promise<unknown>
}

/** Counts and answers of this process. */
export function createLinkVisits(now: () => number = Date.now): LinkVisits {
  const counted = new Map<string, { readonly until: number; count: number }>()
  const held = new Map<string, Held>()
  return {
    count(id) {
      const known = counted.get(id)
      if (known === undefined || known.until <= now()) {
        keepFew(counted)
        counted.set(id, { until: now() + MINUTE_MS, count: 1 })
        return
      }
      known.count += 1
      if (known.count <= MOST_A_MINUTE) return
      const detail = `This link is opened too often: it answers ${MOST_A_MINUTE} times a minute. Open it again later.`
      throw new AppError('overloaded', detail, { context: { retry_after: Math.ceil((known.until - now()) / 1_000) } })
    },
    answer<T>(id: string, question: string, work: () => Promise<T>) {
      const known = held.get(id)
      if (known !== undefined && known.question === question && known.until > now()) return known.answer as Promise<T>
      keepFew(held)
      const answer = work()
      const made = { question, until: now() + MINUTE_MS, answer }
      held.set(id, made)
      answer.catch(() => {
        if (held.get(id) === made) held.delete(id)
      })
      return answer
    },
  }
}

/** Forgets the oldest entry of a full map. A map keeps the order in which entries were added. */
function keepFew(map: Map<string, unknown>): void {
  if (map.size < MOST_LINKS) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}

import { createHash } from 'node:crypto'
import type { Statement } from '../compiler/statement.ts'
import type { Row, Snapshot } from '../engine/ports.ts'

/** Answers of one state of the cache; what is used least goes first. */
export interface Answers {
  /** The snapshot, asked only for what is not known yet. It must be one of this state. */
  over(snapshot: Snapshot): Snapshot
}

const MOST_STATEMENTS = 500
/** Longer answers are not kept. */
const MOST_ROWS = 2_000

/**
 * No answer known yet. Text and values say all that a statement depends on besides the tables: definitions, now, rates, attributes
 * and everything else computed for the request travel in them.
 */
export function createAnswers(): Answers {
  const known = new Map<string, readonly Row[]>()
  const keep = (key: string, rows: readonly Row[]): void => {
    known.delete(key)
    known.set(key, rows)
    const [oldest] = known.keys()
    if (known.size > MOST_STATEMENTS && oldest !== undefined) known.delete(oldest)
  }
  return {
    over: (snapshot) => ({
      ...snapshot,
      async query(statement) {
        const key = keyOf(statement)
        const rows = known.get(key) ?? (await snapshot.query(statement))
        if (rows.length <= MOST_ROWS) keep(key, rows)
        return rows
      },
    }),
  }
}

// Values may hold all attributes of all customers: what is kept is a digest of them.
function keyOf({ text, values }: Statement): string {
  return createHash('sha256')
    .update(JSON.stringify([text, values]))
    .digest('base64')
}

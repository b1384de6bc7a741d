import { createHash } from 'node:crypto'
import type { Statement } from '../compiler/statement.ts'
import type { Row } from '../ports/rows.ts'
import type { Snapshot } from '../ports/snapshot.ts'

/** Keeps the answers of statements for as long as the tables stay as they are; what was used longest ago is dropped first. */
export interface Answers {
  /** Gives a snapshot that asks `snapshot` only for answers that are not kept yet. Both must see the same tables. */
  over(snapshot: Snapshot): Snapshot
}

const MOST_STATEMENTS = 500
/** Answers with more rows than this are not kept. */
const MOST_ROWS = 2_000

/**
 * Begins without any answer. A statement's text and values are the whole key, because they carry all that it depends on besides the
 * tables: definitions, now, rates, attributes and whatever else was computed for the request.
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

// The values may hold all attributes of all customers, so only a digest of them is kept.
function keyOf({ text, values }: Statement): string {
  return createHash('sha256')
    .update(JSON.stringify([text, values]))
    .digest('base64')
}

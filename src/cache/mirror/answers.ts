import { createHash } from 'node:crypto'
import type { Statement } from '../../compiler/statement.ts'
import type { Row } from '../../ports/rows.ts'
import type { Snapshot } from '../../ports/snapshot.ts'

/** Stores the answers of statements until the tables change. The answer that was used longest ago is dropped first. */
export interface Answers {
  /**
   * Wraps `snapshot`, so that only statements without a stored answer run on it. `snapshot` must see the tables that the stored
   * answers are from.
   */
  over(snapshot: Snapshot): Snapshot
}

const MOST_STATEMENTS = 500
/** Answers with more rows than this are not stored. */
const MOST_ROWS = 2_000
/** Cells of all stored answers together. */
const MOST_CELLS = 2_000_000

/**
 * Creates an empty memory of answers. The key is the text and the values of a statement. An answer depends on nothing else except the
 * tables: definitions, now, rates and attributes are part of the text or the values.
 */
export function createAnswers(): Answers {
  const stored = new Map<string, readonly Row[]>()
  let cells = 0
  const drop = (key: string): void => {
    cells -= cellsOf(stored.get(key) ?? [])
    stored.delete(key)
  }
  const store = (key: string, rows: readonly Row[]): void => {
    drop(key)
    stored.set(key, rows)
    cells += cellsOf(rows)
    for (const oldest of stored.keys()) {
      if (stored.size <= MOST_STATEMENTS && cells <= MOST_CELLS) return
      drop(oldest)
    }
  }
  return {
    over: (snapshot) => ({
      ...snapshot,
      async query(statement) {
        const key = keyOf(statement)
        const rows = stored.get(key) ?? (await snapshot.query(statement))
        if (rows.length <= MOST_ROWS) store(key, rows)
        return rows
      },
    }),
  }
}

function cellsOf(rows: readonly Row[]): number {
  return rows.length * Object.keys(rows[0] ?? {}).length
}

// The values may hold all attributes of all customers, so the key is only a digest.
function keyOf({ text, values }: Statement): string {
  return createHash('sha256')
    .update(JSON.stringify([text, values]))
    .digest('base64')
}

import { gunzipSync, gzipSync } from 'node:zlib'
import type { Dialect } from '../compiler/dialect.ts'
import type { Statement } from '../compiler/statement.ts'
import { InternalError } from '../core/errors.ts'
import type { Row } from '../ports/rows.ts'
import type { Snapshot } from '../ports/snapshot.ts'

/** A statement of an opening, with its rows. */
interface OpeningRead {
  readonly text: string
  readonly values: Statement['values']
  readonly rows: readonly Row[]
}

/** The statements that a connector sends when it opens, with their rows. They give the session again, without the billing database. */
export interface Opening {
  readonly reads: readonly OpeningRead[]
}

/** The snapshot, and what has been read through it so far. */
export function recordOpening(snapshot: Snapshot): { readonly snapshot: Snapshot; readonly opening: () => Opening } {
  const reads = new Map<string, OpeningRead>()
  const query: Snapshot['query'] = async (statement) => {
    const rows = await snapshot.query(statement)
    reads.set(keyOf(statement), { text: statement.text, values: statement.values, rows })
    return rows
  }
  return { snapshot: recordedSnapshot(snapshot.dialect, query), opening: () => ({ reads: [...reads.values()] }) }
}

/** A snapshot that knows the rows of an opening. InternalError for any other statement. It has no end. */
export function replayOpening({ reads }: Opening, dialect: Dialect): Snapshot {
  const known = new Map(reads.map((read) => [keyOf(read), read.rows]))
  return recordedSnapshot(dialect, async (statement) => {
    const rows = known.get(keyOf(statement))
    if (rows === undefined) throw new InternalError(`"${statement.label}" is no part of the opening of the publication`)
    return rows
  })
}

function recordedSnapshot(dialect: Dialect, query: Snapshot['query']): Snapshot {
  return {
    dialect,
    isRecorded: true,
    query,
    async *stream(statement) {
      yield* await query(statement)
    },
  }
}

function keyOf({ text, values }: Pick<Statement, 'text' | 'values'>): string {
  return JSON.stringify([text, values])
}

/** An opening as text of letters and digits. Documents of a catalog become a tenth of their length. */
export function packOpening(opening: Opening): string {
  return gzipSync(JSON.stringify(opening)).toString('base64')
}

/** The opening in a text of `packOpening`. */
export function unpackOpening(text: string): Opening {
  return JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString('utf8')) as Opening
}

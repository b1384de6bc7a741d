import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Dialect } from '../../compiler/dialect.ts'
import type { Statement } from '../../compiler/statement.ts'
import { codeOf } from '../../connector-kit/rights.ts'
import { AppError, type ErrorCode, InternalError } from '../../core/errors.ts'
import type { Row } from '../../ports/rows.ts'
import type { ConnectorSession } from '../../ports/session.ts'
import type { Snapshot } from '../../ports/snapshot.ts'

/** A statement of an opening, with its rows or with its refusal. */
interface OpeningRead {
  readonly text: string
  readonly values: Statement['values']
  /** The schema that it read, if several databases are open. */
  readonly place?: Statement['place']
  readonly rows: readonly Row[]
  /** A probe for a table or a column that is not there fails. Its replay fails in the same way. */
  readonly refusal?: { readonly code: ErrorCode; readonly message: string; readonly cause: string }
}

/** The statements that a connector sends when it opens, with their rows. They give the session again, without the billing database. */
export interface Opening {
  readonly reads: readonly OpeningRead[]
}

/** The snapshot, and what has been read through it so far. */
export function recordOpening(snapshot: Snapshot): { readonly snapshot: Snapshot; readonly opening: () => Opening } {
  const reads = new Map<string, OpeningRead>()
  const query: Snapshot['query'] = async (statement) => {
    const { text, values, place } = statement
    const asked = { text, values, ...(place !== undefined && { place }) }
    try {
      const rows = await snapshot.query(statement)
      reads.set(keyOf(statement), { ...asked, rows })
      return rows
    } catch (error) {
      if (error instanceof AppError) {
        const { code, message, cause } = error
        reads.set(keyOf(statement), { ...asked, rows: [], refusal: { code, message, cause: codeOf(cause) } })
      }
      throw error
    }
  }
  return { snapshot: recordedSnapshot(snapshot.dialect, query), opening: () => ({ reads: [...reads.values()] }) }
}

/** A snapshot that knows the rows and refusals of an opening. InternalError for any other statement. It has no end. */
export function replayOpening({ reads }: Opening, dialect: Dialect): Snapshot {
  const known = new Map(reads.map((read) => [keyOf(read), read]))
  return recordedSnapshot(dialect, async (statement) => {
    const read = known.get(keyOf(statement))
    if (read === undefined) throw new InternalError(`"${statement.label}" is no part of the opening of the publication`)
    const { rows, refusal } = read
    if (refusal === undefined) return rows
    throw new AppError(refusal.code, refusal.message, { cause: { code: refusal.cause } })
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

function keyOf({ text, values, place }: Pick<Statement, 'text' | 'values' | 'place'>): string {
  return JSON.stringify([text, values, place?.catalog, place?.schema])
}

/** An opening as text of letters and digits. Documents of a catalog become a tenth of their length. */
export function packOpening(opening: Opening): string {
  return gzipSync(JSON.stringify(opening)).toString('base64')
}

/** The opening in a text of `packOpening`. */
export function unpackOpening(text: string): Opening {
  return JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString('utf8')) as Opening
}

/**
 * A digest of what a session gives to SQL: tenants, parameters, rows such as plans and prices, currencies. Two sessions with one opening may differ,
 * because a connector also reads files, such as a catalog.
 */
export function sessionDigest({ sources, params, inline, aliases, currencies }: ConnectorSession): string {
  const given = [sources, Object.entries(params).sort(), [...inline].sort(byName), [...aliases].sort(byName), currencies]
  return createHash('sha256').update(JSON.stringify(given)).digest('hex')
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

import type { PGlite } from '@electric-sql/pglite'
import { pgliteParsers } from './text-types.ts'

interface PgQuery {
  readonly text: string
  readonly values?: unknown[]
}

type Done = (error: unknown, response?: unknown) => void

/** What knex calls on a connection of `pg`. */
interface PgConnection {
  query(query: string | PgQuery, done: Done): void
  release(): void
}

/** What knex expects of a pool of `pg`. */
interface PgPool {
  connect(): Promise<PgConnection>
  end(): Promise<void>
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
}

/**
 * PGlite in the shape of a `pg` pool with a single connection, so that knex's own PostgreSQL dialect drives it. Who asks
 * while it is out waits in line; a transaction keeps it until its end. `end` leaves PGlite open: its opener closes it.
 */
export function pglitePool(pglite: PGlite): PgPool {
  const waiting: (() => void)[] = []
  let lent = false

  const giveBack = (): void => {
    const next = waiting.shift()
    if (next === undefined) lent = false
    else next()
  }

  return {
    async connect() {
      if (lent) await new Promise<void>((resolve) => waiting.push(resolve))
      lent = true
      return { query: (query, done) => void run(pglite, query).then((response) => done(null, response), done), release: giveBack }
    },
    end: async () => {},
    get totalCount() {
      return 1
    },
    get idleCount() {
      return lent ? 0 : 1
    },
    get waitingCount() {
      return waiting.length
    },
  }
}

async function run(pglite: PGlite, query: string | PgQuery): Promise<object> {
  const { text, values = [] } = typeof query === 'string' ? { text: query } : query
  const result = await pglite.query(text, values, { parsers: pgliteParsers })
  const command = result.fields.length > 0 ? 'SELECT' : (/^\s*(\w+)/.exec(text)?.[1] ?? '').toUpperCase()
  return { command, rows: result.rows, rowCount: result.affectedRows ?? result.rows.length }
}

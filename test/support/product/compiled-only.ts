import type { SqlCatalog } from '../../../src/compiler/catalog.ts'
import type { Dialect } from '../../../src/compiler/dialect.ts'
import type { Statement } from '../../../src/compiler/statement.ts'
import type { Definitions } from '../../../src/core/definitions.ts'
import type { CacheReading, CacheState, CacheStatistics, ReadThrough } from '../../../src/ports/read-through.ts'
import type { ConnectorSession } from '../../../src/ports/session.ts'
import { PRIMARY } from '../../../src/ports/snapshot.ts'

const READY: CacheState = { status: 'ready', accounts: 1 }
const STATISTICS: CacheStatistics = { ...READY, snapshot_at: null, answered: 0, declined: {}, refills: {} }

/** A cache that passes on every statement in a dialect, and has no rows. So an engine over it compiles what another database would run. */
export function compiledOnly(
  session: ConnectorSession,
  catalogOf: (definitions: Definitions) => SqlCatalog,
  dialect: Dialect,
  onStatement: (statement: Statement) => void,
): ReadThrough {
  const query: CacheReading['snapshot']['query'] = (statement) => {
    onStatement(statement)
    return Promise.resolve([])
  }
  const reading: CacheReading = {
    session,
    catalogOf,
    snapshot: {
      dialect,
      query,
      async *stream(statement) {
        yield* await query(statement)
      },
    },
    replicaLag: PRIMARY,
    mark: { from: '0001-01-01 00:00:00', to: null },
  }
  return {
    start: () => {},
    holds: () => true,
    restore: async () => null,
    read: async (request, work) => {
      request()
      return { value: await work(reading) }
    },
    ready: async () => READY,
    clear: async () => {},
    copy: () => Promise.reject(new Error('there are no rows to copy')),
    state: () => READY,
    load: () => null,
    statistics: () => STATISTICS,
    probe: async () => STATISTICS,
    close: async () => {},
  }
}

import { compileFragment } from '../../compiler/compile.ts'
import { completeSession } from '../../connector-kit/complete-session.ts'
import { checkCount } from '../../connector-kit/counted-runner.ts'
import { type Fragment, sql } from '../../connector-kit/query-runner.ts'
import { parseInteger } from '../../core/money.ts'
import type { FeedRequest } from '../../ports/read-through.ts'
import type { Row } from '../../ports/rows.ts'
import type { ConnectorSession } from '../../ports/session.ts'
import type { Snapshot } from '../../ports/snapshot.ts'
import type { MirrorConnector } from './mirror-tables.ts'

interface ReplicaReading {
  readonly connector: Pick<MirrorConnector, 'connector' | 'catalog'>
  readonly session: ConnectorSession
  readonly request: FeedRequest
  /** Shows in the slow log. */
  readonly label: string
}

/** All rows of a statement over the connector's relations, read from the billing database. The database counts them. */
export async function readReplica(snapshot: Snapshot, statement: Fragment, reading: ReplicaReading): Promise<readonly Row[]> {
  const run = runnerOf(snapshot, reading)
  const rows = await run(statement)
  const [counted] = await run(sql`select count(*) as entries from (${statement}) as counted`)
  checkCount(reading.label, rows.length, counted && parseInteger(counted['entries']))
  return rows
}

function runnerOf(snapshot: Snapshot, { connector, session, request, label }: ReplicaReading) {
  const { inline, aliases, params } = completeSession(session, connector.connector, request.definitions)
  return (fragment: Fragment) =>
    snapshot.query(
      compileFragment({
        fragment,
        catalog: connector.catalog,
        inline,
        aliases,
        params: { ...params, now: params['now'] ?? request.now },
        dialect: snapshot.dialect,
        label,
      }),
    )
}

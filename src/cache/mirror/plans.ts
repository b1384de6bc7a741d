import { relation } from '../../compiler/fragment.ts'
import type { InlineRelation } from '../../compiler/inline.ts'
import type { ConnectorSession } from '../../connector-kit/connector.ts'
import { ident, join, sql } from '../../connector-kit/query-runner.ts'
import { InternalError } from '../../core/errors.ts'
import type { FeedRequest } from '../../ports/read-through.ts'
import type { Snapshot } from '../../ports/snapshot.ts'
import { RELATION_CONTRACTS } from '../../relations/contracts.ts'
import { inlineColumns } from '../../relations/define-relation.ts'
import type { MirrorConnector } from './mirror-tables.ts'
import { readReplica } from './read-replica.ts'

/** The relation of the plans, the only base relation of a metric whose rows belong to no customer. */
const PLAN = 'plan'

/**
 * Adds the plans to the sessions of a connector that supplies them by SQL. The mirror replaces rows customer by customer, so it cannot hold
 * them. Each look that finds a change reads them in its snapshot.
 */
export function withPlans(connector: MirrorConnector): MirrorConnector {
  const { source } = connector
  if (connector.catalog.relation(PLAN, 'duckdb') === undefined) return connector
  let last: { readonly marks: string; readonly plans: InlineRelation } | undefined
  const look: typeof source.look = async (snapshot, request, marks, held) => {
    const found = await source.look(snapshot, request, marks, held)
    const { session, extent } = found
    if (session.inline.has(PLAN)) return found
    // Without a change since these marks, their plans still hold.
    const known = extent === 'none' && last?.marks === JSON.stringify(marks) ? last.plans : undefined
    const plans = known ?? (await readPlans(snapshot, request, session, connector))
    last = { marks: JSON.stringify(found.marks), plans }
    return { ...found, session: { ...session, inline: new Map([...session.inline, [PLAN, plans]]) } }
  }
  return { ...connector, source: { ...source, look } }
}

async function readPlans(
  snapshot: Snapshot,
  request: FeedRequest,
  session: ConnectorSession,
  connector: MirrorConnector,
): Promise<InlineRelation> {
  const contract = RELATION_CONTRACTS.find(({ name }) => name === PLAN)
  if (contract === undefined) throw new InternalError(`no contract of relation.${PLAN}`)
  const columns = inlineColumns(contract, connector.source.keyType)
  const cells = columns.map(({ name }) => sql`plan.${ident(name)}`)
  const statement = sql`select ${join(cells, sql`, `)} from ${relation(PLAN)} as plan`
  const rows = await readReplica(snapshot, statement, { connector, session, request, label: 'mirror.plans' })
  return { name: PLAN, columns, rows: rows.map((row) => columns.map(({ name }) => row[name] ?? null)) }
}

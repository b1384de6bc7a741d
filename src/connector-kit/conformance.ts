import type { SqlCatalog } from '../compiler/catalog.ts'
import { compileFragment } from '../compiler/compile.ts'
import { type Fragment, ident, join, relation, sql } from '../compiler/fragment.ts'
import type { InlineRelation } from '../compiler/inline.ts'
import type { Statement } from '../compiler/statement.ts'
import type { Definitions } from '../core/definitions.ts'
import { InternalError } from '../core/errors.ts'
import { sqlNow } from '../core/periods.ts'
import type { Executor } from '../ports/executor.ts'
import type { Row } from '../ports/rows.ts'
import type { Snapshot } from '../ports/snapshot.ts'
import { RELATION_CONTRACTS } from '../relations/contracts.ts'
import type { RelationContract } from '../relations/define-relation.ts'
import { mrrMovement, mrrSpan, subscriptionSpan } from '../relations/spans.ts'
import { capabilitiesOf } from './capabilities.ts'
import { completeSession } from './complete-session.ts'
import { type ConformanceFinding, collectFindings } from './conformance/finding.ts'
import { checkColumns, checkWindow, lateInstant, rowCheck } from './conformance/rows.ts'
import { bySubscription, checkMovements, checkSpans } from './conformance/spans.ts'
import type { ConnectorSession, DatabaseConnector } from './connector.ts'

export type { ConformanceCheck, ConformanceFinding } from './conformance/finding.ts'

/** A connector over a database with data to check. */
export interface ConformanceInput {
  readonly connector: DatabaseConnector
  readonly executor: Pick<Executor, 'withSnapshot' | 'dialect'>
  /** The product's templates together with the connector's. */
  readonly catalog: SqlCatalog
  readonly now: Date
  readonly definitions: Definitions & { readonly base_currency: string }
  /** Relation `fx_rate`: one row per currency and day. If absent, there are no rates, and base amounts of other currencies are null. */
  readonly rates?: InlineRelation
}

const NO_RATES: InlineRelation = {
  name: 'fx_rate',
  columns: [
    { name: 'currency', type: 'text' },
    { name: 'day', type: 'date' },
    { name: 'rate', type: 'decimal' },
  ],
  rows: [],
}

// Before and after every instant that an engine can hold.
const [FIRST, LAST] = [new Date('1000-01-01T00:00:00Z'), new Date('9999-12-30T00:00:00Z')]
const ALL_TIME = { window_start: FIRST, window_end: LAST, range_start: FIRST, range_end: LAST }

/**
 * Checks every canonical relation that the connector supplies, and the movements derived from its spans, against their contracts.
 * It checks columns, types, nulls, canonical values and unique grain. Half-open spans must not overlap (D28). Movements must sum
 * to the spans (I1) and be the same for every window. The result is empty if there are no findings. Types are checked on cells,
 * so of an empty relation only the columns are checked. Rejects with the same AppErrors as a request.
 */
export async function checkConformance(input: ConformanceInput): Promise<readonly ConformanceFinding[]> {
  const capabilityOf = capabilitiesOf(input.connector, input.catalog, input.executor.dialect.name)
  const supplied = RELATION_CONTRACTS.filter(
    ({ kind, name }) => kind !== 'derived' && kind !== 'inline' && capabilityOf(name) !== 'absent',
  )
  const findings: ConformanceFinding[] = []
  for (const contract of supplied) findings.push(...(await inSnapshot(contract, input)))
  return findings
}

// One snapshot per relation, because PostgreSQL refuses every further statement of a snapshot after it has refused one.
async function inSnapshot(contract: RelationContract, input: ConformanceInput): Promise<readonly ConformanceFinding[]> {
  try {
    return await input.executor.withSnapshot(async (snapshot) => {
      const context = {
        ...input,
        snapshot,
        session: completeSession(await input.connector.open(snapshot, input), input.connector, input.definitions),
      }
      return contract === subscriptionSpan ? checkMrr(context) : (await checkRelation(contract, context)).findings
    })
  } catch (error) {
    // An InternalError means that the relation cannot be compiled or that the database refuses it. An unreachable database is no
    // finding.
    if (!(error instanceof InternalError)) throw error
    // The author of a connector runs this on their own data and needs the database's text too.
    const why = error.cause instanceof Error ? `${error.message} ${error.cause.message}` : error.message
    return [{ relation: contract.name, check: 'readable', message: `the relation cannot be read: ${why}`, count: 1 }]
  }
}

/** Checks the spans, then the relations derived from them. Each step runs only if the one before found nothing. */
async function checkMrr(context: Surroundings): Promise<readonly ConformanceFinding[]> {
  const read = await checkRelation(subscriptionSpan, context)
  if (read.findings.length > 0) return read.findings
  const own = collectFindings(subscriptionSpan.name)
  checkSpans(bySubscription(read.rows, 'valid_from'), own.report)
  if (own.findings().length > 0) return own.findings()
  const converted = await checkRelation(mrrSpan, context)
  if (converted.findings.length > 0) return converted.findings
  const spans = bySubscription(converted.rows, 'valid_from')
  const derived = await checkRelation(mrrMovement, context)
  if (derived.findings.length > 0) return derived.findings
  const sums = collectFindings(mrrMovement.name)
  checkMovements(spans, bySubscription(derived.rows, 'occurred_at'), sums.report)
  const late = lateInstant(derived.rows)
  if (late !== undefined) checkWindow(derived.rows, await readFrom(late, context), late, sums.report)
  return sums.findings()
}

/** Movements from an instant on, from a request that reads no earlier movements. */
function readFrom(instant: string, context: Surroundings): Promise<readonly Row[]> {
  const columns = ['subscription_id', 'movement_source', 'occurred_at', 'movement_type']
  const statement = compile(
    rowsOf(mrrMovement.name, columns),
    mrrMovement.name,
    context,
    new Date(`${instant.replace(' ', 'T')}Z`),
  )
  return context.snapshot.query(statement)
}

interface Surroundings extends ConformanceInput {
  readonly snapshot: Snapshot
  readonly session: ConnectorSession
}

/** Relations whose rows are compared with each other. */
const KEPT: readonly RelationContract[] = [subscriptionSpan, mrrSpan, mrrMovement]

async function checkRelation(
  contract: RelationContract,
  context: Surroundings,
): Promise<{ readonly findings: readonly ConformanceFinding[]; readonly rows: readonly Row[] }> {
  const { report, findings } = collectFindings(contract.name)
  const present = Object.keys((await context.snapshot.query(compile(columnsOf(contract.name), contract.name, context)))[0] ?? {})
  checkColumns(contract, present, report)
  const shared = contract.columns.map(({ name }) => name).filter((name) => present.includes(name))
  const check = rowCheck(contract, report)
  const rows: Row[] = []
  for await (const row of context.snapshot.stream(compile(rowsOf(contract.name, shared), contract.name, context))) {
    check(row)
    if (KEPT.includes(contract)) rows.push(row)
  }
  return { findings: findings(), rows }
}

/** One row with every column, even if the relation is empty. */
function columnsOf(name: string): Fragment {
  return sql`select fact.* from (select 1 as one) as single left join ${relation(name)} as fact on 1 = 0`
}

function rowsOf(name: string, columns: readonly string[]): Fragment {
  const list = join(
    columns.map((column) => sql`fact.${ident(column)}`),
    sql`, `,
  )
  return sql`select ${list} from ${relation(name)} as fact`
}

function compile(fragment: Fragment, name: string, context: Surroundings, from: Date = FIRST): Statement {
  const { catalog, snapshot, session, now, definitions, connector, rates = NO_RATES } = context
  return compileFragment({
    fragment,
    catalog,
    inline: new Map([...session.inline, [rates.name, rates]]),
    aliases: session.aliases,
    params: {
      ...session.params,
      ...session.paramsFor?.([name]),
      ...ALL_TIME,
      window_start: from,
      range_start: from,
      now: sqlNow(now),
      until: sqlNow(now),
      base_currency: definitions.base_currency,
    },
    dialect: snapshot.dialect,
    label: `conformance ${connector.type}/${snapshot.dialect.name}`,
  })
}

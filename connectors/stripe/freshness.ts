import type { ConnectorSession } from '../../src/connector-kit/connector.ts'
import {
  digits,
  type Fragment,
  ident,
  join,
  type QueryRunner,
  sql,
  text,
  textList,
} from '../../src/connector-kit/query-runner.ts'
import { documents, type Scope, syncedAt } from './documents.ts'

/** Tables of a mirror whose rows carry the instant of their last event. */
const STAMPED = ['products', 'prices', 'customers', 'subscriptions', 'invoices'] as const
/** Seconds within which Stripe sends the event of a period that has ended. */
const GRACE = digits(7_200)
const EPOCH = sql`timestamp '1970-01-01 00:00:00'`
const SUBSCRIPTION = { id: 'text', status: 'text', current_period_end: 'numeric', items: 'jsonb' } as const

/**
 * How far a mirror is known to be complete: at least up to the newest stamp of a row, or to the end of the last run of its engine. Each period of an active
 * subscription brings an event when it ends, so `due` is the first such end, with two hours of grace.
 */
export async function readFreshness(run: QueryRunner, scope: Scope, hasRuns: boolean): Promise<ConnectorSession['copied']> {
  const [newest] = await run(
    'stripe.newest',
    sql`select cast(max(stamped.at) as text) as newest from (${stamps(scope, hasRuns)}) as stamped`,
  )
  const [first] = await run(
    'stripe.due',
    sql`select t.id, cast(${EPOCH} + (t.ends + ${GRACE}) * interval '1 second' as text) as due_at
      from (select listed.id, coalesce(listed.current_period_end, (
          select min(cast(item.value ->> 'current_period_end' as numeric)) from jsonb_array_elements(listed.items -> 'data') as item)) as ends
        from ${documents('subscriptions', scope, SUBSCRIPTION)} as listed where listed.status = 'active') as t
      where t.ends is not null order by t.ends, t.id limit 1`,
  )
  const through = newest?.['newest'] ?? null
  return {
    through: through === null ? null : text(through),
    ...(first !== undefined && {
      due: { at: text(first['due_at'] ?? ''), subject: `the end of a period of subscription ${text(first['id'] ?? '')}` },
    }),
  }
}

function stamps(scope: Scope, hasRuns: boolean): Fragment {
  const accounts = textList(scope.accounts.length === 0 ? [''] : scope.accounts)
  const ofAccount = scope.family === 'documents' ? sql`t._account_id in (${accounts})` : sql`1 = 1`
  const tables = STAMPED.map((table) => sql`select max(${syncedAt(scope)}) as at from ${ident(table)} as t where ${ofAccount}`)
  const runs = sql`select max(date_trunc('second', t.closed_at at time zone 'UTC')) from _sync_runs as t where ${ofAccount}`
  return join(hasRuns ? [...tables, runs] : tables, sql` union all `)
}

import { isTrue } from '../../src/connector-kit/index.ts'
import { type Fragment, ident, join, type QueryRunner, sql, text, value } from '../../src/connector-kit/query-runner.ts'
import { AppError } from '../../src/core/errors.ts'

/** For each table, another table. If the other table has rows, this table must have rows, too. */
const FILLED_WITH: Readonly<Record<string, string>> = {
  accounts: 'subscriptions',
  bundles: 'subscriptions',
  bundle_history: 'bundles',
  subscriptions: 'subscription_events',
  subscription_events: 'subscriptions',
  subscription_event_history: 'subscription_events',
  invoices: 'invoice_items',
  invoice_history: 'invoices',
  invoice_items: 'invoices',
  catalog_override_phase_definition: 'catalog_override_plan_phase',
  catalog_override_plan_phase: 'catalog_override_plan_definition',
}

/**
 * AppError `unsupported_by_connector` if a view that replaces a table shows the role no rows, although another table shows that rows exist.
 * This does not check tables: a server without policies shows all of their rows.
 */
export async function refuseEmptyViews(run: QueryRunner, views: readonly string[], tenants: readonly number[]): Promise<void> {
  const judged = views.flatMap((view) => {
    const other = FILLED_WITH[view]
    return other === undefined ? [] : [{ view, other }]
  })
  if (judged.length === 0 || tenants.length === 0) return
  const hasRows = (table: string): Fragment =>
    sql`exists (select 1 from ${ident(table)} as t where t.tenant_record_id in (${value(tenants, 'integers')}))`
  const rows = await run(
    'killbill.views',
    join(
      judged.map(
        ({ view, other }) =>
          sql`select ${value(view, 'text')} as view_name, ${value(other, 'text')} as other_name, ${hasRows(view)} as has_rows, ${hasRows(other)} as is_wanted`,
      ),
      sql` union all `,
    ),
  )
  const empty = rows.filter((row) => !isTrue(row['has_rows']) && isTrue(row['is_wanted']))
  if (empty.length === 0) return
  const named = empty.map((row) => `${text(row['view_name'])} (there are ${text(row['other_name'])})`).join(', ')
  throw new AppError(
    'unsupported_by_connector',
    `Views in the place of tables show the database role no rows: ${named}. Let them show all rows of these tenants, or grant the tables themselves.`,
    { context: { connector: 'killbill', empty_views: empty.map((row) => text(row['view_name'])) } },
  )
}

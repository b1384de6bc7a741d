import type { CheckFinding, SnapshotSource } from '../../src/connector-kit/connector.ts'
import {
  createQueryRunner,
  type Fragment,
  ident,
  parseInteger,
  type QueryRunner,
  sql,
  textList,
  value,
} from '../../src/connector-kit/query-runner.ts'
import type { Sight } from '../../src/connector-kit/rights.ts'
import { AppError } from '../../src/core/errors.ts'
import { CONTROL_TAGS } from './control-tags.ts'
import { readRights } from './schema.ts'

/** A column whose values also occur in a column of another table. */
interface Reference {
  readonly from: string
  readonly column: string
  readonly to: string
  readonly key: string
  /** True if only the newest row is checked, because older rows may come from a version that did not write the other table. */
  readonly isOfNewest?: boolean
  /** Conditions on the rows of `from` (alias `source`) and of `to` (alias `target`). */
  readonly where?: Fragment
  readonly and?: Fragment
}

const refer = (from: string, column: string, to: string, key: string, more: Partial<Reference> = {}): Reference => ({
  from,
  column,
  to,
  key,
  ...more,
})

const LOGGED = [
  ['accounts', 'account_history'],
  ['bundles', 'bundle_history'],
  ['subscriptions', 'subscription_history'],
  ['subscription_events', 'subscription_event_history'],
  ['blocking_states', 'blocking_state_history'],
  ['tags', 'tag_history'],
  ['custom_fields', 'custom_field_history'],
  ['invoices', 'invoice_history'],
  ['invoice_items', 'invoice_item_history'],
  ['invoice_payments', 'invoice_payment_history'],
] as const

const ofPresetTags = sql`source.tag_definition_id not in (${textList(Object.values(CONTROL_TAGS))})`
const ofEventAudits = sql`target.table_name = 'SUBSCRIPTION_EVENT_HISTORY'`

/** References between the engine's tables. They hold for a reader who sees all rows (KB 1.5, 1.6). */
const REFERENCES: readonly Reference[] = [
  refer('subscription_events', 'subscription_id', 'subscriptions', 'id'),
  refer('subscriptions', 'id', 'subscription_events', 'subscription_id'),
  refer('subscriptions', 'bundle_id', 'bundles', 'id'),
  refer('subscriptions', 'account_record_id', 'accounts', 'record_id'),
  refer('bundles', 'account_record_id', 'accounts', 'record_id'),
  refer('blocking_states', 'account_record_id', 'accounts', 'record_id'),
  refer('invoices', 'account_record_id', 'accounts', 'record_id'),
  refer('invoices', 'id', 'invoice_items', 'invoice_id'),
  refer('invoice_items', 'invoice_id', 'invoices', 'id'),
  refer('invoice_payments', 'invoice_id', 'invoices', 'id'),
  refer('invoice_parent_children', 'parent_invoice_id', 'invoices', 'id'),
  refer('invoice_parent_children', 'child_invoice_id', 'invoices', 'id'),
  refer('tags', 'tag_definition_id', 'tag_definitions', 'id', { where: ofPresetTags }),
  refer('catalog_override_plan_definition', 'record_id', 'catalog_override_plan_phase', 'target_plan_def_record_id'),
  refer('catalog_override_plan_phase', 'target_plan_def_record_id', 'catalog_override_plan_definition', 'record_id'),
  refer('catalog_override_plan_phase', 'phase_def_record_id', 'catalog_override_phase_definition', 'record_id'),
  ...LOGGED.flatMap(([table, log]) => [
    refer(log, 'target_record_id', table, 'record_id'),
    refer(table, 'record_id', log, 'target_record_id', { isOfNewest: true }),
  ]),
  refer('subscription_event_history', 'record_id', 'audit_log', 'target_record_id', { isOfNewest: true, and: ofEventAudits }),
]

const TABLES = [...new Set(REFERENCES.flatMap(({ from, to }) => [from, to]))]

interface Counted extends Reference {
  readonly lost: number
  readonly all: number
  readonly isEmpty: boolean
}

/**
 * Looks for missing rows that other rows refer to: a view leaves them out, or someone deleted them. Tables that the role may not read are
 * skipped, because `check` names them.
 */
export async function referenceFindings(source: SnapshotSource, tenants: readonly number[]): Promise<readonly CheckFinding[]> {
  const sight = await source.withSnapshot((snapshot) => readRights(snapshot, TABLES))
  const asked = REFERENCES.filter((reference) => isReadable(reference, sight))
  const findings: CheckFinding[] = []
  for (const reference of asked) {
    const { from, column, to } = reference
    // Each comparison runs in a separate snapshot, so that a slow comparison does not affect the others.
    const found = await source
      .withSnapshot((snapshot) => count(createQueryRunner(snapshot), reference, tenants))
      .catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'query_timeout') return undefined
        throw error
      })
    if (found === undefined) findings.push(finding('warning', `${from}.${column} was not compared with ${to}: it took too long`))
    else if (found.lost > 0) findings.push(lostFinding(found, sight))
  }
  if (findings.length > 0) return findings
  return [finding('ok', `every row that another one refers to is seen (${asked.length} references)`)]
}

function isReadable({ from, column, to, key, isOfNewest }: Reference, { columns }: Sight): boolean {
  const needed = [
    [from, column],
    [from, 'tenant_record_id'],
    [to, key],
    ...(isOfNewest === true ? [[from, 'record_id']] : []),
  ] as const
  return needed.every(([table = '', name = '']) => columns.get(table)?.has(name) === true)
}

async function count(run: QueryRunner, reference: Reference, tenants: readonly number[]): Promise<Counted> {
  const { from, column, to, key, where, and, isOfNewest } = reference
  const keys = value(tenants, 'integers')
  const newest =
    isOfNewest === true
      ? sql` and source.record_id = (select max(newest.record_id) from ${ident(from)} as newest where newest.tenant_record_id in (${keys}))`
      : sql``
  const [row] = await run(
    `killbill.references.${from}`,
    sql`select count(*) as all_rows, count(case when not exists (
    select 1 from ${ident(to)} as target where target.${ident(key)} = source.${ident(column)}${and === undefined ? sql`` : sql` and ${and}`}
  ) then 1 end) as lost_rows, case when exists (select 1 from ${ident(to)} as any_row) then 1 else 0 end as has_rows
from ${ident(from)} as source
where source.tenant_record_id in (${keys}) and source.${ident(column)} is not null${where === undefined ? sql`` : sql` and ${where}`}${newest}`,
  )
  return {
    ...reference,
    lost: parseInteger(row?.['lost_rows'] ?? 0),
    all: parseInteger(row?.['all_rows'] ?? 0),
    isEmpty: parseInteger(row?.['has_rows'] ?? 0) === 0,
  }
}

// A role sees all rows of a table, or gets an error. So a row that is missing in a table was deleted, or comes from a version
// that did not write it.
function lostFinding({ from, column, to, lost, all, isEmpty, isOfNewest }: Counted, { views }: Sight): CheckFinding {
  const rows = isOfNewest === true ? `the newest row of ${from}` : `${lost} of ${all} rows of ${from}`
  const place = views.includes(to) ? `the view ${to}` : to
  if (views.includes(to)) {
    const lack = isEmpty ? 'shows no rows' : 'leaves out rows'
    return finding('failure', `${place} ${lack}: ${rows} (${column}) need them, so figures are wrong`)
  }
  return finding('warning', `${place} lacks rows: ${rows} (${column}) need them`)
}

function finding(level: CheckFinding['level'], message: string): CheckFinding {
  return { name: 'references', level, message }
}

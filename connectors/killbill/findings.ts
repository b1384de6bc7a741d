import type { CheckFinding, Row, Snapshot } from '../../src/connector-kit/connector.ts'
import { grantsRemedy, tablesOf } from '../../src/connector-kit/grants.ts'
import {
  createRelationRunner,
  type Fragment,
  parseInteger,
  relation,
  sql,
  text,
  value,
} from '../../src/connector-kit/query-runner.ts'
import { ambiguousPlanNames, DEFAULT_DELIMITER } from './catalog/override.ts'
import { columnsOf, LOGS } from './changes/logs.ts'
import { RELATIONS } from './queries.ts'
import { type EngineSchema, readRights } from './schema.ts'
import type { KillbillSettings, Opened } from './session.ts'

/** Causes of wrong prices from the catalog: unreadable prices and billing periods, names with two readings, a catalog of another kind. */
export function catalogFindings(settings: KillbillSettings, opened: Opened): CheckFinding[] {
  return [...unreadableFindings(opened), ...nameFindings(settings, opened), ...aviateFindings(opened)]
}

function unreadableFindings({ catalogs }: Opened): CheckFinding[] {
  const versions = new Set(catalogs.flatMap((catalog) => catalog.versions))
  const prices = [...versions].flatMap(({ unreadable }) =>
    unreadable.map(
      ({ plan, phase, currency, text: written, reason }) =>
        `${plan} ${phase} ${currency ?? 'billing period'}: ${JSON.stringify(written)} ${reason}`,
    ),
  )
  if (prices.length === 0) return []
  const message = `prices and billing periods that cannot be read, so their phases are unpriced: ${[...new Set(prices)].join('; ')}`
  return [{ name: 'catalog_prices', level: 'warning', message }]
}

function nameFindings({ override_delimiter }: KillbillSettings, { catalogs }: Opened): CheckFinding[] {
  const names = [...new Set(catalogs.flatMap(({ versions }) => ambiguousPlanNames(versions)))].sort()
  if (names.length === 0) return []
  const delimiter = override_delimiter ?? catalogs[0]?.delimiter ?? DEFAULT_DELIMITER
  const reading = delimiter === ':' ? 'separate plans' : 'price overrides of the plans before the last hyphen'
  const chosen =
    override_delimiter === undefined
      ? `the rows show "${delimiter}", or nothing else; set connector.override_delimiter to the server's delimiter`
      : 'as connector.override_delimiter says'
  return [
    {
      name: 'plan_names',
      level: override_delimiter === undefined ? 'warning' : 'ok',
      message: `read as ${reading} (${chosen}): ${names.join(', ')}`,
    },
  ]
}

/** The plugin Aviate has a separate catalog that outranks the XML. Its tables are checked for rows, but not read. */
function aviateFindings({ schema, prices_in_doubt }: Opened): CheckFinding[] {
  if (schema.aviate.length === 0) return []
  if (prices_in_doubt !== undefined) return [{ name: 'aviate', level: 'warning', message: prices_in_doubt }]
  const message = `the plugin Aviate has a catalog of its own (${schema.aviate.join(', ')}); prices come from connector.catalog`
  return [{ name: 'aviate', level: 'ok', message }]
}

const MOST_LISTED = 20
const AMOUNTS = '`plumbline billing-health --class transferred` has the amounts'

/**
 * Findings about bundles that were transferred away (D19): bundles without a successor, whose subscriptions continue in
 * Plumbline, and bundles that the engine never ended. The engine may leave a bundle in the middle of a chain without an end: a
 * second transfer may end the first owner's subscriptions instead.
 */
export async function transferFindings(snapshot: Snapshot, tenants: readonly number[]): Promise<readonly CheckFinding[]> {
  const run = createRelationRunner(snapshot, { directory: RELATIONS, params: { tenants } })
  const given = await run('killbill.transfers', givenBundles(tenants))
  const lost = given.filter((row) => row['moved_at'] === null)
  const endless = given.filter((row) => parseInteger(row['endless']) > 0)
  return [
    lost.length === 0
      ? { name: 'transfers', level: 'ok', message: `${given.length} bundles were transferred away, each has its successor` }
      : {
          name: 'transfers',
          level: 'warning',
          message: `transferred away, successor not found: ${listed(lost.map(keyOf))}`,
          logged: `transferred away, successor not found: ${lost.length} bundles; \`plumbline check\` names them`,
        },
    endless.length === 0
      ? { name: 'transfer_chains', level: 'ok', message: 'the engine has ended every bundle that was transferred away' }
      : {
          name: 'transfer_chains',
          level: 'warning',
          message: `transferred away, but the engine has not ended them and continues to bill: ${listed(endless.map(placeOf))}; ${AMOUNTS}`,
          logged: `transferred away, but the engine has not ended them and continues to bill: ${endless.length} bundles; ${AMOUNTS}`,
        },
  ]
}

/**
 * The bundles that were transferred away according to their key or their history, with the successor's transfer. `endless` counts their
 * subscriptions (other than add-ons) that have neither a CANCEL nor an EXPIRED, `received` their own transfers.
 */
function givenBundles(tenants: readonly number[]): Fragment {
  const own = value(tenants, 'integers')
  // Counted once for all bundles: a count for each bundle would read all events each time.
  return sql`with given as (
  select bundle.record_id, bundle.id, bundle.external_key
  from bundles as bundle
  where bundle.tenant_record_id in (${own}) and (bundle.external_key like 'kbtsf-%'
    or bundle.record_id in (select renamed.target_record_id from bundle_history as renamed
      where renamed.tenant_record_id in (${own}) and renamed.change_type = 'UPDATE' and renamed.external_key like 'kbtsf-%'))
),
marked as (
  select event.subscription_id, max(case when event.user_type = 'CANCEL' or event.event_type = 'EXPIRED' then 1 else 0 end) as is_ended,
    sum(case when event.user_type = 'TRANSFER' then 1 else 0 end) as received
  from subscription_events as event
  where event.tenant_record_id in (${own}) and event.is_active = true
    and (event.user_type in ('CANCEL', 'TRANSFER') or event.event_type = 'EXPIRED')
  group by event.subscription_id
),
counted as (
  select subscription.bundle_id,
    sum(case when subscription.category <> 'ADD_ON' and coalesce(marked.is_ended, 0) = 0 then 1 else 0 end) as endless,
    sum(coalesce(marked.received, 0)) as received
  from subscriptions as subscription
  left join marked on marked.subscription_id = subscription.id
  where subscription.tenant_record_id in (${own})
  group by subscription.bundle_id
)
select given.external_key, transfer.moved_at, coalesce(counted.endless, 0) as endless, coalesce(counted.received, 0) as received
from given
left join counted on counted.bundle_id = given.id
left join ${relation('kb_transfer')} as transfer on transfer.bundle_key = given.record_id
order by given.record_id`
}

function keyOf(bundle: Row): string {
  return text(bundle['external_key'])
}

function placeOf(bundle: Row): string {
  return parseInteger(bundle['received']) > 0 ? `${keyOf(bundle)} (the middle of a chain)` : keyOf(bundle)
}

function listed(keys: readonly string[]): string {
  const rest = keys.length - MOST_LISTED
  return `${keys.slice(0, MOST_LISTED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** The one table that the guide replaces with a view, because its other rows are not catalogs. */
const DOCUMENTED_VIEW = 'tenant_kvs'

/** Tables with columns that only the ledger reads. */
const LEDGER_TABLES = ['invoice_payments', 'invoice_payment_history', 'tags']

/** Tables with columns that only collections read. */
const ATTEMPT_TABLES = ['invoice_payments', 'payments', 'payment_methods', 'payment_transactions']

/** Findings about rights that cause no error but may make answers incomplete: views, the engine's own rates, the change log. */
export async function rightFindings(snapshot: Snapshot, schema: EngineSchema): Promise<readonly CheckFinding[]> {
  // Trino has publications in place of the cache, and they read no logs.
  const ofLogs = snapshot.dialect.name === 'trino' ? [] : await logFindings(snapshot)
  return [
    ...viewFindings(schema),
    ...rateFindings(snapshot, schema),
    ...ledgerFindings(snapshot, schema),
    ...attemptFindings(snapshot, schema),
    ...ofLogs,
  ]
}

function viewFindings({ views }: EngineSchema): readonly CheckFinding[] {
  const others = views.filter((name) => name !== DOCUMENTED_VIEW)
  if (others.length === 0) return []
  const message = `${others.join(', ')} ${others.length === 1 ? 'is a view' : 'are views'}: figures are only as complete as these views; \`plumbline check --cross\` looks for rows that they leave out`
  return [{ name: 'views', level: 'warning', message }]
}

function rateFindings({ dialect }: Snapshot, { withheld_rates }: EngineSchema): readonly CheckFinding[] {
  const remark = withheldText(dialect.name, withheld_rates)
  return remark === undefined ? [] : [{ name: 'engine_rates', level: 'warning', message: remark }]
}

function attemptFindings({ dialect }: Snapshot, { attempts_unknown }: EngineSchema): readonly CheckFinding[] {
  if (attempts_unknown === undefined) return []
  const remedy = grantsRemedy({ dialect: dialect.name, tables: ATTEMPT_TABLES })
  return [{ name: 'collections', level: 'warning', message: `${attempts_unknown} If they exist, ${remedy}.` }]
}

function ledgerFindings({ dialect }: Snapshot, { ledger_unknown }: EngineSchema): readonly CheckFinding[] {
  if (ledger_unknown === undefined) return []
  const remedy = grantsRemedy({ dialect: dialect.name, tables: LEDGER_TABLES })
  return [{ name: 'ledger', level: 'warning', message: `${ledger_unknown} If they exist, ${remedy}.` }]
}

/** A sentence about the engine's own exchange rates if the role may not read them. Undefined otherwise. */
export function withheldText(dialect: string, withheld: readonly string[]): string | undefined {
  if (withheld.length === 0) return undefined
  const remedy = grantsRemedy({ dialect, tables: tablesOf(withheld) })
  return `The database role may not read the engine's own exchange rates, ${withheld.join(', ')}; ${remedy}.`
}

async function logFindings(snapshot: Snapshot): Promise<readonly CheckFinding[]> {
  const dialect = snapshot.dialect.name
  const { columns, restricted, views } = await readRights(
    snapshot,
    LOGS.map(({ table }) => table),
  )
  const missing = LOGS.map((log) => ({
    table: log.table,
    columns: columnsOf(log).filter((name) => columns.get(log.table)?.has(name) !== true),
  })).filter((log) => log.columns.length > 0)
  const closed = missing.map(({ table }) => table)
  const names = missing.flatMap((log) =>
    columns.has(log.table) ? log.columns.map((name) => `${log.table}.${name}`) : [log.table],
  )
  const remedy = grantsRemedy({ dialect, tables: closed })
  const findings = [
    ...(closed.length === 0 ? [] : [`the role may not read ${names.join(', ')}: ${remedy}`]),
    ...(restricted.length === 0 ? [] : [`row-level security hides rows of ${restricted.join(', ')}`]),
    ...(views.length === 0 ? [] : [`changes are read from views, ${views.join(', ')}: rows that they leave out go unnoticed`]),
  ]
  const isUseless = closed.length + restricted.length > 0
  const consequence = isUseless ? 'the cache answers nothing' : 'answers from the cache may be old'
  return findings.length === 0
    ? []
    : [{ name: 'change_logs', level: 'warning', message: `${consequence}: ${findings.join('; ')}` }]
}

import type { CheckFinding, Snapshot } from '../../src/connector-kit/connector.ts'
import { createQueryRunner, parseInteger, sql, text, value } from '../../src/connector-kit/query-runner.ts'
import { refusalFinding } from '../../src/connector-kit/source-choice.ts'
import { zoneFinding } from '../../src/connector-kit/zone-offsets.ts'
import type { Definitions } from '../../src/core/definitions.ts'
import { planOfPhase } from './catalog/catalog-version.ts'
import { catalogRelationsInTurns, numberPlans } from './catalog/price-rows.ts'
import { priceFlaw } from './catalog/tenant-catalog.ts'
import { CONTROL_TAGS } from './control-tags.ts'
import { catalogFindings, rightFindings, transferFindings } from './findings.ts'
import { schemaName } from './required-schema.ts'
import { type KillbillSettings, type Opened, openEngine } from './session.ts'

/** Known values of subscription_events (KB 2.1). Others are reported, never guessed. */
const KNOWN_EVENTS = ['API_USER', 'PHASE', 'BCD_UPDATE', 'QUANTITY_UPDATE', 'EXPIRED']
const KNOWN_USER_TYPES = [
  'CREATE',
  'TRANSFER',
  'CHANGE',
  'CANCEL',
  'UNCANCEL',
  'UNDO_CHANGE',
  'RE_CREATE',
  'MIGRATE_ENTITLEMENT',
  'MIGRATE_BILLING',
]

/** Findings about the engine: schema, tenants, catalog, test accounts, plans without a price, unknown event types, transfers. */
export async function checkEngine(
  settings: KillbillSettings,
  snapshot: Snapshot,
  request: { readonly now: Date; readonly definitions: Definitions },
): Promise<readonly CheckFinding[]> {
  const opened = await openEngine(settings, snapshot, request.definitions).catch(refusalFinding)
  if (!('tenants' in opened)) return [opened]
  const keys = opened.tenants.map((tenant) => tenant.record_id)
  if (keys.length === 0) return [{ name: 'tenants', level: 'warning', message: 'the engine has no tenant yet' }]
  return [
    { name: 'schema', level: 'ok', message: schemaName(opened.schema) },
    { name: 'tenants', level: 'ok', message: opened.tenants.map(({ name }) => name).join(', ') },
    ...(await rightFindings(snapshot, opened.schema)),
    catalogFinding(opened),
    ...catalogFindings(settings, opened),
    zoneFinding(opened.zones_unknown),
    await testAccountFinding(snapshot, keys, request.definitions),
    await phaseFinding(opened, snapshot, keys),
    await eventFinding(snapshot, keys),
    ...(await transferFindings(snapshot, keys)),
  ]
}

function catalogFinding(opened: Opened): CheckFinding {
  const counts = opened.catalogs.map((catalog) => catalog.versions.length)
  const missing = opened.tenants.filter((_, index) => counts[index] === 0).map(({ name }) => name)
  if (missing.length > 0)
    return {
      name: 'catalog',
      level: 'failure',
      message: `no catalog for ${missing.join(', ')}: name its XML files in connector.catalog`,
    }
  return { name: 'catalog', level: 'ok', message: `${counts.reduce((sum, count) => sum + count, 0)} versions` }
}

/** Patterns of names and email addresses that look like tests. */
const LOOKS = [
  ['name', 'test'],
  ['name', 'test %'],
  ['name', '% test'],
  ['name', '% test %'],
  ['email', 'test@%'],
  ['email', 'test.%'],
  ['email', 'test+%'],
  ['email', '%+test@%'],
] as const
const MOST_EXAMPLES = 3

/** Accounts with the tag TEST, and accounts that look like tests without it. */
async function testAccountFinding(
  snapshot: Snapshot,
  keys: readonly number[],
  { test_accounts }: Definitions,
): Promise<CheckFinding> {
  const run = createQueryRunner(snapshot)
  const name = 'test_accounts'
  const isTagged = sql`select distinct tag.object_id from tags as tag
      where tag.tenant_record_id in (${value(keys, 'integers')}) and tag.is_active = true and tag.object_type = 'ACCOUNT'
        and tag.tag_definition_id = ${value(CONTROL_TAGS.TEST, 'text')}`
  const [row] = await run('killbill.test_accounts', sql`select count(*) as test_accounts from (${isTagged}) as tagged`)
  const tagged = `${parseInteger(row?.['test_accounts'] ?? 0)} accounts carry the tag TEST`
  if (test_accounts === 'include')
    return {
      name,
      level: 'todo',
      message: `${tagged}, and they count: definitions.test_accounts is "include"`,
      setting: '[definitions]\ntest_accounts = "exclude"',
    }
  const looks = LOOKS.map(([column, pattern]) =>
    column === 'name'
      ? sql`lower(account.name) like ${value(pattern, 'text')}`
      : sql`lower(account.email) like ${value(pattern, 'text')}`,
  )
  const alike = await run(
    'killbill.untagged_test_accounts',
    sql`select account.external_key from accounts as account
      where account.tenant_record_id in (${value(keys, 'integers')}) and account.id not in (${isTagged})
        and (${looks.reduce((all, each) => sql`${all} or ${each}`)})
      order by account.record_id`,
  )
  if (alike.length === 0) return { name, level: 'ok', message: `${tagged} and do not count` }
  const examples = alike.slice(0, MOST_EXAMPLES).map((account) => text(account['external_key'] ?? ''))
  const more = alike.length > MOST_EXAMPLES ? `, … (${alike.length} accounts)` : ''
  return {
    name,
    level: 'todo',
    message: `${tagged} and do not count; without the tag, these look like tests and count: ${examples.join(', ')}${more}; tag them TEST in Kill Bill`,
    logged: `${tagged} and do not count; without the tag, ${alike.length} more look like tests and count`,
  }
}

/** Phases in use that have no price in the currency of an account that uses them (D26). */
async function phaseFinding(opened: Opened, snapshot: Snapshot, keys: readonly number[]): Promise<CheckFinding> {
  const rows = await createQueryRunner(snapshot)(
    'killbill.phases_in_use',
    sql`select account.tenant_record_id, event.phase_name, coalesce(account.currency, '') as currency,
        count(distinct event.subscription_id) as subscriptions
      from subscription_events as event
      join subscriptions as subscription on subscription.id = event.subscription_id
      join accounts as account on account.record_id = subscription.account_record_id
      where event.tenant_record_id in (${value(keys, 'integers')}) and event.is_active = true and event.phase_name is not null
      group by account.tenant_record_id, event.phase_name, account.currency
      order by account.tenant_record_id, event.phase_name`,
  )
  const priced = await pricedPhases(opened)
  const unpriced = rows.filter(
    (row) =>
      !text(row['phase_name']).endsWith('-trial') &&
      !priced.has(`${parseInteger(row['tenant_record_id'])} ${text(row['phase_name'])} ${text(row['currency'])}`),
  )
  if (unpriced.length === 0) return { name: 'prices', level: 'ok', message: 'every phase in use has a price' }
  const listed = unpriced.map((row) => {
    const [phase, currency] = [text(row['phase_name']), text(row['currency'])]
    const flaw = priceFlaw(opened.catalogs, planOfPhase(phase), currency || null)
    const why = flaw === undefined ? '' : `: ${flaw}`
    return `${phase} in ${currency || 'no currency'} (${parseInteger(row['subscriptions'])} subscriptions${why})`
  })
  return { name: 'prices', level: 'failure', message: `unpriced: ${listed.join(', ')}` }
}

// A service checks while it answers requests, so the rows are built in turns.
async function pricedPhases(opened: Opened): Promise<Set<string>> {
  const relations = await catalogRelationsInTurns(opened.catalogs, opened.currencies, numberPlans())
  const rowsOf = (name: string) => relations.find((relation) => relation.name === name)
  const price = rowsOf('price')
  const at = price?.columns.findIndex((column) => column.name === 'price') ?? -1
  const priced = new Set((price?.rows ?? []).flatMap((row) => (row[at] === null ? [] : [row[0]])))
  return new Set(
    (rowsOf('price_line')?.rows ?? []).flatMap(([line, ...key]) => (priced.has(line ?? null) ? [key.join(' ')] : [])),
  )
}

async function eventFinding(snapshot: Snapshot, keys: readonly number[]): Promise<CheckFinding> {
  const rows = await createQueryRunner(snapshot)(
    'killbill.event_types',
    sql`select event_type, coalesce(user_type, '') as user_type, count(*) as events from subscription_events
      where tenant_record_id in (${value(keys, 'integers')}) and is_active = true group by event_type, user_type`,
  )
  const unknown = rows.filter(
    (row) =>
      !KNOWN_EVENTS.includes(text(row['event_type'])) ||
      (text(row['user_type']) !== '' && !KNOWN_USER_TYPES.includes(text(row['user_type']))),
  )
  if (unknown.length === 0) return { name: 'event_types', level: 'ok', message: 'all known' }
  const listed = unknown.map((row) => `${text(row['event_type'])} ${text(row['user_type'])} (${parseInteger(row['events'])})`)
  return { name: 'event_types', level: 'warning', message: `ignored: ${listed.join(', ')}` }
}

import { join } from 'node:path'
import { BOOKS } from '../../src/connector-kit/capabilities.ts'
import type { ConnectorSession, InlineRelation, Snapshot } from '../../src/connector-kit/connector.ts'
import { fn, type QueryRunner, sql, text, textList } from '../../src/connector-kit/query-runner.ts'
import { createRowMemory } from '../../src/connector-kit/row-memory.ts'
import { unknownZones, type ZoneInUse, zoneOffsets, zonesIn } from '../../src/connector-kit/zone-offsets.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { sqlNow } from '../../src/core/periods.ts'
import { chooseOrganizations, type Organization, readOrganizations, sourcesOf } from './organizations.ts'
import { checkSchema, type LagoSchema } from './schema.ts'
import { createUnitPrices } from './unit-prices.ts'

/** Folder of the connector's relations. It stays with the sources, because the build compiles only TypeScript. */
export const RELATIONS = join(packageRoot(), 'connectors', 'lago', 'relations')

/**
 * Factors from an amount of the engine to hundredths, by the number of its units in one whole of the currency. The engine has its own list of
 * units, which is not ISO 4217. Other currencies have 100.
 */
const FACTORS: readonly (readonly [factor: string, currencies: readonly string[]])[] = [
  [
    '100',
    ['BIF', 'CLP', 'DJF', 'GNF', 'HUF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'],
  ],
  ['20', ['MGA']],
  ['0.1', ['BHD', 'JOD', 'KWD']],
  ['0.01', ['CLF']],
]

/** Relation `lago_minor_unit`: the currencies whose amounts are not in hundredths. */
const MINOR_UNITS: InlineRelation = {
  name: 'lago_minor_unit',
  columns: [
    { name: 'currency', type: 'text' },
    { name: 'factor', type: 'decimal' },
  ],
  rows: FACTORS.flatMap(([factor, currencies]) => currencies.map((currency) => [currency, factor])),
}

/** Settings of the connector (configuration section `connector`). */
export interface LagoSettings {
  readonly organization: readonly string[]
}

/** Facts that a request needs before its statements. They change rarely. */
export interface Opened {
  readonly schema: LagoSchema
  readonly chosen: readonly Organization[]
  /** Ids for `in (…)`. */
  readonly organizations: readonly string[]
  readonly zones: readonly ZoneInUse[]
  readonly unit_prices: InlineRelation
  readonly currencies: readonly string[]
  readonly other_currencies: readonly string[]
}

/** Statements of an opener whose rows are remembered, with their stage. The columns come first, because they show what the role may read. */
const STAGES: Readonly<Record<string, 0 | 1>> = {
  'lago.columns': 0,
  'lago.organizations': 1,
  'lago.currencies': 1,
  'lago.other_currencies': 1,
  'lago.zones': 1,
  'lago.fixed_charges': 1,
  'lago.fixed_charge_versions': 1,
}

/** Opens the database for a request. Rows that have not changed since an earlier request come from memory. */
export function createOpener({ organization }: LagoSettings): (snapshot: Snapshot) => Promise<Opened> {
  const memory = createRowMemory('lago.unchanged', (label) => STAGES[label])
  const pricesOf = createUnitPrices()
  return async (snapshot) => {
    const { run, remember } = memory.begin(snapshot, '')
    const schema = await checkSchema(run, snapshot.dialect.name)
    const chosen = chooseOrganizations(await readOrganizations(run), organization)
    const organizations = organizationKeys(chosen)
    const currencies = await readCurrencies(run, organizations)
    const opened: Opened = {
      schema,
      chosen,
      organizations,
      zones: await readZones(run, organizations),
      unit_prices: await pricesOf(run, organizations),
      currencies,
      other_currencies: (await readCustomerCurrencies(run, organizations)).filter((currency) => !currencies.includes(currency)),
    }
    remember()
    return opened
  }
}

/** The session of one request over an opened database. */
export async function sessionOf(opened: Opened, { now }: { readonly now: Date }): Promise<ConnectorSession> {
  const zones = await zoneOffsets(opened.zones.map((zone) => withYears(zone, now)))
  return {
    sources: sourcesOf(opened.chosen),
    params: { now: sqlNow(now) },
    inline: new Map([MINOR_UNITS, zones, opened.unit_prices].map((relation) => [relation.name, relation])),
    aliases: new Map([
      ...(opened.schema.ledger_unknown === undefined ? [] : [['lago_noted', 'lago_noted_none'] as const]),
      ...(opened.schema.has_note_items ? [] : [['lago_note_item', 'lago_note_item_none'] as const]),
      ...(opened.schema.has_granted_credits ? [] : [['lago_granted', 'lago_granted_none'] as const]),
    ]),
    currencies: opened.currencies,
    other_currencies: opened.other_currencies,
    relations_unknown: unknownRelations(opened.schema),
    zones_unknown: unknownLagoZones(opened.zones),
    rates: () => Promise.resolve([]),
  }
}

const LEDGER = [...BOOKS, 'ledger_attempt']

function unknownRelations({ ledger_unknown }: LagoSchema): NonNullable<ConnectorSession['relations_unknown']> {
  return ledger_unknown === undefined ? [] : [{ reads: LEDGER, reason: ledger_unknown }]
}

/** Ids for `in (…)`. `in ()` is not valid SQL, and no organization has the empty id. */
function organizationKeys(chosen: readonly Organization[]): readonly string[] {
  return chosen.length === 0 ? [''] : chosen.map(({ id }) => id)
}

/** Currencies of the plans that subscriptions of these organizations are on. */
async function readCurrencies(run: QueryRunner, organizations: readonly string[]): Promise<readonly string[]> {
  const rows = await run(
    'lago.currencies',
    sql`select distinct plan.amount_currency as currency from plans as plan
      where ${fn('text', sql`plan.organization_id`)} in (${textList(organizations)})
        and exists (select 1 from subscriptions as subscription where subscription.plan_id = plan.id)
      order by plan.amount_currency`,
  )
  return rows.map((row) => text(row['currency']))
}

/** Currencies of customers. A customer without a subscription may have invoices in another currency than all plans. */
async function readCustomerCurrencies(run: QueryRunner, organizations: readonly string[]): Promise<readonly string[]> {
  const rows = await run(
    'lago.other_currencies',
    sql`select distinct customer.currency from customers as customer
      where ${fn('text', sql`customer.organization_id`)} in (${textList(organizations)}) and customer.currency <> ''
      order by customer.currency`,
  )
  return rows.map((row) => text(row['currency']))
}

/** Relations that count days in the time zones of customers, with those that the cache makes from them. */
const ZONED = [
  'usage_charge',
  'cancellation',
  'trial',
  'subscription_life',
  'priced_state',
  'subscription_span',
  'movement',
  'live_stretch',
  'ledger_invoice',
]

/** The zones among these that are not known. */
export function unknownLagoZones(zones: readonly ZoneInUse[]): ConnectorSession['zones_unknown'] {
  return unknownZones(zones, ZONED)
}

/** Time zones of customers, with the first creation or start, and the last start or planned end. */
export async function readZones(run: QueryRunner, organizations: readonly string[]): Promise<readonly ZoneInUse[]> {
  const rows = await run(
    'lago.zones',
    sql`select coalesce(nullif(customer.timezone, ''), nullif(entity.timezone, '')) as time_zone,
        min(case when subscription.started_at < customer.created_at then subscription.started_at else customer.created_at end) as first_time,
        max(coalesce(subscription.ending_at, subscription.started_at, customer.created_at)) as last_time
      from customers as customer
      left join subscriptions as subscription on subscription.customer_id = customer.id and subscription.started_at is not null
      left join billing_entities as entity on entity.id = customer.billing_entity_id
      where ${fn('text', sql`customer.organization_id`)} in (${textList(organizations)})
      group by coalesce(nullif(customer.timezone, ''), nullif(entity.timezone, ''))`,
  )
  return zonesIn(rows)
}

/** The instants for which offsets are needed: from the year before the first to the end of the next year, or of the year after the last. */
function withYears({ time_zone, first, last }: ZoneInUse, now: Date): ZoneInUse {
  return {
    time_zone,
    first: new Date(Date.UTC(first.getUTCFullYear() - 1, 0)),
    last: new Date(Date.UTC(Math.max(now.getUTCFullYear() + 2, last.getUTCFullYear() + 1), 0)),
  }
}

import { BOOKS } from '../../src/connector-kit/capabilities.ts'
import type { ConnectorSession, InlineRelation, Snapshot } from '../../src/connector-kit/connector.ts'
import { createQueryRunner, type QueryRunner } from '../../src/connector-kit/query-runner.ts'
import { createRowMemory } from '../../src/connector-kit/row-memory.ts'
import { unknownZones, zoneOffsets } from '../../src/connector-kit/zone-offsets.ts'
import type { Definitions } from '../../src/core/definitions.ts'
import { InternalError } from '../../src/core/errors.ts'
import { sqlNow } from '../../src/core/periods.ts'
import { aviateText } from './catalog/aviate.ts'
import { readCatalogDocuments } from './catalog/documents.ts'
import { loadCatalogs, type PhasesInUse, readPhasesInUse } from './catalog/load.ts'
import type { OverrideDelimiter } from './catalog/override.ts'
import { priceFlaw, type TenantCatalog } from './catalog/tenant-catalog.ts'
import { withheldText } from './findings.ts'
import { type AccountsInUse, readAccountsInUse, readAnalyticsRates, readTenants } from './queries.ts'
import { type EngineSchema, readSchema } from './schema.ts'
import { chooseTenants, type NamedTenant, nameTenants, tenantKeys } from './tenants.ts'
import { refuseEmptyViews } from './views.ts'

/** Settings of the connector (configuration section `connector`). */
export interface KillbillSettings {
  readonly tenant: readonly string[]
  /** Names of tenants that users see, by any word that names the tenant. Default: the external key. */
  readonly tenant_names?: Readonly<Record<string, string>> | undefined
  /** XML files or addresses used instead of the catalog rows. Empty means the rows. */
  readonly catalog: readonly string[]
  /** Custom field of a subscription that holds the reason of its cancellation (D46). */
  readonly cancel_reason_field?: string | undefined
  /** Address of Kaui, the engine's admin pages. Absent: there are no links to it. */
  readonly kaui_url?: string | undefined
  /** Delimiter of override names on the server. If absent, the rows show it (KB 3.6). */
  readonly override_delimiter?: OverrideDelimiter | undefined
}

/** Facts that take whole tables to read. */
export interface InUse {
  readonly accounts?: AccountsInUse | undefined
  /** Read only if the overrides need them. */
  readonly phases?: PhasesInUse | undefined
}

/** The start of each request of this connector: checked schema, chosen tenants, their catalogs. */
export interface Opened {
  readonly schema: EngineSchema
  readonly tenants: readonly NamedTenant[]
  readonly catalogs: readonly TenantCatalog[]
  readonly currencies: readonly string[]
  readonly other_currencies: readonly string[]
  readonly inUse: InUse
  /** Offsets of the accounts' time zones. */
  readonly zones: InlineRelation
  readonly zones_unknown: ConnectorSession['zones_unknown']
  readonly cancel_reason_field: string
  /** The reason why prices may be wrong. */
  readonly prices_in_doubt: string | undefined
}

/** The schema, as these settings need it. AppError `unsupported_by_connector` names missing columns. */
export function readSchemaFor({ catalog }: KillbillSettings, run: QueryRunner, dialect: string): Promise<EngineSchema> {
  return readSchema(run, dialect, catalog.length === 0 ? [] : ['tenant_kvs'])
}

/**
 * Checks the schema, chooses the tenants and reads their catalogs. AppError `unsupported_by_connector` names missing columns. Facts that are
 * `known` to be those of the snapshot are not read.
 */
export async function openEngine(
  settings: KillbillSettings,
  snapshot: Snapshot,
  definitions: Definitions,
  run = createQueryRunner(snapshot),
  known: InUse = {},
): Promise<Opened> {
  const documents = settings.catalog.length === 0 ? null : await readCatalogDocuments(settings.catalog)
  const schema = await readSchemaFor(settings, run, snapshot.dialect.name)
  const all = await readTenants(run)
  const tenants = nameTenants(all, chooseTenants(all, settings.tenant), settings.tenant_names ?? {})
  const keys = tenants.map((tenant) => tenant.record_id)
  await refuseEmptyViews(run, schema.views, keys)
  let { phases } = known
  const readPhases = async () => {
    phases ??= await readPhasesInUse(run, keys)
    return phases
  }
  const source = {
    documents,
    delimiter: settings.override_delimiter,
    run,
    phases: readPhases,
    has_fixed_prices: schema.billings_unknown === undefined,
  }
  const catalogs = await loadCatalogs(snapshot, keys, source)
  const accounts = known.accounts ?? (await readAccountsInUse(run, keys, definitions.test_accounts === 'include'))
  const { currencies, other_currencies = [], zones } = accounts
  return {
    schema,
    tenants,
    catalogs,
    currencies,
    other_currencies,
    inUse: { accounts, phases },
    zones: await zoneOffsets(zones),
    zones_unknown: unknownZones(zones, ['customer_zone', 'subscription', 'ledger_invoice']),
    cancel_reason_field: settings.cancel_reason_field ?? 'cancel_reason',
    prices_in_doubt: aviateText(schema.aviate, settings.catalog),
  }
}

/**
 * Statements of `openEngine` whose rows are remembered between requests, with their stage. The columns come first, because they
 * show what the role may read. Not remembered: texts of catalogs (document-cache.ts has them), and questions about hidden
 * columns, empty views and Aviate.
 */
const STAGES: Readonly<Record<string, 0 | 1>> = {
  'killbill.columns': 0,
  'killbill.tenants': 1,
  'killbill.catalog.rows': 1,
  'killbill.override.plans': 1,
  'killbill.override.phases': 1,
  'killbill.phases.in.use': 1,
  'killbill.accounts': 1,
}

type OpenEngine = (snapshot: Snapshot, definitions: Definitions, known?: InUse) => Promise<Opened>

/** Opens the engine for a request. Rows that have not changed since an earlier request come from memory. */
export function createOpener(settings: KillbillSettings): OpenEngine {
  const memory = createRowMemory('killbill.unchanged', (label) => STAGES[label])
  return async (snapshot, definitions, known = {}) => {
    const spared = [
      ...(known.accounts === undefined ? [] : ['killbill.accounts']),
      ...(known.phases === undefined ? [] : ['killbill.phases.in.use']),
    ]
    const remembered = memory.begin(snapshot, definitions.test_accounts, spared)
    const opened = await openEngine(settings, snapshot, definitions, remembered.run, known)
    remembered.remember()
    return opened
  }
}

/** Relations that read quantities, which have a variant for engine 0.22. */
const WITH_QUANTITY = ['kb_event', 'kb_planned_quantity', 'kb_event_quantity'] as const

/** A session of this connector. It keeps what the request has opened. */
interface KillbillSession extends ConnectorSession {
  readonly opened: Opened
}

/** The tenants and catalogs that a session of this connector has opened. */
export function openedOf(session: ConnectorSession): Opened {
  if ('opened' in session) return (session as KillbillSession).opened
  throw new InternalError('the session is not of the connector killbill')
}

/** The session of one request over an opened engine, with the relations of its catalogs. */
export function createSession(
  opened: Opened,
  snapshot: Snapshot,
  request: { now: Date; definitions: Definitions },
  catalog: readonly InlineRelation[],
): KillbillSession {
  const { now, definitions } = request
  const tenants = tenantKeys(opened.tenants)
  return {
    opened,
    sources: opened.tenants.map((tenant) => ({ source_id: tenant.id, external_key: tenant.external_key, name: tenant.name })),
    params: {
      tenants,
      now: sqlNow(now),
      derive_fixed_term_end: definitions.derive_fixed_term_end,
      usage_in_mrr: definitions.mrr_usage === 'mean3' && (definitions.allow_unpriced || mayHaveUsage(catalog)),
      usage_invoices_only: true,
      whole_lives: true,
      usage_of_ended: true,
      cancel_reason_field: opened.cancel_reason_field,
    },
    paramsFor: (reads, readersOf) => ({
      // Usage charges need only the invoices with usage. A statement that reads invoices needs all invoices.
      usage_invoices_only: !readsAny(reads, INVOICES),
      whole_lives: readsAny(reads, WHOLE_LIVES),
      usage_of_ended: readersOf?.('usage_charge').some((name) => name !== 'usage_mean') ?? true,
    }),
    inline: new Map([...catalog, opened.zones].map((relation) => [relation.name, relation])),
    aliases: new Map([
      ...(opened.schema.has_quantity ? [] : WITH_QUANTITY.map((name) => [name, `${name}_022`] as const)),
      ...(opened.schema.has_payment_status ? [] : [['kb_payment', 'kb_payment_022'] as const]),
      ...(opened.schema.has_payment_status ? [] : [['kb_ledger_payment', 'kb_ledger_payment_022'] as const]),
      ...(opened.schema.has_payment_status && opened.schema.ledger_unknown === undefined
        ? []
        : [['kb_ledger_instant', 'kb_ledger_instant_022'] as const]),
      ...(opened.catalogs.some(billsInArrears) ? [] : [['kb_in_arrears', 'kb_in_arrears_none'] as const]),
      ...(opened.schema.has_payers ? [] : [['kb_payer', 'kb_payer_unseen'] as const]),
      ...(opened.schema.has_usage_records ? [] : [['kb_uninvoiced_usage', 'kb_uninvoiced_usage_unseen'] as const]),
    ]),
    currencies: opened.currencies,
    other_currencies: opened.other_currencies,
    one_currency_each: true,
    prices_in_doubt: opened.prices_in_doubt,
    notices_unknown: opened.schema.notices_unknown,
    relations_unknown: unknownRelations(opened.schema),
    zones_unknown: opened.zones_unknown,
    priceFlaw: (plan, currency) => priceFlaw(opened.catalogs, plan, currency),
    rates_withheld: withheldText(snapshot.dialect.name, opened.schema.withheld_rates),
    rates: (base) =>
      opened.schema.has_analytics_rates ? readAnalyticsRates(createQueryRunner(snapshot), base) : Promise.resolve([]),
  }
}

const LEDGER = [...BOOKS, 'ledger_transfer', 'ledger_write_off']

function unknownRelations({
  billings_unknown,
  ledger_unknown,
  attempts_unknown,
}: EngineSchema): NonNullable<ConnectorSession['relations_unknown']> {
  return [
    ...(billings_unknown === undefined ? [] : [{ reads: ['billing_term'], reason: billings_unknown }]),
    ...(ledger_unknown === undefined ? [] : [{ reads: LEDGER, reason: ledger_unknown }]),
    ...(attempts_unknown === undefined ? [] : [{ reads: ['ledger_attempt'], reason: attempts_unknown }]),
  ]
}

const INVOICES = ['invoice', 'billed_invoice', 'refund']

/** Relations that need subscriptions which ended before the window. Spans that end before it have no other reader. */
const WHOLE_LIVES = ['mrr_movement', 'movement', 'subscription_life']

function readsAny(reads: readonly string[], relations: readonly string[]): boolean {
  return relations.some((name) => reads.includes(name))
}

/**
 * False only if no plan of any catalog has a usage section. The usage component is then always 0 (D29), even if usage was billed, so
 * the invoices need not be read. If unpriced plans are allowed, unknown plans may have a usage section.
 */
function mayHaveUsage(relations: readonly InlineRelation[]): boolean {
  const price = relations.find((relation) => relation.name === 'price')
  if (price === undefined || price.rows.length === 0) return true
  const column = price.columns.findIndex(({ name }) => name === 'has_usage')
  return price.rows.some((row) => row[column] === true)
}

function billsInArrears({ versions, retired = [] }: TenantCatalog): boolean {
  return [...versions, ...retired].some(({ plans }) => [...plans.values()].some((plan) => plan.in_arrears))
}

import * as z from 'zod'
import type { Capability, DatabaseConnector } from '../../src/connector-kit/connector.ts'
import { defineConnector, oneOrMore, places } from '../../src/connector-kit/definition.ts'
import { isEverySource } from '../../src/connector-kit/source-choice.ts'
import { keepRelations } from './catalog/kept-relations.ts'
import { OVERRIDE_DELIMITERS } from './catalog/override.ts'
import { BILLING_PERIOD_WORDS } from './catalog/phase-facts.ts'
import { checkEngine } from './check.ts'
import { DEFINITION_SETS } from './definition-sets.ts'
import { discoverEngine } from './discover.ts'
import { findEvidence } from './evidence/index.ts'
import { killbillGrants } from './grants.ts'
import { compareHistory } from './history.ts'
import { isKauiAddress, kauiPage } from './kaui.ts'
import { killbillMirror } from './mirror.ts'
import { oddAmountFindings } from './odd-amounts.ts'
import { RELATIONS } from './queries.ts'
import { referenceFindings } from './references.ts'
import { createOpener, createSession, type KillbillSettings, openEngine } from './session.ts'
import { tenantKeys } from './tenants.ts'

/** Capabilities of the connector's relations: all are computed from the engine's own rows (README.md in this folder). */
const CAPABILITIES: Readonly<Record<string, Capability>> = {
  customer: 'exact',
  customer_field: 'exact',
  plan: 'exact',
  subscription: 'exact',
  subscription_life: 'exact',
  subscription_span: 'exact',
  priced_state: 'exact',
  usage_charge: 'exact',
  bundle_line: 'exact',
  invoice: 'exact',
  refund: 'exact',
  billed_invoice: 'exact',
  invoice_subscription: 'exact',
  trial: 'exact',
  cancellation: 'exact',
  customer_link: 'exact',
  customer_zone: 'exact',
  billed_stretch: 'exact',
  billing_condition: 'exact',
  billing_evidence: 'exact',
  billing_in_arrears: 'exact',
  billing_notice: 'exact',
  billing_term: 'exact',
  listed_plan: 'exact',
  change_instant: 'exact',
  ledger_invoice: 'exact',
  ledger_charge: 'exact',
  ledger_adjustment: 'exact',
  ledger_credit: 'exact',
  ledger_payment: 'exact',
  ledger_write_off: 'exact',
  ledger_transfer: 'exact',
  ledger_attempt: 'exact',
  ledger_payer: 'exact',
  overdue_stretch: 'exact',
}

const LEVEL_TABLES = [
  'subscription_events',
  'subscriptions',
  'blocking_states',
  'invoices',
  'invoice_history',
  'invoice_items',
  'invoice_payments',
] as const

/** Connector to a Kill Bill database, versions 0.22 to 0.25, on PostgreSQL, MySQL or MariaDB. */
export function createKillbillConnector(settings: KillbillSettings): DatabaseConnector {
  const relationsOf = keepRelations()
  const open = createOpener(settings)
  const { kaui_url } = settings
  return {
    type: 'killbill',
    relationsDirectory: RELATIONS,
    capabilities: CAPABILITIES,
    billingPeriods: BILLING_PERIOD_WORDS,
    definitionSets: DEFINITION_SETS,
    servesAllSources: isEverySource(settings.tenant),
    ...(kaui_url !== undefined && { customerUrl: (id, invoice) => kauiPage(kaui_url, id, invoice) }),
    open: async (snapshot, request) => {
      const opened = await open(snapshot, request.definitions)
      return createSession(opened, snapshot, request, await relationsOf(opened.catalogs, opened.currencies))
    },
    check: (snapshot, request) => checkEngine(settings, snapshot, request),
    crossCheck: async (source, request) => {
      const { tenants } = await source.withSnapshot((snapshot) => openEngine(settings, snapshot, request.definitions))
      const keys = tenantKeys(tenants)
      return [...(await referenceFindings(source, keys)), ...(await oddAmountFindings(source, keys))]
    },
    evidence: findEvidence,
    checkHistory: async (source, request) => {
      const { tenants } = await source.withSnapshot((snapshot) => openEngine(settings, snapshot, request.definitions))
      return compareHistory(source, tenantKeys(tenants))
    },
    levelTables: LEVEL_TABLES,
    mirror: killbillMirror(settings),
  }
}

/** Section `connector` of a configuration whose `type` is `killbill`. */
const SETTINGS = z.object({
  tenant: oneOrMore
    .optional()
    .describe('Tenants by external key, API key, id or record id, or all; absent: the only one')
    .meta({ example: ['acme'] }),
  tenant_names: z
    .record(z.string().min(1), z.string().trim().min(1).max(100))
    .optional()
    .describe('Names of tenants on pages and in answers; absent: their external keys')
    .meta({ example: { acme: 'Acme Inc.' } }),
  catalog: places
    .optional()
    .describe('Catalog files and URLs to use instead of the catalogs in the database')
    .meta({ example: ['catalog.xml'] }),
  cancel_reason_field: z
    .string()
    .min(1)
    .default('cancel_reason')
    .describe('Custom field that holds the reason of a cancellation'),
  kaui_url: z
    .string()
    .refine(
      isKauiAddress,
      'must be an absolute address such as https://kaui.example.com, without user name, password, query and fragment',
    )
    .optional()
    .describe('Address of Kaui, for links from customers to their accounts; absent: no links')
    .meta({ example: 'https://kaui.example.com' }),
  override_delimiter: z
    .enum(OVERRIDE_DELIMITERS)
    .optional()
    .describe('Delimiter in names of price overrides, - or :; absent: the one that the rows show')
    .meta({ example: ':' }),
})

/** The definition of Kill Bill for configurations. */
export const killbill = defineConnector({
  type: 'killbill',
  settings: SETTINGS,
  discover: discoverEngine,
  grants: killbillGrants,
  create: ({ tenant = [], catalog = [], ...settings }) => createKillbillConnector({ tenant, catalog, ...settings }),
})

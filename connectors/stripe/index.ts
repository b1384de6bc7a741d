import * as z from 'zod'
import type { Capability, DatabaseConnector } from '../../src/connector-kit/connector.ts'
import { defineConnector, oneOrMore } from '../../src/connector-kit/definition.ts'
import { expandedTables, type MirrorSource } from '../../src/connector-kit/mirror-source.ts'
import { createQueryRunner } from '../../src/connector-kit/query-runner.ts'
import { isEverySource } from '../../src/connector-kit/source-choice.ts'
import { createLook } from './changes/look.ts'
import { checkStripe } from './check.ts'
import { discoverStripe } from './discover.ts'
import { findEvidence } from './evidence.ts'
import { PRICES, ROW_KEYS } from './expanded/index.ts'
import { stripeGrants } from './grants.ts'
import { findMirror } from './schema.ts'
import { createOpener, RELATIONS, type StripeSettings, sessionOf } from './session.ts'
import { SCHEMA } from './tables.ts'

/** Capabilities of the connector's relations (README.md in this folder). */
const CAPABILITIES: Readonly<Record<string, Capability>> = {
  customer: 'exact',
  'customer.collection_method': 'inferred',
  customer_field: 'exact',
  plan: 'exact',
  'plan.product_category': 'absent',
  // Subscriptions without a row are rebuilt from the lines of their invoices.
  subscription: 'inferred',
  'subscription.bundle_id': 'absent',
  subscription_fact: 'inferred',
  usage_charge: 'exact',
  invoice: 'exact',
  // Several documents lead from a refund to its invoice.
  refund: 'inferred',
  billed_invoice: 'exact',
  invoice_subscription: 'exact',
  billing_notice: 'exact',
  // Facts and columns of notices that a mirror does not show (notices.ts).
  'billing_notice.usage_not_invoiced': 'absent',
  listed_plan: 'exact',
  'listed_plan.list_micros': 'absent',
}

const copiedTables: MirrorSource['tables'] = (session) =>
  expandedTables(session).filter(({ name }) => name !== PRICES && name !== ROW_KEYS)

/** Connector to a mirror of Stripe, on PostgreSQL. */
export function createStripeConnector(settings: StripeSettings): DatabaseConnector {
  const open = createOpener(settings)
  return {
    type: 'stripe',
    relationsDirectory: RELATIONS,
    capabilities: CAPABILITIES,
    servesAllSources: isEverySource(settings.account),
    open: async (snapshot, request) => sessionOf(await open(snapshot), request),
    check: (snapshot, request) => checkStripe(settings, snapshot, request),
    evidence: findEvidence(settings.mode),
    billingPeriods: ['daily', 'weekly', 'monthly', 'quarterly', 'semiannual', 'yearly'],
    mirror: {
      keyType: 'text',
      tables: copiedTables,
      look: createLook(open),
      rowKeys: (session) => expandedTables(session).find(({ name }) => name === ROW_KEYS),
    },
  }
}

/** Section `connector` of a configuration whose `type` is `stripe`. */
const SETTINGS = z.object({
  account: oneOrMore
    .optional()
    .describe('Accounts by id or name, or all; absent: the only one')
    .meta({ example: ['East Ltd'] }),
  mode: z.enum(['live', 'test']).default('live').describe('Live mode or test mode of Stripe, never both'),
  unpaid: z
    .enum(['pause', 'keep'])
    .default('pause')
    .describe('An unpaid subscription pauses when its first invoice stays a draft, or pays until it ends'),
})

/** The definition of Stripe for configurations. */
export const stripe = defineConnector({
  type: 'stripe',
  settings: SETTINGS,
  sourceSetting: 'account',
  defaultSchema: SCHEMA,
  recognizes: (snapshot) => findMirror(createQueryRunner(snapshot), snapshot.dialect.name),
  discover: discoverStripe,
  grants: stripeGrants,
  create: ({ account = [], mode, unpaid }) => createStripeConnector({ account, mode, unpaid }),
})

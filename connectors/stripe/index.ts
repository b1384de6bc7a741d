import type { Capability, DatabaseConnector } from '../../src/connector-kit/connector.ts'
import { expandedTables, type MirrorSource } from '../../src/connector-kit/mirror-source.ts'
import { isEverySource } from '../../src/connector-kit/source-choice.ts'
import { createLook } from './changes/look.ts'
import { PRICES } from './expanded/index.ts'
import { createOpener, RELATIONS, type StripeSettings, sessionOf } from './session.ts'

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
  billed_invoice: 'exact',
  invoice_subscription: 'exact',
}

const copiedTables: MirrorSource['tables'] = (session) => expandedTables(session).filter(({ name }) => name !== PRICES)

/** Connector to a mirror of Stripe, on PostgreSQL. */
export function createStripeConnector(settings: StripeSettings): DatabaseConnector {
  const open = createOpener(settings)
  return {
    type: 'stripe',
    relationsDirectory: RELATIONS,
    capabilities: CAPABILITIES,
    servesAllSources: isEverySource(settings.account),
    open: async (snapshot, request) => sessionOf(await open(snapshot), request),
    mirror: { keyType: 'text', tables: copiedTables, look: createLook(open) },
  }
}

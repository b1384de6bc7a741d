import * as z from 'zod'
import type { Capability, DatabaseConnector } from '../../src/connector-kit/connector.ts'
import { defineConnector, oneOrMore } from '../../src/connector-kit/definition.ts'
import { createQueryRunner } from '../../src/connector-kit/query-runner.ts'
import { isEverySource } from '../../src/connector-kit/source-choice.ts'
import { createLook } from './changes/look.ts'
import { checkLago, crossCheckLago } from './check.ts'
import { COLUMNS } from './column-kinds.ts'
import { findEvidence } from './evidence.ts'
import { lagoGrants } from './grants.ts'
import { discoverLago } from './organizations.ts'
import { rawTables } from './raw-tables.ts'
import { hasLago } from './schema.ts'
import { createOpener, type LagoSettings, RELATIONS, sessionOf } from './session.ts'

/** Capabilities of the connector's relations (README.md in this folder). */
const CAPABILITIES: Readonly<Record<string, Capability>> = {
  customer: 'exact',
  'customer.collection_method': 'inferred',
  customer_field: 'exact',
  plan: 'exact',
  'plan.product_name': 'absent',
  'plan.product_category': 'absent',
  subscription: 'exact',
  'subscription.bundle_id': 'absent',
  'subscription.cancel_requested_at': 'inferred',
  subscription_fact: 'inferred',
  // The instant of payment decides when they count.
  usage_charge: 'inferred',
  invoice: 'inferred',
  refund: 'inferred',
  billed_invoice: 'exact',
  'billed_invoice.paid_at': 'inferred',
  invoice_subscription: 'exact',
  ledger_invoice: 'exact',
  'ledger_invoice.issued_on': 'inferred',
  ledger_charge: 'exact',
  ledger_adjustment: 'exact',
  ledger_credit: 'inferred',
  ledger_payment: 'inferred',
  ledger_attempt: 'exact',
  'ledger_attempt.payment_method': 'inferred',
  ledger_payer: 'inferred',
}

/** Connector to a Lago database on PostgreSQL, or to a copy of it on Trino. */
export function createLagoConnector(settings: LagoSettings): DatabaseConnector {
  const open = createOpener(settings)
  return {
    type: 'lago',
    relationsDirectory: RELATIONS,
    capabilities: CAPABILITIES,
    servesAllSources: isEverySource(settings.organization),
    open: async (snapshot, request) => sessionOf(await open(snapshot), request),
    check: (snapshot) => checkLago(settings, snapshot),
    crossCheck: (source) => crossCheckLago(settings, source),
    evidence: findEvidence,
    mirror: { keyType: 'text', tables: rawTables, look: createLook(open), columns: COLUMNS },
    billingPeriods: ['weekly', 'monthly', 'quarterly', 'semiannual', 'yearly'],
  }
}

/** Section `connector` of a configuration whose `type` is `lago`. */
const SETTINGS = z.object({
  organization: oneOrMore
    .optional()
    .describe('Organizations by id or name, or all; absent: the only one')
    .meta({ example: ['North Ltd'] }),
})

/** The definition of Lago for configurations. */
export const lago = defineConnector({
  type: 'lago',
  settings: SETTINGS,
  sourceSetting: 'organization',
  recognizes: (snapshot) => hasLago(createQueryRunner(snapshot), snapshot.dialect.name),
  discover: discoverLago,
  grants: lagoGrants,
  create: ({ organization = [] }) => createLagoConnector({ organization }),
})

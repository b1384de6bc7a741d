import * as z from 'zod'
import type { Capability, DatabaseConnector } from '../../src/connector-kit/connector.ts'
import { defineConnector, oneOrMore } from '../../src/connector-kit/definition.ts'
import { isEveryOrganization } from './organizations.ts'
import { type LagoSettings, openLago, RELATIONS } from './session.ts'

/** Capabilities of the connector's relations (README.md in this folder). */
const CAPABILITIES: Readonly<Record<string, Capability>> = {
  customer: 'exact',
  customer_field: 'exact',
  plan: 'exact',
  subscription: 'exact',
  subscription_fact: 'inferred',
  usage_charge: 'exact',
  billed_invoice: 'exact',
  invoice_subscription: 'exact',
}

/** Connector to a Lago database, on PostgreSQL. */
export function createLagoConnector(settings: LagoSettings): DatabaseConnector {
  return {
    type: 'lago',
    relationsDirectory: RELATIONS,
    capabilities: CAPABILITIES,
    servesAllSources: isEveryOrganization(settings.organization),
    open: (snapshot, request) => openLago(settings, snapshot, request),
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
  create: ({ organization = [] }) => createLagoConnector({ organization }),
})

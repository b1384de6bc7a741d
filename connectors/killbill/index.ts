import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Capability, DatabaseConnector } from '../../src/connector-kit/connector.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { checkEngine } from './check.ts'
import { createFeed } from './fill/feed.ts'
import { createSession, type KillbillSettings, openEngine } from './session.ts'

/** What the connector's relations are worth: all are computed from the engine's own rows; see README.md beside this file. */
const CAPABILITIES: Readonly<Record<string, Capability>> = {
  customer: 'exact',
  customer_attribute: 'exact',
  plan: 'exact',
  subscription: 'exact',
  subscription_life: 'exact',
  mrr_span: 'exact',
  usage_charge: 'exact',
  bundle_line: 'exact',
  invoice: 'exact',
  billed_invoice: 'exact',
  invoice_subscription: 'exact',
  trial: 'exact',
  cancellation: 'exact',
  expense_line: 'absent',
}

/** Connector to a Kill Bill database, versions 0.22 to 0.25, on PostgreSQL, MySQL or MariaDB. */
export function createKillbillConnector(settings: KillbillSettings): DatabaseConnector {
  return {
    type: 'killbill',
    // SQL stays beside the sources: the build compiles TypeScript only.
    relationsDirectory: join(packageRoot(), 'connectors', 'killbill', 'relations'),
    capabilities: CAPABILITIES,
    open: async (snapshot, request) =>
      createSession(await openEngine(settings, snapshot, request.definitions), snapshot, request),
    check: (snapshot, request) => checkEngine(settings, snapshot, request),
    createFeed: () => createFeed(settings, () => performance.now() / 1000),
  }
}

import { type CapabilityOf, missingFor } from '../execution/plan/capability.ts'
import type { MetricDefinition } from '../metrics/define-metric.ts'
import { HEALTH_READS } from '../records/billing-health/answer.ts'
import { NOTICE_READS } from '../records/billing-health/notices/answer.ts'
import { BILLING_READS } from '../records/billings/answer.ts'
import { LEDGER_LISTS } from '../records/ledger/lists.ts'
import { LISTS } from '../records/list.ts'
import { RENEWAL_READS } from '../records/renewals/answer.ts'

/** The relations of each list of records, by the name of the list. */
const LIST_READS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(Object.entries(LISTS).map(([name, { reads }]) => [name, reads])),
  renewals: RENEWAL_READS,
  billings: BILLING_READS,
  ...Object.fromEntries(LEDGER_LISTS.map(({ name, reads }) => [`ledger_${name}`, reads])),
  billing_health: HEALTH_READS,
  billing_notices: NOTICE_READS,
}

/** Names of the metrics and lists that the connector cannot supply. Each request for one is 422 `unsupported_by_connector`. */
export function unsupportedOf(metrics: readonly MetricDefinition[], capabilityOf: CapabilityOf): readonly string[] {
  const isAbsent = (definition: MetricDefinition) =>
    Object.values(definition.queries).every((query) => missingFor(definition, query, capabilityOf).length > 0)
  const lists = Object.entries(LIST_READS).filter(([, reads]) => reads.some((name) => capabilityOf(name) === 'absent'))
  return [...metrics.filter(isAbsent).map(({ name }) => name), ...lists.map(([name]) => name)].sort()
}

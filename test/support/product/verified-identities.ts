import { expect } from 'vitest'
import type { Engine } from '../../../src/engine/engine.ts'
import type { Ask, Identity } from '../../../src/trust/verify/check.ts'
import { arpuTimesCustomers } from '../../../src/trust/verify/checks/arpu-times-customers.ts'
import { breakdownIsNetChange } from '../../../src/trust/verify/checks/breakdown-is-net-change.ts'
import { churnedCustomersListed } from '../../../src/trust/verify/checks/churned-customers-listed.ts'
import { cohortsBeginWhole } from '../../../src/trust/verify/checks/cohorts-begin-whole.ts'
import { lostRevenueListed } from '../../../src/trust/verify/checks/lost-revenue-listed.ts'
import { mrrAddsUp } from '../../../src/trust/verify/checks/mrr-adds-up.ts'
import { retentionInBounds } from '../../../src/trust/verify/checks/retention-in-bounds.ts'
import { summaryAgrees } from '../../../src/trust/verify/checks/summary-agrees.ts'
import { trialsAddUp } from '../../../src/trust/verify/checks/trials-add-up.ts'
import { usageAddsUp } from '../../../src/trust/verify/checks/usage-adds-up.ts'
import { waterfallCloses } from '../../../src/trust/verify/checks/waterfall-closes.ts'
import type { IdentityCase } from './identity-cases.ts'
import { acceptedTogether, checkDraws, NOTHING_ACCEPTED } from './identity-draws.ts'

/** The identities that `verify` checks, and that must hold over any data. */
export const IDENTITIES: readonly Identity[] = [
  waterfallCloses,
  mrrAddsUp,
  breakdownIsNetChange,
  retentionInBounds,
  churnedCustomersListed,
  lostRevenueListed,
  trialsAddUp,
  cohortsBeginWhole,
  usageAddsUp,
  arpuTimesCustomers,
  summaryAgrees,
]

/** Questions to an engine whose data does not change. */
function askOf(engine: Engine): Ask {
  const value: Ask['value'] = async (name, params, { dimensions, ...others } = {}) => {
    const [metric = '', query_type] = name.split('.')
    const spec = Array.isArray(dimensions) && dimensions.length > 0 ? { dimensions, ...others } : others
    return (await engine.query(metric, query_type === undefined ? params : { query_type, ...params }, spec)).data
  }
  return {
    value,
    rows: async (name, params, spec) => (await value(name, params, spec)) as Awaited<ReturnType<Ask['rows']>>,
    async sumOfRows(name, params, spec) {
      const [metric = '', query_type] = name.split('.')
      const { data } = await engine.metricRows(metric, { query_type, limit: '1', ...params }, spec)
      return (data as { readonly sum: number }).sum
    },
    books: async () => [],
    unpriced: async () => [],
    allows_unpriced: false,
    base_currency: 'USD',
  }
}

/** Checks an identity over drawn ranges, groupings and filters. Resolves to how often there was something to be wrong about. */
export async function checkIdentity({ queries, holds }: Identity, data: IdentityCase, seed: number): Promise<number> {
  const accepted = queries.length === 0 ? NOTHING_ACCEPTED : acceptedTogether(data, queries)
  // Reasons of an end split the numerator alone.
  const isOfEnds = (key: string) => key === 'cancel_reason'
  const offered = {
    groups: accepted.groups.filter((key) => !isOfEnds(key)),
    filters: accepted.filters.filter(({ key }) => !isOfEnds(key)),
  }
  let compared = 0
  await checkDraws(data, offered, { seed }, async (scope) => {
    const { count, faults } = await holds(askOf(data.engine), scope)
    expect(faults).toEqual([])
    compared += count
  })
  return compared
}

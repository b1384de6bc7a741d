import { expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { type Ask, checkOf, type Identity } from '../../src/verify/check.ts'
import { arpuTimesCustomers } from '../../src/verify/checks/arpu-times-customers.ts'
import { breakdownIsNetChange } from '../../src/verify/checks/breakdown-is-net-change.ts'
import { churnedCustomersListed } from '../../src/verify/checks/churned-customers-listed.ts'
import { cohortsBeginWhole } from '../../src/verify/checks/cohorts-begin-whole.ts'
import { lostRevenueListed } from '../../src/verify/checks/lost-revenue-listed.ts'
import { mrrAddsUp } from '../../src/verify/checks/mrr-adds-up.ts'
import { retentionInBounds } from '../../src/verify/checks/retention-in-bounds.ts'
import { summaryAgrees } from '../../src/verify/checks/summary-agrees.ts'
import { trialsAddUp } from '../../src/verify/checks/trials-add-up.ts'
import { usageAddsUp } from '../../src/verify/checks/usage-adds-up.ts'
import { waterfallCloses } from '../../src/verify/checks/waterfall-closes.ts'
import { CHECKS } from '../../src/verify/list.ts'
import { HISTORIES } from '../support/data/histories/history-seeds.ts'
import { describeIdentities } from '../support/product/identity-cases.ts'
import { acceptedTogether, checkDraws, NOTHING_ACCEPTED } from '../support/product/identity-draws.ts'

const SEED = HISTORIES.identities_of_money[0] + 100
const IDENTITIES: readonly Identity[] = [
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

/** How often there was something to be wrong about. */
const compared = new Map<string, number>(IDENTITIES.map(({ name }) => [name, 0]))

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
    unpriced: async () => [],
    base_currency: 'USD',
  }
}

describeIdentities('the checks of verify', HISTORIES.identities_of_money, (caseOf) => {
  it.each(IDENTITIES.map((identity, index) => ({ identity, index })))('$identity.name', async ({ identity, index }) => {
    const { engine } = caseOf()
    const { queries, name, holds } = identity
    const accepted = queries.length === 0 ? NOTHING_ACCEPTED : acceptedTogether(engine, queries)
    // Reasons of an end split the numerator alone.
    const isOfEnds = (key: string) => key === 'cancel_reason'
    const offered = {
      groups: accepted.groups.filter((key) => !isOfEnds(key)),
      filters: accepted.filters.filter(({ key }) => !isOfEnds(key)),
    }
    await checkDraws(caseOf(), offered, { seed: SEED + index }, async (scope) => {
      const { count, faults } = await holds(askOf(engine), scope)
      expect(faults).toEqual([])
      compared.set(name, (compared.get(name) ?? 0) + count)
    })
  })
})

it('none of them held for want of data, and all are checks of the product', () => {
  expect([...compared].filter(([, count]) => count === 0)).toEqual([])
  const names = CHECKS.map(({ name }) => name)
  expect(IDENTITIES.map((identity) => checkOf(identity).name).filter((name) => !names.includes(name))).toEqual([])
})

import { expect, it } from 'vitest'
import { dayAfter, dayOf, sqlInstant } from '../../src/core/periods.ts'
import { HISTORIES } from '../support/data/histories/history-seeds.ts'
import { monthsOf } from '../support/oracles/fold/cohort-rows.ts'
import { isIn, rangeOf } from '../support/oracles/fold/ledger-figures.ts'
import { monthStart } from '../support/oracles/killbill/fold/instant.ts'
import { groupedBy } from '../support/product/grouped-by.ts'
import { describeIdentities } from '../support/product/identity-cases.ts'
import {
  type Accepted,
  acceptedTogether,
  checkDraws,
  NOTHING_ACCEPTED,
  rowsOf,
  total,
} from '../support/product/identity-draws.ts'

const SEED = HISTORIES.identities_of_customers[0]
const SOURCE = { dimensions: ['source'] }

/** How often there was something to be wrong about. */
const seen = {
  groups: 0,
  flat: 0,
  still: 0,
  churned: 0,
  returned: 0,
  lost: 0,
  came: 0,
  ended: 0,
  lapsed: 0,
  later_months: 0,
  revenue_months: 0,
}

/** Reasons of an end split and filter the numerator alone, so that what was live is in none of their groups (http-api.md 1.6). */
function wholeDenominators({ groups, filters }: Accepted): Accepted {
  return {
    groups: groups.filter((name) => name !== 'cancel_reason'),
    filters: filters.filter(({ key }) => key !== 'cancel_reason'),
  }
}

type Row = Readonly<Record<string, string | number | boolean | null>>

describeIdentities('identities of customers', HISTORIES.identities_of_customers, (caseOf) => {
  it('0 <= GRR <= 1 and GRR <= NRR; without gains they are equal, without movements both are 1 (I9)', async () => {
    const { engine } = caseOf()
    const offered = acceptedTogether(caseOf(), ['retention.nrr', 'retention.grr'])
    await checkDraws(caseOf(), offered, { seed: SEED, runs: 2 }, async ({ range, dimensions, filters }) => {
      // By currency the amounts are those that decide the type (D31), so a sum of 0 says that there were none.
      const spec = { dimensions: [...dimensions.filter((name) => name !== 'currency'), 'currency'], filters }
      const [net, gross] = [
        await rowsOf(engine, 'retention.nrr', range, spec),
        await rowsOf(engine, 'retention.grr', range, spec),
      ]
      const keyOf = (row: Row) => JSON.stringify(spec.dimensions.map((name) => row[name]))
      const netOf = new Map(net.map((row) => [keyOf(row), row]))
      for (const row of gross) {
        const [grr, own] = [row['retention_rate'] ?? null, netOf.get(keyOf(row))]
        expect(own).toMatchObject({ start_mrr: row['start_mrr'], contraction: row['contraction'], churn: row['churn'] })
        expect(grr === null).toBe(row['start_mrr'] === 0)
        if (grr === null) continue
        const nrr = Number(own?.['retention_rate'])
        expect(grr).toBeGreaterThanOrEqual(0)
        expect(grr).toBeLessThanOrEqual(Math.min(1, nrr))
        seen.groups++
        if (own?.['expansion'] !== 0) continue
        expect(nrr).toBe(grr)
        seen.flat++
        if (row['contraction'] !== 0 || row['churn'] !== 0) continue
        expect(grr).toBe(1)
        seen.still++
      }
    })
  })

  it('0 <= logo churn <= 1, and the table of customers has the rows that the rate counts (I10)', async () => {
    const { engine } = caseOf()
    const offered = wholeDenominators(acceptedTogether(caseOf(), ['churn.logo', 'churn.detail']))
    await checkDraws(caseOf(), offered, { seed: SEED + 1, runs: 3 }, async ({ range, dimensions, filters }) => {
      const table = await rowsOf(engine, 'churn.detail', range, { filters })
      const groups = await rowsOf(engine, 'churn.logo', range, {
        dimensions: dimensions.length === 0 ? ['source'] : dimensions,
        filters,
      })
      const left = table.filter((row) => row['churned_at'] !== null)
      expect([total(groups, 'active_at_start'), total(groups, 'churn_count')]).toEqual([table.length, left.length])
      for (const { logo_churn_rate: rate, active_at_start: live, churn_count: count } of groups) {
        if (live === 0) expect([rate, count]).toEqual([null, 0])
        else expect([rate, Number(count) <= Number(live)]).toEqual([Number((Number(count) / Number(live)).toFixed(6)), true])
      }
      for (const row of table) {
        if (row['fully_churned'] === true) expect(row['churned_at']).not.toBeNull()
        expect(row['active_at_start']).toBe(true)
      }
      seen.churned += left.length
      seen.returned += left.filter((row) => row['fully_churned'] === false).length
    })
  })

  it('the table of revenue events adds up to what was lost (I11)', async () => {
    const { engine } = caseOf()
    const offered = acceptedTogether(caseOf(), ['churn.revenue', 'churn.revenue_events'])
    await checkDraws(caseOf(), offered, { seed: SEED + 2, runs: 2 }, async ({ range, filters }) => {
      const [figures] = await rowsOf(engine, 'churn.revenue', range, { ...SOURCE, filters })
      const table = await rowsOf(engine, 'churn.revenue_events', range, { filters })
      expect(total(table, 'mrr_cents')).toBe(figures?.['revenue_lost'] ?? 0)
      seen.lost += table.length
    })
  })

  it('live at the end = live before + came to life - logo churn events - lapses by transfer (I12)', async () => {
    const { engine, relations, now } = caseOf()
    const { customer, customer_activity } = await relations('customer', 'customer_activity')
    const currencies = new Map(customer.map(({ customer_key, currency }) => [customer_key, currency]))
    const liveBefore = async (day: string) => {
      const rows = await rowsOf(engine, 'churn.logo', { start: day, end: day }, { dimensions: ['currency'] })
      return new Map(rows.map((row) => [row['currency'], Number(row['active_at_start'])]))
    }
    await checkDraws(caseOf(), NOTHING_ACCEPTED, { seed: SEED + 3 }, async ({ range: { start, end } }) => {
      const range = rangeOf(start, end, sqlInstant(now))
      const [before, after] = [await liveBefore(start), await liveBefore(dayOf(dayAfter(end)))]
      const happened = (row: Row, column: string) => row[column] !== null && isIn(String(row[column]), range)
      for (const currency of new Set([...before.keys(), ...after.keys()])) {
        const own = customer_activity.filter((row) => currencies.get(row['customer_key']) === currency) as Row[]
        const ended = own.filter((row) => happened(row, 'valid_to'))
        const came = own.filter((row) => happened(row, 'valid_from')).length
        const churned = ended.filter((row) => Number(row['is_churn']) === 1).length
        const lapsed = ended.length - churned
        expect(after.get(currency) ?? 0, `${currency} after ${end}`).toBe((before.get(currency) ?? 0) + came - churned - lapsed)
        seen.came += came
        seen.ended += churned
        seen.lapsed += lapsed
      }
    })
  })

  it('everybody is retained in the first month, nobody twice, and cohorts hold who first came to life in their month (I14)', async () => {
    const { engine, relations, now } = caseOf()
    const { mrr_span } = await relations('mrr_span')
    const first = new Map<unknown, string>()
    for (const { customer_key, valid_from, is_live } of mrr_span as Row[]) {
      const [from, known] = [String(valid_from), first.get(customer_key)]
      if (Number(is_live) === 1 && (known === undefined || from < known)) first.set(customer_key, from)
    }
    const offered = acceptedTogether(caseOf(), ['retention.cohort_matrix'])
    await checkDraws(caseOf(), offered, { seed: SEED + 4 }, async ({ range, dimensions, filters }) => {
      const cells = await rowsOf(engine, 'retention.cohort_matrix', range, { ...groupedBy(dimensions), filters })
      for (const { months_since, cohort_size: size, active_count: live, retention_rate: rate } of cells) {
        expect(Number(live)).toBeLessThanOrEqual(Number(size))
        expect(rate).toBe(Number((Number(live) / Number(size)).toFixed(6)))
        if (months_since === 0) expect(rate).toBe(1)
        else seen.later_months++
      }
      const sizeOf = (rows: readonly Row[]) =>
        total(
          rows.filter((row) => row['months_since'] === 0),
          'cohort_size',
        )
      const whole = await rowsOf(engine, 'retention.cohort_matrix', range)
      const months = monthsOf(range.start, range.end, sqlInstant(now))
      expect(sizeOf(whole)).toBe([...first.values()].filter((at) => months.includes(monthStart(at))).length)
      if (dimensions.length > 0)
        expect(sizeOf(cells)).toBe(sizeOf(await rowsOf(engine, 'retention.cohort_matrix', range, { filters })))
    })
  })

  it('a revenue cohort starts at 1, never keeps more than it had, and all cohorts together have the MRR of the month (I24)', async () => {
    const { engine } = caseOf()
    const offered = acceptedTogether(caseOf(), ['retention.revenue_cohort_matrix'])
    await checkDraws(caseOf(), offered, { seed: SEED + 5, runs: 2 }, async ({ range: { end }, dimensions, filters }) => {
      // No customer of the data began earlier, so every cohort is in the answer.
      const range = { start: '2022-01-01', end }
      const cells = await rowsOf(engine, 'retention.revenue_cohort_matrix', range, { ...groupedBy(dimensions), filters })
      for (const { months_since, start_mrr, mrr, net_retention_rate: net, gross_retention_rate: gross } of cells) {
        expect([net === null, gross === null]).toEqual([start_mrr === 0, start_mrr === 0])
        if (net === null || gross === null) continue
        expect(net).toBe(Number((Number(mrr) / Number(start_mrr)).toFixed(6)))
        expect(Number(gross)).toBeGreaterThanOrEqual(0)
        expect(Number(gross)).toBeLessThanOrEqual(Math.min(1, Number(net)))
        if (months_since === 0) expect([net, gross]).toEqual([1, 1])
        else seen.revenue_months++
      }
      const last = cells
        .map((row) => String(row['active_month']))
        .sort()
        .at(-1)
      const spec = { dimensions: dimensions.includes('currency') ? ['currency'] : ['source'], filters }
      const level = await rowsOf(engine, 'mrr.current', { at: end }, spec)
      const ofLast = cells.filter((row) => row['active_month'] === last)
      expect(total(ofLast, 'mrr')).toBe(total(level, 'mrr'))
    })
  })
})

it('none of them held for want of data', () => {
  expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([])
})

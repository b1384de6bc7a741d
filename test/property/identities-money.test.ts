import Big from 'big.js'
import { expect, it } from 'vitest'
import type { FxRate } from '../../src/core/currency.ts'
import { dayOf, sqlInstant } from '../../src/core/periods.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { metric as summaryMetric } from '../../src/metrics/summary/index.ts'
import { filterableFields } from '../../src/query/inputs.ts'
import { HISTORIES } from '../support/data/histories/history-seeds.ts'
import { isInTurn } from '../support/databases/rotation.ts'
import { monthsOf } from '../support/oracles/fold/cohort-rows.ts'
import { isIn, rangeOf } from '../support/oracles/fold/ledger-figures.ts'
import { monthStart } from '../support/oracles/killbill/fold/instant.ts'
import { baseCents, rateTable } from '../support/oracles/killbill/fold/rates.ts'
import { askedOneByOne, type Summary } from '../support/oracles/summary-figures.ts'
import { describeIdentities } from '../support/product/identity-cases.ts'
import { acceptedTogether, checkDraws, type Draw, NOTHING_ACCEPTED, rowsOf, total } from '../support/product/identity-draws.ts'

const SEED = HISTORIES.identities_of_money[0]
const MONTHLY = { interval: 'month' }
const SOURCE = ['source']
const SUMMARY_FILTERS = Object.values(summaryMetric.queries).flatMap(({ inputs }) => filterableFields(inputs, false))
const OTHER_BASE = 'NOK'
const EARLY = '2000-01-01'
const RATES = ['logo_churn_rate', 'revenue_churn_rate', 'nrr', 'grr', 'quick_ratio']

/** How often there was something to be wrong about. */
const seen = { trials: 0, usage: 0, invoices: 0, payers: 0, exact: 0, near: 0, conversions: 0, quick_ratios: 0 }

type Row = Readonly<Record<string, string | number | boolean | null>>

describeIdentities('identities of trials, usage, invoices and the summary', HISTORIES.identities_of_money, (caseOf) => {
  it('started = converted + expired + pending, and periods add up to the funnel (I13)', async () => {
    const { engine } = caseOf()
    const offered = acceptedTogether(caseOf(), ['trials.funnel', 'trials.series', 'trials.conversion_rate'])
    await checkDraws(caseOf(), offered, { seed: SEED }, async ({ range, dimensions, filters }) => {
      const spec = { dimensions: dimensions.length === 0 ? SOURCE : dimensions, filters }
      const funnel = await rowsOf(engine, 'trials.funnel', range, spec)
      const series = await rowsOf(engine, 'trials.series', { ...range, ...MONTHLY }, spec)
      const rates = await rowsOf(engine, 'trials.conversion_rate', range, spec)
      for (const row of [...funnel, ...series]) {
        expect(row['started']).toBe(Number(row['converted']) + Number(row['expired']) + Number(row['pending']))
        const rate = row['started'] === 0 ? null : Number((Number(row['converted']) / Number(row['started'])).toFixed(6))
        expect(row['conversion_rate']).toBe(rate)
      }
      for (const count of ['started', 'converted', 'expired', 'pending']) expect(total(series, count)).toBe(total(funnel, count))
      const ofRate = ({ conversion_rate, started, converted }: Row) => [conversion_rate, started, converted]
      expect(rates.map(ofRate)).toEqual(funnel.map(ofRate))
      seen.trials += total(funnel, 'started')
    })
  })

  it('usage revenue: series = total = customers (I15)', async () => {
    const { engine } = caseOf()
    const offered = acceptedTogether(caseOf(), ['usage_revenue.total', 'usage_revenue.series', 'usage_revenue.by_customer'])
    await checkDraws(caseOf(), offered, { seed: SEED + 1 }, async ({ range, dimensions, filters }) => {
      const spec = { dimensions: dimensions.length === 0 ? SOURCE : dimensions, filters }
      const groups = await rowsOf(engine, 'usage_revenue.total', range, spec)
      const series = await rowsOf(engine, 'usage_revenue.series', { ...range, ...MONTHLY }, spec)
      const customers = await rowsOf(engine, 'usage_revenue.by_customer', range, spec)
      const keyOf = (row: Row) => JSON.stringify(spec.dimensions.map((name) => row[name]))
      const within = (rows: readonly Row[], key: string) =>
        total(
          rows.filter((row) => keyOf(row) === key),
          'revenue',
        )
      for (const key of new Set([...groups, ...series, ...customers].map(keyOf)))
        expect([within(series, key), within(customers, key)], key).toEqual([within(groups, key), within(groups, key)])
      if (!dimensions.includes('currency'))
        expect(total(groups, 'revenue')).toBe((await engine.query('usage_revenue', { ...range }, { filters })).data)
      seen.usage += customers.length
    })
  })

  it('revenue of the cohorts = what their members paid in the range (I16)', async () => {
    const { engine, relations, now, rates } = caseOf()
    const { mrr_span, invoice } = (await relations('mrr_span', 'invoice')) as Record<string, readonly Row[]>
    const toBase = rateTable(rates, 'USD')
    const first = new Map<unknown, string>()
    for (const { customer_key, valid_from, mrr_cents } of mrr_span ?? []) {
      const [from, known] = [String(valid_from), first.get(customer_key)]
      if (Number(mrr_cents) > 0 && (known === undefined || from < known)) first.set(customer_key, from)
    }
    await checkDraws(caseOf(), NOTHING_ACCEPTED, { seed: SEED + 2 }, async ({ range: days }) => {
      const [months, range] = [monthsOf(days.start, days.end, sqlInstant(now)), rangeOf(days.start, days.end, sqlInstant(now))]
      const paid = (invoice ?? []).filter(({ customer_key, paid_at }) => {
        const begun = first.get(customer_key)
        return begun !== undefined && months.includes(monthStart(begun)) && isIn(String(paid_at), range)
      })
      const base = paid.map((row) =>
        baseCents(Number(row['amount_cents']), String(row['currency']), String(row['paid_at']).slice(0, 10), toBase),
      )
      expect(total(await rowsOf(engine, 'ltv.cohort', days), 'total_revenue')).toBe(
        base.reduce((sum, cents) => Number(sum) + Number(cents), 0),
      )
      const cohorts = await rowsOf(engine, 'ltv.cohort', days, { dimensions: ['currency'] })
      for (const currency of new Set([...cohorts, ...paid].map((row) => row['currency']))) {
        const own = (rows: readonly Row[]) => rows.filter((row) => row['currency'] === currency)
        expect(total(own(cohorts), 'total_revenue'), `${currency}`).toBe(total(own(paid), 'amount_cents'))
      }
      seen.invoices += paid.length
    })
  })

  it('ARPU × paying customers = MRR (I17)', async () => {
    const { engine } = caseOf()
    const offered = acceptedTogether(caseOf(), ['ltv.arpu', 'mrr.current'])
    await checkDraws(caseOf(), offered, { seed: SEED + 3 }, async ({ range: { end }, dimensions, filters }) => {
      const spec = { dimensions: dimensions.length === 0 ? SOURCE : dimensions, filters }
      const groups = await rowsOf(engine, 'ltv.arpu', { at: end }, spec)
      const levels = await rowsOf(engine, 'mrr.current', { at: end }, spec)
      expect(total(groups, 'mrr')).toBe(total(levels, 'mrr'))
      for (const { arpu, mrr, active_customers: payers } of groups) {
        expect(arpu).toBe(payers === 0 ? null : Number(new Big(Number(mrr)).div(Number(payers)).round(2, Big.roundHalfUp)))
        seen.payers += Number(payers)
      }
    })
  })

  it('another base currency at a constant rate to the old one leaves every rate unchanged (I18)', async () => {
    const { engine, number, values, over, rates, first, now } = caseOf()
    const range = { start: dayOf(new Date((Date.parse(first) + now.getTime()) / 2)), end: dayOf(now) }
    const currencies = (values.get('currency') ?? []).map(String).filter((currency) => currency !== 'USD')
    const whole = currencies.map((from, index) => ({ date: EARLY, from, to: 'USD', rate: `${index + 2}` }))
    // Whole rates leave nothing to round; with others each amount is rounded twice, which large sums hardly feel.
    const kinds = [
      ['exact', whole, '3'],
      ['near', rates, '0.9'],
    ] as const
    for (const [kind, own, factor] of kinds.filter((_, index) => isInTurn(number + index, kinds.length))) {
      // Under the rates of the data its own engine has the answer.
      const before = await ratesOf(kind === 'near' ? engine : await over(own, {}), range)
      const after = await ratesOf(await over(rebased(own, factor), { base_currency: OTHER_BASE }), range)
      const near = kind === 'near' ? 0.001 : 0
      expect(Math.abs(after.mrr - before.mrr * Number(factor))).toBeLessThanOrEqual(near * before.mrr)
      for (const name of RATES) {
        const [rate, found] = [before.rates[name] ?? null, after.rates[name] ?? null]
        if (rate === null || found === null) expect(found, name).toBe(rate)
        else expect(Math.abs(found - rate), name).toBeLessThanOrEqual(near * Math.max(1, rate))
        if (rate !== null) seen[kind]++
      }
    }
  })

  it('every figure of the summary is that of its own endpoint (I21)', async () => {
    const { engine, relations, now } = caseOf()
    const { mrr_span, mrr_movement } = (await relations('mrr_span', 'mrr_movement')) as Record<string, readonly Row[]>
    const offered = { groups: [], filters: SUMMARY_FILTERS }
    await checkDraws(caseOf(), offered, { seed: SEED + 5 }, async ({ range, filters }) => {
      const asked = range.start === range.end ? { end: range.end } : range
      const summary = (await engine.summary({ ...asked }, { filters })).data as Summary
      expect(summary).toMatchObject(await askedOneByOne(engine, summary, { filters }))
      if (summary['trial_conversion_rate'] !== null) seen.conversions++
      if (Object.keys(filters).length > 0) return
      const at = rangeOf(summary.as_of, summary.as_of, sqlInstant(now)).to
      const isOpen = ({ valid_from, valid_to }: Row) =>
        at === null
          ? valid_to === null || String(valid_to) > sqlInstant(now)
          : String(valid_from) < at && (valid_to === null || String(valid_to) >= at)
      const paying = (mrr_span ?? []).filter((span) => isOpen(span) && Number(span['mrr_base_cents']) > 0)
      const trailing = rangeOf(summary.trailing_window.start, summary.trailing_window.end, sqlInstant(now))
      const kept = (mrr_movement ?? []).filter(
        (row) => row['reason'] !== 'bundle_transfer' && isIn(String(row['occurred_at']), trailing),
      )
      const of = (...types: string[]) =>
        total(
          kept.filter((row) => types.includes(String(row['movement_type']))),
          'amount_base_cents',
        )
      const lost = -of('contraction', 'churn')
      const quick_ratio =
        lost === 0 ? null : Number(new Big(of('new', 'expansion', 'reactivation')).div(lost).round(6, Big.roundHalfUp))
      expect(summary).toMatchObject({ active_subscriptions: paying.length, quick_ratio })
      if (quick_ratio !== null) seen.quick_ratios++
    })
  })
})

it('none of them held for want of data', () => {
  expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([])
})

/** The same rates into another currency, worth a constant part of a dollar. */
function rebased(rates: readonly FxRate[], factor: string): FxRate[] {
  const scaled = rates.map((rate) => ({ ...rate, to: OTHER_BASE, rate: new Big(rate.rate).times(factor).toFixed() }))
  return [{ date: EARLY, from: 'USD', to: OTHER_BASE, rate: factor }, ...scaled]
}

/** The rates of a range, and the MRR at its end. */
async function ratesOf(engine: Engine, range: Draw['range']) {
  const { mrr, ...rates } = (await engine.summary({ ...range })).data as Record<string, number | null>
  return { rates, mrr: Number(mrr) }
}

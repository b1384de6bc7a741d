import { beforeAll, expect, it } from 'vitest'
import { groupBy } from '../../src/core/group-by.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { END_OF_PAYMENTS, paymentRows, paymentsDatabase } from '../support/data/killbill/payments-database.ts'
import { everyEngine } from '../support/databases/rotation.ts'
import { collectedOf, collectionNumbers, monthOf } from '../support/oracles/collection-loops.ts'
import { groupedBy } from '../support/product/grouped-by.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

type Row = Record<string, string | number | boolean | null>

const RANGE = { start: '2025-03-01', end: '2025-06-30' }

everyEngine('collections of a recorded server (R27)', (target) => {
  let engine: Engine
  beforeAll(async () => {
    engine = await engineOver(await paymentsDatabase(target), { tenant: ['all'], now: END_OF_PAYMENTS })
  }, 300_000)
  const ask = async (params: Row, dimensions: readonly string[]) =>
    (await engine.query('ledger', { query_type: 'collections', ...RANGE, ...params }, groupedBy(dimensions))).data as Row[]
  const rowsOf = async (cell: Record<string, unknown>) =>
    (await engine.metricRows('ledger', cell, { dimensions: ['currency'] })).data as { sum: number; rows: readonly Row[] }
  const invoices = collectedOf(paymentRows, '2025-06-07 01:02:00')

  it.each([30, 5, 4])('are those of plain loops, in each currency and month, within %i days', async (recovery_window) => {
    const rows = await ask({ recovery_window }, ['currency'])
    const groups = groupBy(invoices, (invoice) => `${monthOf(invoice)} ${invoice.currency}`)
    let failures = 0
    for (const [key, own] of groups) {
      const [period, currency] = key.split(' ')
      const found = rows.find((row) => row['period'] === period && row['currency'] === currency)
      const { period: _, currency: __, is_partial: ___, ...numbers } = found ?? {}
      const wanted = collectionNumbers(own, recovery_window)
      failures += wanted.first_attempt_failed
      if (Object.values(wanted).every((number) => number === 0 || number === null)) expect(found, key).toBeUndefined()
      else expect(numbers, key).toEqual(wanted)
    }
    expect(failures).toBe(23)
  })

  it('are those of plain loops for each customer, and have the rows behind them', async () => {
    const rows = await ask({}, ['customer_id', 'currency'])
    const groups = groupBy(invoices, (invoice) => `${monthOf(invoice)} ${invoice.account['id']}`)
    for (const row of rows.filter((one) => one['first_attempt_failed'] !== 0)) {
      const wanted = collectionNumbers(groups.get(`${row['period']} ${row['customer_id']}`) ?? [], 30)
      expect(row, `${row['customer_id']}`).toMatchObject(wanted)
    }
    const april = { query_type: 'collections', ...RANGE, period: '2025-04-01', group: ['currency=USD'] }
    const [cell] = (await ask({}, ['currency'])).filter((row) => row['period'] === '2025-04-01' && row['currency'] === 'USD')
    for (const measure of [
      'invoices_attempted',
      'first_attempt_failed',
      'recovered',
      'attempts',
      'failed_attempts',
      'never_attempted',
      'first_attempt_failed_amount',
    ]) {
      const { sum, rows: behind } = await rowsOf({ ...april, measure })
      expect(sum, measure).toBe(cell?.[measure])
      expect(behind.every((row) => row['document_id'] !== null)).toBe(true)
    }
  })

  it('are partial until the window of every failure has passed', async () => {
    const marked = async (recovery_window: number) => [
      ...new Set((await ask({ recovery_window }, [])).filter((row) => row['is_partial'] === true).map((row) => row['period'])),
    ]
    expect(await marked(6)).toEqual(['2025-06-01'])
    expect(await marked(7)).toEqual(['2025-05-01', '2025-06-01'])
    expect(await marked(38)).toEqual(['2025-04-01', '2025-05-01', '2025-06-01'])
  })

  it('say why nobody tried, by the way in which customers pay now', async () => {
    const rows = await ask({}, ['obstacle'])
    const of = (obstacle: string | null) =>
      rows.filter((row) => row['obstacle'] === obstacle).reduce((sum, row) => sum + Number(row['never_attempted']), 0)
    const untried = invoices.filter(
      ({ attempts, days, paysItself }) => attempts.length === 0 && paysItself && (days.at(-1)?.open ?? 0) > 0,
    )
    const off = new Set(
      paymentRows('tags')
        .filter((tag) => String(tag['tag_definition_id']).endsWith('-000000000001'))
        .map((tag) => tag['object_id']),
    )
    const isOff = ({ account }: (typeof untried)[number]) => off.has(account['id'] ?? null)
    const without = untried.filter((one) => !isOff(one) && (one.account['payment_method_id'] ?? null) === null)
    expect([of('auto_pay_off'), of('no_payment_method'), of('auto_pay_off') + of('no_payment_method') + of(null)]).toEqual([
      untried.filter(isOff).length,
      without.length,
      untried.length,
    ])
    expect(without.length).toBeGreaterThan(20)
  })
})

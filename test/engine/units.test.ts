import { parse } from 'csv-parse/sync'
import { beforeAll, expect, it } from 'vitest'

import { unitsOf } from '../../src/core/currency.ts'
import { isObject } from '../../src/core/json.ts'
import type { Answer, Engine } from '../../src/engine/engine.ts'
import { createApp } from '../../src/facades/http/app.ts'
import { groupableFields, paramsForDays } from '../../src/query/inputs.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { describeTargets, type Target } from '../support/databases/targets.ts'
import { namesAmount } from '../support/product/amount-columns.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { instantOf, type SheetCell, sheetsOf } from '../support/product/workbook-sheets.ts'

const RANGE = { start: '2026-02-01', end: '2026-03-31' }

/** The value of cents as units, by the names of columns alone. */
function inUnits(value: unknown, name: string, own: string, base: string): unknown {
  if (Array.isArray(value)) return value.map((item) => inUnits(item, name, own, base))
  if (isObject(value)) {
    const { currency = own } = value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inUnits(inner, key, String(currency), base)]))
  }
  if (typeof value !== 'number' || !namesAmount(name)) return value
  return unitsOf(value, name.endsWith('_base_cents') ? base : own)
}

function expectUnits(cents: Answer, units: Answer, name: string): void {
  const { base_currency, fields, amounts } = cents.meta
  const money = cents.columns.filter(namesAmount)
  expect(
    fields.filter(({ holds }) => holds === 'amount').map((field) => field.name),
    name,
  ).toEqual(money)
  expect(units.data, name).toEqual(inUnits(cents.data, cents.columns[0] ?? '', base_currency, base_currency))
  expect(units.meta, name).toMatchObject({ base_currency, fields, amounts: { currency: amounts.currency, unit: 'units' } })
}

function cellText(cell: SheetCell | null | undefined): string {
  if (cell === null || cell === undefined) return ''
  if (cell.type === 'boolean') return String(cell.value === '1')
  if (cell.format.startsWith('yyyy')) return cell.format.length > 10 ? instantOf(cell.value) : instantOf(cell.value).slice(0, 10)
  return cell.value
}

// How an answer is written does not depend on where it was asked; the cache is the quickest to ask.
describeTargets('amounts in units', define, { only: ['postgres'] })

function define(target: Target): void {
  let engine: Engine
  beforeAll(async () => {
    engine = (await cachedEngineOver(await sharedReal(target), { tenant: ['alpha'] })).engine
    return () => engine.close()
  })

  it('every amount of every metric, each in the currency that it is in, and nothing else', async () => {
    for (const metric of ['churn', 'ltv', 'mrr', 'retention', 'summary', 'trials', 'usage_revenue']) {
      for (const [query_type, { inputs }] of Object.entries(engine.metric(metric)?.queries ?? {})) {
        const choice = metric === 'summary' ? {} : { query_type }
        const dates = paramsForDays(inputs, RANGE)
        const offered = groupableFields(inputs, false).some(({ key }) => key === 'currency')
        const spec = offered ? { dimensions: ['currency'] } : {}
        const ask = (money: string) => engine.query(metric, { ...choice, ...dates, money }, spec)
        expectUnits(await ask('cents'), await ask('units'), `${metric}.${query_type}`)
      }
    }
  })

  it('lists and one customer with its subscriptions, whatever its attributes are called', async () => {
    for (const name of ['customers', 'subscriptions', 'invoices'] as const) {
      expectUnits(await engine.list(name, { limit: '40' }), await engine.list(name, { limit: '40', money: 'units' }), name)
    }
    const page = (await engine.list('subscriptions', { limit: '1' })).data as { rows: readonly { customer_id: string }[] }
    const id = page.rows[0]?.customer_id ?? ''
    expectUnits(await engine.customer(id), await engine.customer(id, { money: 'units' }), 'customer')
  })

  it('a workbook has the values of the CSV, each with its type', async () => {
    const app = createApp({ engine, version: '0', corsOrigins: [], limits: { body_bytes: 1000 }, log: () => {} })
    for (const path of [
      `metrics/mrr/breakdown?start=${RANGE.start}&end=${RANGE.end}&dimensions=currency,cohort_month&money=units`,
      `metrics/retention?start=${RANGE.start}&end=${RANGE.end}`,
      'metrics/summary?money=units',
      'customers?limit=30&money=units',
      'invoices?limit=30',
    ]) {
      const body = async (format: string) => {
        const response = await app.request(`/api/${path}&format=${format}`)
        expect(response.status, path).toBe(200)
        return response.arrayBuffer()
      }
      const csv: string[][] = parse(Buffer.from(await body('csv')), { relax_column_count: true })
      const sheet = sheetsOf(new Uint8Array(await body('xlsx'))).get('Answer') ?? []
      expect(sheet.length, path).toBe(csv.length)
      expect(csv.length, path).toBeGreaterThan(1)
      csv.forEach((cells, row) => {
        const shown = cells.map((_, column) => cellText(sheet[row]?.[column]))
        const plain = cells.map((text, column) => {
          const isNumber = row > 0 && sheet[row]?.[column]?.type === 'number' && !sheet[row]?.[column]?.format.startsWith('yyyy')
          return isNumber ? String(Number(text)) : text.replace(/^'(?=[=+\-@])/, '')
        })
        expect(shown, `${path} row ${row}`).toEqual(plain)
      })
    }
  })

  it('the plain answer is text too', async () => {
    const [cents, units] = [await engine.query('mrr'), await engine.query('mrr', { money: 'units' })]
    expect(units.data).toBe(unitsOf(Number(cents.data), cents.meta.base_currency))
  })

  it('another word is refused', async () => {
    await expect(engine.query('mrr', { money: 'euros' })).rejects.toMatchObject({ code: 'invalid_value' })
    await expect(engine.list('invoices', { money: 'euros' })).rejects.toMatchObject({ code: 'invalid_value' })
  })
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Block, type Briefing, makeBriefing } from '../../src/facades/presentation/briefing/briefing.ts'
import { dashboardPlan } from '../../src/facades/presentation/briefing/dashboard.ts'
import { openSampleService } from '../support/product/examples/sample-service.ts'
import { chartsOfAllFigures, dashboardOf, type KeptChart, type KeptConfig } from '../support/product/saved-charts.ts'

type Row = Readonly<Record<string, unknown>>

let service: Awaited<ReturnType<typeof openSampleService>>
beforeAll(async () => {
  service = await openSampleService()
})
afterAll(() => service.close())

const briefingOf = (charts: readonly { readonly name: string; readonly config: unknown }[], names = true) =>
  makeBriefing(dashboardPlan(dashboardOf(charts), { names }), service.engine, '2020-01-01', {})

/** The answer of the API to the question of a chart, with further parameters. */
async function answered({ path, query }: KeptConfig, more: Readonly<Record<string, string>> = {}) {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, ...more }))
    for (const one of [value].flat()) search.append(name, String(one))
  const response = await service.app.request(`${path}?${search}`)
  const data = JSON.parse(await response.text())
  expect(response.status, JSON.stringify(data)).toBe(200)
  return { data }
}

/** A value as its cell has it: an amount in its own currency is a text with the decimals of that currency. Yen have none. */
function asIn(cell: unknown, value: unknown): unknown {
  const [, currency] = / ([A-Z]{3})$/.exec(String(cell)) ?? []
  if (currency === undefined || typeof value !== 'number') return value
  const digits = currency === 'JPY' ? 0 : 2
  const text = new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    value / 100,
  )
  return `${text} ${currency}`
}

function blockOf({ blocks }: Briefing, title: string): Block {
  const block = blocks.find((one) => one.title === title)
  if (block === undefined) throw new Error(`no block has the title ${title}`)
  return block
}

describe('the briefing of a dashboard', () => {
  const LAST_DAY = '2026-11-20'
  const isAsked = ({ name }: KeptChart) => !/^Trial.* (by|in total by) currency$/.test(name)

  it('has the numbers of the API, for every figure over time, in total and by group', async () => {
    const charts = chartsOfAllFigures().filter(isAsked)
    const briefing = await briefingOf(charts)
    expect(briefing.left_out).toEqual([])
    expect(briefing.blocks.map(({ title }) => title)).toEqual(charts.map(({ name }) => name))
    for (const { name, config } of charts) {
      const block = blockOf(briefing, name)
      const level = config.isLevel === true ? { at: LAST_DAY } : {}
      if (config.form === 'number') {
        const { data } = await answered(config, { ...level, compare_to: 'previous' })
        const figure = block.kind === 'figures' ? block.figures[0] : undefined
        const [value, change] =
          'value' in data ? [data.value, data.change] : [data[config.measure], data[`change_${config.measure}`]]
        expect([figure?.value, figure?.change], name).toEqual([value, change])
        continue
      }
      if (block.kind !== 'table') throw new Error(`${name} is no table`)
      const { data } = await answered(config, level)
      const rows: readonly Row[] = data
      const keys = config.groups
      if (config.form === 'table') {
        const shown = block.rows.map((row) => row.slice(0, keys.length + 1))
        const wanted = rows.map((row, place) => [
          ...keys.map((key) => row[key]),
          asIn(shown[place]?.[keys.length], row[config.measure]),
        ])
        expect(shown, name).toEqual(wanted.slice(0, 50))
        continue
      }
      const columns = block.columns.map(({ title }) => title)
      for (const row of rows) {
        const column = keys.length === 0 ? 1 : columns.indexOf(keys.map((key) => row[key] ?? 'none').join(', '))
        const line = block.rows.find(([period]) => period === row['period'])
        const cell = line?.[column] ?? null
        if (column > 0) expect(cell, `${name} ${JSON.stringify(row)}`).toBe(asIn(cell, row[config.measure]))
      }
      expect(block.rows.length, name).toBe(new Set(rows.map((row) => row['period'])).size)
    }
  })

  it('is about the days on which the page would ask', async () => {
    const [level] = chartsOfAllFigures('last-month').filter(({ config }) => config.form === 'number')
    const briefing = await briefingOf([level as KeptChart])
    const block = blockOf(briefing, 'MRR')
    expect(block).toMatchObject({ figures: [{ days: 'at the end of 2026-10-31', value: 4_851_882 }] })
    expect((await answered((level as KeptChart).config, { at: '2026-10-31' })).data).toBe(4_851_882)
  })

  it('says why a chart is left out, and keeps the others', async () => {
    const [number] = chartsOfAllFigures().filter(({ config }) => config.form === 'number') as [KeptChart]
    const { blocks, left_out } = await briefingOf([
      { name: 'of another program', config: { a: 1 } },
      { name: 'of another version', config: { ...number.config, version: 2 } },
      { name: 'without a path', config: { ...number.config, path: '/api/metrics/gone' } },
      { name: 'outside the metrics', config: { ...number.config, path: '/api/keys' } },
      { name: 'with an unknown filter', config: { ...number.config, query: { filter: ['shoe_size=9'] } } },
      { name: 'with an unknown segment', config: { ...number.config, query: { segment: 'gone' } } },
      number,
    ])
    expect(blocks.map(({ title }) => title)).toEqual(['MRR'])
    const foreign = 'Another program or another version of Plumbline has saved this chart.'
    expect(left_out).toMatchObject([
      { title: 'of another program', reason: foreign },
      { title: 'of another version', reason: foreign },
      { title: 'without a path', reason: 'No metric has the path of this chart any more.' },
      { title: 'outside the metrics', reason: foreign },
      { title: 'with an unknown filter', reason: expect.stringContaining('shoe_size') },
      { title: 'with an unknown segment', reason: expect.stringContaining('gone') },
    ])
  })

  it('has no block for a dashboard without charts, and the facts nevertheless', async () => {
    expect(await briefingOf([])).toMatchObject({ title: 'Monday', blocks: [], base_currency: 'USD', warnings: [] })
  })

  it('names no customer without names, not in a title and not in a reason', async () => {
    const { rows } = JSON.parse(await (await service.app.request('/api/customers?limit=1000')).text())
    const known: readonly string[] = rows
      .flatMap((row: Row) => [row['customer_id'], row['name'], row['external_key']])
      .filter(Boolean)
    expect(known.length).toBeGreaterThan(300)
    const [customer] = rows
    const [number] = chartsOfAllFigures().filter(({ config }) => config.form === 'number') as [KeptChart]
    const ofOne = { ...number.config, query: { filter: [`customer_id=${customer.customer_id}`] } }
    const by = chartsOfAllFigures('last-12-months', 'customer_name')
    const charts = [...by, ...chartsOfAllFigures('last-12-months', 'customer_id'), { name: String(customer.name), config: ofOne }]
    const wrong = { name: 'wrong', config: { ...number.config, query: { plan_id: customer.name } } }
    const briefing = await briefingOf([...charts, wrong], false)
    const text = JSON.stringify(briefing)
    expect(known.filter((name) => text.includes(JSON.stringify(name).slice(1, -1)))).toEqual([])
    expect(briefing.left_out.filter(({ title }) => title === 'A chart of customers').length).toBeGreaterThan(10)
    // The same with names shows them, so the scan can find them.
    const named = JSON.stringify(await briefingOf(by))
    expect(known.filter((name) => named.includes(String(name))).length).toBeGreaterThan(10)
  })
})

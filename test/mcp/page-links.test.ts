import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FIGURES as DISCOVERED } from '../../docs/openapi/figures.ts'
import { pageLink } from '../../src/facades/mcp/page-link.ts'
import { BUILT_IN_METRICS } from '../../src/metrics/built-in.ts'
import { groupableFields } from '../../src/query/inputs.ts'
import { readAddress } from '../../src/web/controls/search.ts'

const PAGE = 'https://numbers.example.com'
const RANGE = { start: '2026-01-01', end: '2026-06-30' }
const ROUTES = [...readFileSync('src/web/app/router.tsx', 'utf8').matchAll(/at\('([^']+)'/g)].map(([, path]) => path)

/** The metrics of Explore. */
const FIGURES = DISCOVERED.map(({ id, metric, query_type }) => ({ id, metric, inputs: query_type }))

interface Asked {
  readonly params?: Record<string, unknown>
  readonly spec?: Record<string, unknown>
}

function linkOf(metric: string, query: string, { params = RANGE, spec = {} }: Asked = {}): string | undefined {
  const definition = BUILT_IN_METRICS.find(({ name }) => name === metric)
  return pageLink(PAGE, definition?.queries[query] ?? {}, { params, spec })
}

/** The path of a link and its state, after the page has dropped what it does not know. */
function opened(link: string) {
  const { pathname, search } = new URL(link)
  expect(ROUTES, link).toContain(pathname)
  const state = readAddress(search)
  const given = [...new URLSearchParams(search).keys()]
  expect(Object.keys(state).sort(), `the page takes every parameter of ${link}`).toEqual([...new Set(given)].sort())
  return { path: pathname, state }
}

/** No page shows these, and the Overview shows the summary. */
const NOWHERE = ['ledger', 'involuntary_churn', 'ltv.sale_price', 'summary']

const QUERIES = BUILT_IN_METRICS.flatMap(({ name, queries }) =>
  Object.entries(queries)
    .filter(([query]) => !NOWHERE.includes(name) && !NOWHERE.includes(`${name}.${query}`))
    .map(([query, { inputs }]) => ({ metric: name, query, inputs })),
)

describe('the link of an answer', () => {
  it('knows the metrics of Explore', () => {
    expect(FIGURES.map(({ id }) => id)).toEqual(expect.arrayContaining(['mrr', 'movements', 'ltv', 'usage_revenue']))
  })

  it('leads nowhere where no page shows an answer', () => {
    expect(linkOf('ledger', 'revenue')).toBeUndefined()
    expect(linkOf('involuntary_churn', 'logo')).toBeUndefined()
    expect(linkOf('ltv', 'sale_price')).toBeUndefined()
  })

  it.each(QUERIES)('$metric $query, without groups and by each dimension', ({ metric, query, inputs }) => {
    const alone = linkOf(metric, query)
    expect(alone).toBeDefined()
    opened(alone ?? '')
    for (const isSeries of [true, false]) {
      const keys = groupableFields(inputs, isSeries).map(({ key }) => key)
      for (const key of keys.filter((name) => !inputs.key_columns.includes(name))) {
        const params = isSeries ? RANGE : { at: '2026-06-30' }
        const link = linkOf(metric, query, { params, spec: { dimensions: [key] } })
        if (link === undefined) continue
        const { path, state } = opened(link)
        expect(state['dimensions'], link).toBe(key === 'source_id' ? 'tenant' : key)
        if (path !== '/explore') continue
        const figure = FIGURES.find(({ id }) => id === state['metric'])
        expect([figure?.metric, state['metric']], link).toEqual([metric, figure?.id])
        const shown = QUERIES.find((other) => other.metric === metric && other.query === figure?.inputs)
        expect(shown && groupableFields(shown.inputs, true).map((field) => field.key), link).toContain(key)
      }
    }
  })

  it.each([
    ['mrr', 'current', {}, '/mrr'],
    ['mrr', 'current', { params: { at: '2026-06-10' } }, '/mrr?start=2026-06-01&end=2026-06-10'],
    ['mrr', 'series', { params: { range: 'last-12-months', interval: 'week' } }, '/mrr?range=last-12-months&interval=week'],
    ['mrr', 'series', { params: { range: 'last-1-month' } }, '/mrr?range=last-1-months'],
    [
      'mrr',
      'current',
      { spec: { dimensions: ['plan_id', 'currency'] }, params: {} },
      '/explore?metric=mrr&view=total&dimensions=plan_id%2Ccurrency',
    ],
    ['mrr', 'arr', { params: {} }, '/explore?metric=arr&view=total'],
    [
      'mrr',
      'breakdown',
      { params: { range: 'mtd' }, spec: { dimensions: ['plan_id'] } },
      '/explore?metric=movements&view=total&range=mtd&dimensions=plan_id',
    ],
    [
      'churn',
      'revenue',
      { params: { range: 'last-month' }, spec: { dimensions: ['plan_id'] } },
      '/churn?view=revenue&range=last-month&dimensions=plan_id',
    ],
    ['churn', 'revenue_events', { params: { range: 'last-month' } }, '/churn?view=revenue&range=last-month'],
    [
      'churn',
      'logo',
      { params: { range: 'last-month' }, spec: { dimensions: ['cancel_reason'] } },
      '/churn?range=last-month&dimensions=cancel_reason',
    ],
    ['retention', 'grr', { params: { range: 'last-month' } }, '/retention?view=grr&range=last-month'],
    ['retention', 'revenue_cohort_matrix', { params: { range: 'last-year' } }, '/retention?kept=net&range=last-year'],
    [
      'retention',
      'nrr',
      { params: { range: 'last-4-quarters', granularity: 'quarter' } },
      '/retention?range=last-4-quarters&interval=quarter',
    ],
    [
      'ltv',
      'simple',
      { params: { range: 'last-year' }, spec: { dimensions: ['customer_country'] } },
      '/explore?metric=ltv&view=total&range=last-year&dimensions=customer_country',
    ],
    [
      'usage_revenue',
      'total',
      { params: { range: 'all' }, spec: { filters: { currency: ['EUR', 'USD'] } } },
      '/usage?range=all&filter=currency%3DEUR&filter=currency%3DUSD',
    ],
    ['summary', 'headline', { params: { end: '2026-06-30' } }, '/?start=2026-06-01&end=2026-06-30'],
  ] as const)('%s %s %j is %s', (metric, query, asked: Asked, path) => {
    expect(linkOf(metric, query, { params: {}, ...asked })).toBe(`${PAGE}${path}`)
  })

  it('is left out where no page shows the question', () => {
    const by = { dimensions: ['plan_id'] }
    expect(linkOf('retention', 'cohort_matrix', { spec: { dimensions: ['customer_country'] } })).toBeUndefined()
    expect(linkOf('mrr', 'waterfall', { spec: by })).toBeUndefined()
    expect(linkOf('mrr', 'current', { spec: { filters: { tenure_months: { '>': 3 } } } })).toBeUndefined()
    expect(linkOf('expenses', 'total', { params: { start: '2026-01-01' } })).toBeUndefined()
    expect(linkOf('invoices', 'invoices')).toBeUndefined()
  })
})

import { JSON_BODY } from '../support/json-body.ts'

interface Chart {
  readonly name: string
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly form: 'line' | 'area' | 'bars' | 'table' | 'number'
  readonly measure: string
  readonly groups?: readonly string[]
}

const DAYS = { range: 'last-12-months' }
const SERIES = { ...DAYS, interval: 'month' }
const RATES = { ...DAYS, granularity: 'month' }

/** Twelve charts that differ, as Explore saves them; what has a form over time is by month. */
const CHARTS: readonly Chart[] = [
  { name: 'MRR', path: 'mrr', query: SERIES, form: 'area', measure: 'mrr' },
  {
    name: 'MRR by plan',
    path: 'mrr',
    query: { ...SERIES, dimensions: 'plan_id' },
    form: 'area',
    measure: 'mrr',
    groups: ['plan_id'],
  },
  {
    name: 'Movements',
    path: 'mrr/breakdown',
    query: RATES,
    form: 'bars',
    measure: 'amount_base',
    groups: ['movement_type'],
  },
  { name: 'Net new MRR', path: 'mrr/waterfall', query: SERIES, form: 'bars', measure: 'net_change' },
  { name: 'Logo churn', path: 'churn', query: RATES, form: 'line', measure: 'logo_churn_rate' },
  {
    name: 'Net revenue retention',
    path: 'retention',
    query: { ...RATES, query_type: 'nrr' },
    form: 'line',
    measure: 'retention_rate',
  },
  { name: 'Cohorts', path: 'retention', query: DAYS, form: 'table', measure: 'retention_rate' },
  { name: 'Revenue per customer', path: 'ltv/arpu', query: SERIES, form: 'line', measure: 'arpu' },
  { name: 'Lifetime value', path: 'ltv', query: DAYS, form: 'number', measure: 'ltv' },
  { name: 'Trial conversion', path: 'trials', query: RATES, form: 'line', measure: 'conversion_rate' },
  { name: 'Usage revenue', path: 'usage-revenue', query: RATES, form: 'bars', measure: 'revenue' },
  {
    name: 'Paying customers by country',
    path: 'ltv/arpu',
    query: { ...SERIES, dimensions: 'customer_country' },
    form: 'line',
    measure: 'active_customers',
    groups: ['customer_country'],
  },
]

/** Saves the charts and a dashboard of them, as a user would; gives the address of its page. */
export async function makeDashboard(url: string): Promise<string> {
  const post = async (path: string, body: unknown): Promise<string> => {
    const response = await fetch(url + path, { method: 'POST', headers: JSON_BODY, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return ((await response.json()) as { readonly id: string }).id
  }
  const board = await post('/api/dashboards', { name: 'Twelve charts' })
  const section = await post(`/api/dashboards/${board}/sections`, { title: 'All' })
  for (const [position, { name, path, query, groups = [], ...shown }] of CHARTS.entries()) {
    const steps = shown.form === 'table' || shown.form === 'number' ? {} : { step: 'month' }
    const config = { version: 1, path: `/api/metrics/${path}`, query, groups, ...shown, ...steps, explore: {} }
    const chart = await post('/api/charts', { name, config })
    await post(`/api/dashboards/${board}/charts`, { saved_chart_id: chart, section_id: section, position })
  }
  return `/dashboards/${board}`
}

/** The names of the charts, in their order. */
export const CHART_NAMES: readonly string[] = CHARTS.map(({ name }) => name)

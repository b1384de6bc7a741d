import { JSON_BODY } from '../support/product/json-body.ts'

const DAYS = { range: 'last-12-months' }
const SERIES = { ...DAYS, interval: 'month' }
const RATES = { ...DAYS, granularity: 'month' }

type Query = Readonly<Record<string, string>> & { readonly dimensions?: string }

/** A chart as Explore saves it. The groups follow from its question, unless the rows have their own groups. */
function chart(
  name: string,
  path: string,
  query: Query,
  form: string,
  measure: string,
  groups = query.dimensions?.split(',') ?? [],
) {
  return { name, path, query, form, measure, groups }
}

/** Twelve charts that differ; what has a form over time is by month. */
const CHARTS = [
  chart('MRR', 'mrr', SERIES, 'area', 'mrr'),
  chart('MRR by plan', 'mrr', { ...SERIES, dimensions: 'plan_id' }, 'area', 'mrr'),
  chart('Movements', 'mrr/breakdown', RATES, 'bars', 'amount_base', ['movement_type']),
  chart('Net new MRR', 'mrr/waterfall', SERIES, 'bars', 'net_change'),
  chart('Logo churn', 'churn', RATES, 'line', 'logo_churn_rate'),
  chart('Net revenue retention', 'retention', { ...RATES, query_type: 'nrr' }, 'line', 'retention_rate'),
  chart('Cohorts', 'retention', DAYS, 'table', 'retention_rate'),
  chart('Revenue per customer', 'ltv/arpu', SERIES, 'line', 'arpu'),
  chart('Lifetime value', 'ltv', DAYS, 'number', 'ltv'),
  chart('Trial conversion', 'trials', RATES, 'line', 'conversion_rate'),
  chart('Usage revenue', 'usage-revenue', RATES, 'bars', 'revenue'),
  chart('Paying customers by country', 'ltv/arpu', { ...SERIES, dimensions: 'customer_country' }, 'line', 'active_customers'),
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
  for (const [position, { name, path, query, groups, ...shown }] of CHARTS.entries()) {
    const steps = shown.form === 'table' || shown.form === 'number' ? {} : { step: 'month' }
    const config = { version: 1, path: `/api/metrics/${path}`, query, groups, ...shown, ...steps, explore: {} }
    const chart = await post('/api/charts', { name, config })
    await post(`/api/dashboards/${board}/charts`, { saved_chart_id: chart, section_id: section, position })
  }
  return `/dashboards/${board}`
}

/** The names of the charts, in their order. */
export const CHART_NAMES: readonly string[] = CHARTS.map(({ name }) => name)

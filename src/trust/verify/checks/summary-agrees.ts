import type { Days } from '../../../execution/answer/answer.ts'
import { type Ask, compare, type Identity } from '../check.ts'
import { numberIn, total } from '../rows.ts'

/** The parts of a summary that name its windows. */
interface Windows {
  readonly as_of: string
  readonly year_window: Days
  readonly month_window: Days
  readonly rate_window: Days
  readonly trailing_window: Days
}

/** I21: each figure of the summary is that of its own metric. */
export const summaryAgrees: Identity = {
  name: 'summary_agrees',
  description: 'Each figure of the summary is the figure of its own metric for the same days.',
  identities: ['I21'],
  unit: 'figures',
  queries: [],
  isGrouped: false,
  async holds(ask, { range, filters }) {
    const days = range.start === range.end ? { end: range.end } : range
    const summary = (await ask.value('summary', { ...days }, { filters })) as Windows & Readonly<Record<string, unknown>>
    const figures = await figuresOf(ask, summary, filters)
    return compare(
      Object.entries(figures).map(([name, expected]) => ({
        id: `summary ${name}`,
        what: `${name} of the summary`,
        expected,
        actual: typeof summary[name] === 'number' ? summary[name] : null,
      })),
    )
  },
}

/** The figures of a summary that also have a metric, asked one by one. */
async function figuresOf(
  ask: Ask,
  { as_of: at, year_window, month_window, rate_window, trailing_window }: Windows,
  filters: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, number | null>>> {
  const one = async (query: string, params: { readonly at: string } | Days) =>
    (await ask.value(query, { ...params }, { filters })) as number | null
  const [paying] = await ask.rows('ltv.arpu', { at }, { filters, dimensions: ['source'] })
  return {
    mrr: await one('mrr.current', { at }),
    arr: await one('mrr.arr', { at }),
    arpu: await one('ltv.arpu', { at }),
    active_customers: numberIn(paying, 'active_customers') ?? 0,
    nrr_12_months: await one('retention.nrr', year_window),
    grr_12_months: await one('retention.grr', year_window),
    net_new_mrr_so_far: total(await ask.rows('mrr.breakdown', { ...month_window }, { filters }), 'amount_base'),
    net_new_mrr: total(await ask.rows('mrr.breakdown', { ...rate_window }, { filters }), 'amount_base'),
    logo_churn_rate: await one('churn.logo', rate_window),
    revenue_churn_rate: await one('churn.revenue', rate_window),
    nrr: await one('retention.nrr', rate_window),
    grr: await one('retention.grr', rate_window),
    ltv: await one('ltv.simple', trailing_window),
    trial_conversion_rate: await one('trials.conversion_rate', trailing_window),
  }
}

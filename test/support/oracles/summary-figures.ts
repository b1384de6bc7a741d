import type { Engine } from '../../../src/engine/engine.ts'

type Row = Readonly<Record<string, string | number | null>>

interface Days {
  readonly start: string
  readonly end: string
}

/** A summary with the windows it states. */
export interface Summary extends Record<string, unknown> {
  readonly as_of: string
  readonly year_window: Days
  readonly month_window: Days
  readonly rate_window: Days
  readonly trailing_window: Days
}

/** The summary's figures as the metrics answer them over its windows, one request each (I21). Two figures have no endpoint. */
export async function askedOneByOne(
  engine: Engine,
  { as_of: at, year_window, month_window, rate_window, trailing_window }: Summary,
  spec: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const ask = async (metric: string, query_type: string, params: { readonly at: string } | Days) =>
    (await engine.query(metric, { query_type, ...params }, spec)).data
  const [paying] = (await engine.query('ltv', { query_type: 'arpu', at }, { ...spec, dimensions: ['source'] })).data as Row[]
  const net = async (days: Days) =>
    ((await ask('mrr', 'breakdown', days)) as Row[]).reduce((sum, row) => sum + Number(row['amount_base']), 0)
  return {
    mrr: await ask('mrr', 'current', { at }),
    arr: await ask('mrr', 'arr', { at }),
    arpu: await ask('ltv', 'arpu', { at }),
    active_customers: paying?.['active_customers'] ?? 0,
    nrr_12_months: await ask('retention', 'nrr', year_window),
    grr_12_months: await ask('retention', 'grr', year_window),
    net_new_mrr_so_far: await net(month_window),
    net_new_mrr: await net(rate_window),
    logo_churn_rate: await ask('churn', 'logo', rate_window),
    revenue_churn_rate: await ask('churn', 'revenue', rate_window),
    nrr: await ask('retention', 'nrr', rate_window),
    grr: await ask('retention', 'grr', rate_window),
    ltv: await ask('ltv', 'simple', trailing_window),
    trial_conversion_rate: await ask('trials', 'conversion_rate', trailing_window),
  }
}

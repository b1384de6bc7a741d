import type { Engine } from '../../../src/engine/engine.ts'

type Row = Readonly<Record<string, string | number | null>>

interface Days {
  readonly start: string
  readonly end: string
}

/** A summary with the windows it states. */
export interface Summary extends Record<string, unknown> {
  readonly as_of: string
  readonly rate_window: Days
  readonly trailing_window: Days
}

/** The summary's figures as the metrics answer them over its windows, one request each (I21). Two figures have no endpoint. */
export async function askedOneByOne(
  engine: Engine,
  { as_of: at, rate_window, trailing_window }: Summary,
  spec: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const ask = async (metric: string, query_type: string, params: { readonly at: string } | Days) =>
    (await engine.query(metric, { query_type, ...params }, spec)).data
  const [paying] = (await engine.query('ltv', { query_type: 'arpu', at }, { ...spec, dimensions: ['source'] })).data as Row[]
  const breakdown = (await ask('mrr', 'breakdown', rate_window)) as Row[]
  return {
    mrr: await ask('mrr', 'current', { at }),
    arr: await ask('mrr', 'arr', { at }),
    arpu: await ask('ltv', 'arpu', { at }),
    active_customers: paying?.['active_customers'] ?? 0,
    net_new_mrr: breakdown.reduce((sum, row) => sum + Number(row['amount_base']), 0),
    logo_churn_rate: await ask('churn', 'logo', rate_window),
    revenue_churn_rate: await ask('churn', 'revenue', rate_window),
    nrr: await ask('retention', 'nrr', rate_window),
    grr: await ask('retention', 'grr', rate_window),
    ltv: await ask('ltv', 'simple', trailing_window),
    trial_conversion_rate: await ask('trials', 'conversion_rate', trailing_window),
  }
}

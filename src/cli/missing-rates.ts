import * as z from 'zod'
import { AppError } from '../core/errors.ts'
import type { Engine } from '../engine/engine.ts'

const pair = z.object({
  from: z.string(),
  to: z.string(),
  first_day: z.string(),
  last_day: z.string(),
  count: z.number(),
})

/** A pair of currencies without a rate; `count` amounts need one. */
export type MissingRate = z.infer<typeof pair>

/** No billing engine is older. */
const BEGINNING = '2000-01-01'
/** Later than now, whatever the engine's clock says; what has not come yet needs no rate (D3). */
const END = '2099-12-31'

/** Figures that together convert every amount: spans and movements (D12), usage charges and invoices (D13). */
const FIGURES = [
  { metric: 'mrr', query_type: 'breakdown' },
  { metric: 'usage_revenue', query_type: 'total' },
  { metric: 'ltv', query_type: 'cohort' },
] as const

/**
 * Every pair of currencies that some amount of the billing data needs and that has no rate, by first day: what the figures over all
 * its time are refused for. What the connector cannot supply needs none.
 */
export async function missingRates(engine: Engine, signal: AbortSignal): Promise<readonly MissingRate[]> {
  const found = new Map<string, MissingRate>()
  for (const { metric, query_type } of FIGURES) {
    for (const each of await refusedFor(engine, metric, query_type, signal)) {
      const known = found.get(each.from)
      found.set(each.from, known === undefined ? each : merged(known, each))
    }
  }
  return [...found.values()].sort((a, b) => (`${a.first_day} ${a.from}` < `${b.first_day} ${b.from}` ? -1 : 1))
}

async function refusedFor(
  engine: Engine,
  metric: string,
  query_type: string,
  signal: AbortSignal,
): Promise<readonly MissingRate[]> {
  try {
    await engine.query(metric, { query_type, start: BEGINNING, end: END }, {}, { signal })
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'missing_fx_rate') return z.array(pair).parse(error.context['pairs'])
    if (error.code === 'unsupported_by_connector' || error.code === 'unpriced_plan') return []
    throw error
  }
}

function merged(a: MissingRate, b: MissingRate): MissingRate {
  return {
    ...a,
    first_day: a.first_day < b.first_day ? a.first_day : b.first_day,
    last_day: a.last_day > b.last_day ? a.last_day : b.last_day,
    count: a.count + b.count,
  }
}

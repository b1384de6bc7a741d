import * as z from 'zod'
import { AppError } from '../../core/errors.ts'
import type { Answer, AskOptions } from '../../execution/answer/answer.ts'
import type { Raw } from '../../query/raw-parameters.ts'

const pair = z.object({
  from: z.string(),
  to: z.string(),
  first_day: z.string(),
  last_day: z.string(),
  count: z.number(),
})

/** A pair of currencies without a rate. `count` is the number of amounts that need it. */
export type MissingPair = z.infer<typeof pair>

/** Asks the engine for a figure. */
export type AskFigure = (metric: string, params: Raw, spec: Raw, options: AskOptions) => Promise<Answer>

/** A day before any billing data. */
const BEGINNING = '2000-01-01'
/** A day after now on any engine clock. Future amounts need no rate (D3). */
const END = '2099-12-31'

/** Figures that together convert every amount: spans and movements (D12), usage charges and invoices (D13), expense lines (D60). */
const FIGURES = [
  { metric: 'mrr', query_type: 'breakdown' },
  { metric: 'usage_revenue', query_type: 'total' },
  { metric: 'ltv', query_type: 'cohort' },
  { metric: 'expenses', query_type: 'total' },
] as const

/** Other reasons for which a figure may fail. Such a figure is assumed to need no rate. */
const OTHER_REASONS: readonly string[] = ['unsupported_by_connector', 'unpriced_plan']

/**
 * All pairs of currencies that a billing or expense amount needs and that have no rate, by first day. Asks for the figures over
 * all time and collects the missing pairs from the refusals. Unsupported figures need no rates.
 */
export async function missingRates(ask: AskFigure, options: AskOptions): Promise<readonly MissingPair[]> {
  const found = new Map<string, MissingPair>()
  for (const figure of FIGURES) {
    for (const each of await refusedFor(ask, figure, options)) {
      const known = found.get(each.from)
      found.set(each.from, known === undefined ? each : merged(known, each))
    }
  }
  return [...found.values()].sort((a, b) => (`${a.first_day} ${a.from}` < `${b.first_day} ${b.from}` ? -1 : 1))
}

async function refusedFor(
  ask: AskFigure,
  { metric, query_type }: (typeof FIGURES)[number],
  options: AskOptions,
): Promise<readonly MissingPair[]> {
  try {
    await ask(metric, { query_type, start: BEGINNING, end: END }, {}, options)
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'missing_fx_rate') return z.array(pair).parse(error.context['pairs'])
    if (OTHER_REASONS.includes(error.code)) return []
    throw error
  }
}

function merged(a: MissingPair, b: MissingPair): MissingPair {
  return {
    ...a,
    first_day: a.first_day < b.first_day ? a.first_day : b.first_day,
    last_day: a.last_day > b.last_day ? a.last_day : b.last_day,
    count: a.count + b.count,
  }
}

import type { MetricDefinition } from '../../engine/engine.ts'
import { needsRange } from '../presentation/parameters.ts'
import { type CommandInput, optionValue } from './command.ts'
import type { OptionName } from './options.ts'

/** Dates that a command adds to those of the command line, and the words that tell it. */
export interface AddedDays {
  /** Parameters of the request. */
  readonly params: readonly (readonly [name: string, value: string])[]
  readonly words: string
  readonly option: OptionName
}

/** The dates of a command. */
export interface CommandDays {
  /** True if the query needs a range. */
  readonly isNeeded: boolean
  /** The named range that it takes without dates. */
  readonly usual: UsualRange
}

type UsualRange = keyof typeof WORDS

const WORDS = {
  'last-month': 'last full month',
  'last-365-days': 'last 365 days',
  'last-12-months': 'last 12 months',
} as const

// By metric and query. Every other query has the last 12 months.
const USUAL: Readonly<Record<string, UsualRange>> = {
  churn: 'last-month',
  'churn logo': 'last-month',
  'churn revenue': 'last-month',
  'mrr breakdown': 'last-month',
  'mrr why': 'last-month',
  'retention nrr': 'last-365-days',
  'retention grr': 'last-365-days',
  ltv: 'last-365-days',
  'ltv simple': 'last-365-days',
  trials: 'last-365-days',
  'trials conversion_rate': 'last-365-days',
  'trials funnel': 'last-365-days',
}

/**
 * The named range of a query without dates. Figures of the summary have its window: the last full month for churn and movements, else the last
 * 365 days. Everything else has the last 12 months, and so has each query with a row per period.
 */
export function usualRange(metric: string, query: string | undefined, hasPeriods: boolean): UsualRange {
  const name = query === undefined ? metric : `${metric} ${query}`
  return (hasPeriods ? undefined : USUAL[name]) ?? 'last-12-months'
}

/** The dates of a command that takes any query of a metric: those that the command of the query takes. */
export function queryDays(definition: MetricDefinition, input: CommandInput): CommandDays {
  const { name } = definition
  const given = optionValue(input, 'query-type')
  const query = queryIn(definition, input)
  const hasPeriods = input.values.has('granularity') || input.values.has('interval')
  const isSeries = input.values.has('granularity') && !input.values.has('at')
  return {
    isNeeded: query !== undefined && (needsRange(query.inputs) || isSeries),
    usual: usualRange(name, given, hasPeriods),
  }
}

/** True if a command that takes any query of a metric asks one about a month. */
export function isAboutMonth(definition: MetricDefinition, input: CommandInput): boolean {
  return queryIn(definition, input)?.inputs.dates === 'month'
}

function queryIn({ queries, choose }: MetricDefinition, input: CommandInput) {
  const type = optionValue(input, 'type')
  const chosen =
    optionValue(input, 'query-type') ?? (type !== undefined && Object.hasOwn(queries, type) ? type : choose(undefined, {}, {}))
  return Object.hasOwn(queries, chosen) ? queries[chosen] : undefined
}

/** The default dates of a command, in words for its help. */
export function usualDaysText(metric: string, query: string | undefined): string {
  const usual = (name: string | undefined) => WORDS[usualRange(metric, name, false)]
  const plain = `Without dates: the ${usual(query)}.`
  const other = metric === 'retention' && query === undefined ? ` For nrr and grr: the ${usual('nrr')}.` : ''
  const periods = usual(query) === WORDS['last-12-months'] ? '' : ` With --granularity: the ${WORDS['last-12-months']}.`
  return `${plain}${other}${periods} --start alone ends today.`
}

/** The default dates of a command that takes any metric, in words for its help. */
export const ANY_USUAL_DAYS = 'Without dates: the range that the command of the metric takes. --start alone ends today.'

/** The dates to add: the usual range without any, and today as the end of `--start` alone. Undefined if the command line has its own. */
export function addedDays(input: CommandInput, { isNeeded, usual }: CommandDays, today: string): AddedDays | undefined {
  const has = (name: OptionName) => input.values.has(name) || input.flags.has(name)
  if (has('range') || has('last') || has('ytd') || has('end')) return undefined
  const start = optionValue(input, 'start')
  if (start !== undefined) return start > today ? undefined : { params: [['end', today]], words: 'up to today', option: 'end' }
  if (!isNeeded) return undefined
  return { params: [['range', usual]], words: WORDS[usual], option: 'range' }
}

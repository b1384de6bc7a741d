import * as z from 'zod'
import { type Calendar, isZone, UTC } from './calendar.ts'
import { LEDGER_DEFINITIONS } from './ledger-options.ts'
import { dayBefore, dayOf, isDay, periodStart } from './periods.ts'

/** Words of billing periods, separated by commas, or `all`. */
const PERIODS = /^(all|[A-Z][A-Z0-9_]*(,[A-Z][A-Z0-9_]*)*)$/

/** Values of the option `fx`. */
const FX = /^(span_start|period_end|constant:(\d{4}-\d{2}-\d{2}|last_month_end))$/

/** Longest window of returning customers, in days. */
const MOST_DAYS = 36_500

/** Longest window of a swap, in minutes: a week. */
const MOST_SWAP_MINUTES = 10_080
const SWAP_MINUTES = `a whole number of minutes from 0 to ${MOST_SWAP_MINUTES}`

/** The options of definitions.md section 15. The first choice is the default. */
export const definitionsSchema = z.strictObject({
  base_currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'three capital letters')
    .optional()
    .describe('Currency that amounts are converted to. Default: the only currency of the counted customers, otherwise USD'),
  mrr_usage: z
    .enum(['mean3', 'off'])
    .default('mean3')
    .describe('Usage in MRR: the mean of the last three complete months, or none'),
  allow_unpriced: z
    .boolean()
    .default(false)
    .describe('Leave out subscriptions without a catalog price, with a warning, instead of refusing the query'),
  test_accounts: z.enum(['exclude', 'include']).default('exclude').describe('Whether accounts tagged TEST count'),
  derive_fixed_term_end: z
    .boolean()
    .default(true)
    .describe('End a fixed-term subscription at the end of its term if the engine has recorded no end'),
  pause: z
    .enum(['churn', 'keep'])
    .default('churn')
    .describe('A paused subscription has no MRR, so a pause is churn; or it keeps its MRR, and a pause is no movement'),
  quantity: z
    .enum(['agreed', 'one'])
    .default('agreed')
    .describe('MRR counts the agreed quantity, or each subscription once at its unit price'),
  billing_periods: z
    .string()
    .regex(PERIODS, 'all, or words of the billing engine separated by commas, such as MONTHLY,ANNUAL')
    .default('all')
    .describe('Billing periods whose recurring prices count in MRR: all, or words separated by commas. Other periods count as 0'),
  grain: z
    .enum(['subscription', 'customer'])
    .default('subscription')
    .describe('Movements have the kinds of single subscriptions, or of customers: a second subscription is then expansion'),
  reactivation_window: z
    .union([z.int().min(0).max(MOST_DAYS), z.literal('none')], {
      error: `a whole number of days from 0 to ${MOST_DAYS}, or none`,
    })
    .default('none')
    .describe(
      'Days within which a customer that left and comes back is a reactivation, later it is new; none: always a reactivation',
    ),
  swap_window: z
    .int(SWAP_MINUTES)
    .min(0, SWAP_MINUTES)
    .max(MOST_SWAP_MINUTES, SWAP_MINUTES)
    .default(0)
    .describe(
      'Minutes within which another subscription of the customer replaces one that ends; 0: only in the same instant, in the same bundle',
    ),
  time_zone: z
    .string()
    .refine(isZone, 'the name of a time zone of the IANA database, such as America/New_York')
    .default(UTC)
    .describe('Time zone whose calendar days, months and other periods have. Instants in answers stay UTC'),
  fx: z
    .string()
    .regex(FX, 'span_start, period_end, or constant: with a day or last_month_end, such as constant:2026-06-30')
    .refine((fx) => isDay(fx.replace('constant:', '')) || !/\d/.test(fx), 'the day must exist')
    .default('span_start')
    .describe(
      'Exchange rate of an amount of MRR: that of the day on which it last changed, that of the day that a figure is about, or that of one day for all amounts. constant:last_month_end is the last day of the last full month',
    ),
  nrr_reactivation: z
    .enum(['exclude', 'include'])
    .default('exclude')
    .describe('Net revenue retention leaves out MRR that returns by reactivation, or counts it as a gain'),
  tax: z
    .enum(['include', 'exclude'])
    .default('include')
    .describe('Whether paid amounts, in cohort LTV and in the revenue of margins, contain tax'),
  refunds: z
    .enum(['ignore', 'subtract'])
    .default('ignore')
    .describe('Refunds and chargebacks change no paid amount, or are negative amounts at their own instants'),
  lifetime: z
    .boolean()
    .default(false)
    .describe('Cohort LTV counts all that the customers have paid up to now, in place of what they paid in the range'),
  ...LEDGER_DEFINITIONS,
})

/** The options, and `ledger.close_days` of the configuration, which no set states. */
export type Definitions = z.infer<typeof definitionsSchema> & {
  /** Days after the end of a month up to which the books of the month know its postings (D99). Absent: they know all. */
  readonly close_days?: number | undefined
}

/** Options that a definition set may state. A set never changes the currency of amounts. */
export type SetOptions = {
  readonly [Option in Exclude<keyof z.infer<typeof definitionsSchema>, 'base_currency'>]?: Definitions[Option] | undefined
}

const { base_currency: _base, ...options } = definitionsSchema.shape

/** The options of one definition set: only those that differ from the default set. */
export const setOptionsSchema: z.ZodType<SetOptions> = z.strictObject(
  Object.fromEntries(Object.entries(options).map(([name, option]) => [name, option.unwrap().optional()])),
)

/** Options under a name, for requests that ask for other numbers than those of the configuration. */
export interface DefinitionSet {
  readonly name: string
  readonly description: string
  /** The options that the set states. The others are those of the configuration. */
  readonly options: SetOptions
}

/** Every option: its default, its values if they are few, and its meaning. */
export const OPTIONS = (Object.keys(definitionsSchema.shape) as (keyof typeof definitionsSchema.shape)[]).map((key) => {
  const { description = '' } = definitionsSchema.shape[key]
  if (key === 'base_currency') return { key, default: null, choices: null, description }
  const option = definitionsSchema.shape[key]
  const inner: z.ZodType = option.unwrap()
  const choices = inner instanceof z.ZodEnum ? inner.options.map(String) : inner instanceof z.ZodBoolean ? [false, true] : null
  return { key, default: option.def.defaultValue, choices, description }
})

/** D10: the configured currency, else the only one in use, else USD. */
export function baseCurrency(definitions: Definitions, currencies: readonly string[]): string {
  const [only, ...others] = currencies
  return definitions.base_currency ?? (only !== undefined && others.length === 0 ? only : 'USD')
}

/** The day whose exchange rates all amounts have (D65). Null without a constant rate. A day after today has the rates of today. */
export function constantRateDay(
  { fx }: Pick<Definitions, 'fx'>,
  { now, clockNow }: Pick<Calendar, 'now' | 'clockNow'>,
): string | null {
  const [kind, day] = fx.split(':')
  if (kind !== 'constant' || day === undefined) return null
  const wanted = day === 'last_month_end' ? dayBefore(periodStart(clockNow, 'month')) : day
  return wanted < dayOf(now) ? wanted : dayOf(now)
}

/** Options that decide which facts exist. Rows that were made with others cannot answer. */
const FACT_OPTIONS = ['allow_unpriced', 'test_accounts', 'derive_fixed_term_end'] as const satisfies (keyof Definitions)[]

/** True if the facts that were read with the definitions `held` also answer a request with the definitions `asked`. */
export function sharesFacts(held: Definitions, asked: Definitions): boolean {
  return FACT_OPTIONS.every((name) => held[name] === asked[name]) && (held.mrr_usage === 'mean3' || asked.mrr_usage === 'off')
}

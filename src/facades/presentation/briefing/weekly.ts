import { dayIn, UTC } from '../../../core/calendar.ts'
import { dayOf, dayStart, daysBefore, periodStart } from '../../../core/periods.ts'
import { type Asking, type BriefingPlan, type Part, tableBlock } from './briefing.ts'
import { figuresPart } from './figures.ts'
import { NOTES } from './notes.ts'

/** Movements that follow the sentences about the change. */
const MOST_MOVERS = 5
/** Rows of a list. */
const MOST_ROWS = 10
/** Days ahead in which trials end and contracts renew. */
const TRIAL_DAYS = 7
const RENEWAL_DAYS = 30
/** The largest page of a list. */
const WHOLE_LIST = 1_000

/** The last week that is over, Monday to Sunday. */
function lastWeek(today: string): { readonly start: string; readonly end: string } {
  const monday = dayOf(periodStart(dayStart(today), 'week'))
  return { start: daysBefore(monday, 7), end: daysBefore(monday, 1) }
}

const after = (day: string, days: number): string => daysBefore(day, 0 - days)

const FIGURES = figuresPart(
  () => 'At the end of the week, and the change in it',
  ['mrr', 'net_new_mrr_so_far', 'nrr_12_months', 'active_customers'],
)

const CHANGES: Part = {
  title: 'What changed',
  async ask({ engine, days, options, seen }) {
    const answer = seen(await engine.query('mrr', { query_type: 'why', ...days, limit: String(MOST_MOVERS) }, {}, options))
    const { sentences, movers } = answer.data as {
      readonly sentences: readonly string[]
      readonly movers: readonly { readonly text: string }[]
    }
    const told = [...sentences, ...movers.map(({ text }) => text)]
    return { kind: 'sentences', title: 'What changed MRR', page: `mrr?start=${days.start}&end=${days.end}`, sentences: told }
  },
}

/** All subscriptions in a trial, whose end is a day on the clock of the answer. */
async function trialsOf({ engine, options, seen }: Asking) {
  const trials: (Readonly<Record<string, unknown>> & { readonly trial_end: string | null })[] = []
  for (;;) {
    const asked = { status: 'trialing', limit: String(WHOLE_LIST), offset: String(trials.length) }
    const answer = seen(await engine.list('subscriptions', asked, {}, options))
    const page = answer.data as { readonly total: number; readonly rows: readonly Readonly<Record<string, unknown>>[] }
    const zone = answer.meta.time_zone ?? UTC
    const dayOfEnd = (end: unknown) => (typeof end === 'string' ? dayIn(zone, new Date(end)) : null)
    trials.push(...page.rows.map((row) => ({ ...row, trial_end: dayOfEnd(row['trial_end']) })))
    if (page.rows.length === 0 || trials.length >= page.total) return { answer, trials }
  }
}

const TRIALS: Part = {
  title: 'Trials that end',
  isAhead: true,
  async ask(asking) {
    const { today, warn } = asking
    const last = after(today, TRIAL_DAYS - 1)
    const { answer, trials } = await trialsOf(asking)
    const endless = trials.filter(({ trial_end }) => trial_end === null).length
    if (endless > 0) warn(`Nobody knows when the trials of ${endless} subscriptions end.`)
    const rows = trials
      .filter(({ trial_end }) => trial_end !== null && trial_end >= today && trial_end <= last)
      .toSorted((one, other) => (String(one.trial_end) < String(other.trial_end) ? -1 : 1))
    if (rows.length === 0) return undefined
    const own = { ...answer, data: { total: rows.length, rows } }
    const columns = ['trial_end', 'customer_name', 'plan_id', 'quantity']
    return tableBlock(own, { title: `Trials that end by ${last}`, page: 'trials', columns, most: MOST_ROWS })
  },
}

const RENEWALS: Part = {
  title: 'Contracts that renew',
  isAhead: true,
  async ask({ engine, today, options, seen }) {
    const [start, end] = [after(today, 1), after(today, RENEWAL_DAYS)]
    const asked = { start, end, limit: String(MOST_ROWS) }
    const answer = seen(await engine.renewals(asked, { filters: { term: 'contract' } }, options))
    if ((answer.data as { readonly total: number }).total === 0) return undefined
    const columns = ['renews_on', 'customer_name', 'plan_id', 'quantity', 'mrr_base_cents']
    return tableBlock(answer, { title: `Contracts that renew by ${end}`, page: `renewals?start=${start}&end=${end}`, columns })
  },
}

const UNBILLED: Part = {
  title: 'Agreed but not billed',
  isAhead: true,
  async ask({ engine, options, seen }) {
    const answer = seen(await engine.billingHealth({}, {}, options))
    const health = answer.data as {
      readonly end: string
      readonly monthly_unbilled_base_cents: number | null
      readonly at_stake_base_cents: number | null
    }
    if (health.monthly_unbilled_base_cents === 0 && health.at_stake_base_cents === 0) return undefined
    const days = `as of ${health.end}`
    return {
      kind: 'figures',
      title: 'Agreed but not billed',
      page: 'billing-health',
      figures: [
        { title: 'Not billed, a month', value: health.monthly_unbilled_base_cents, unit: 'money', days },
        { title: 'At stake in all findings', value: health.at_stake_base_cents, unit: 'money', days },
      ],
    }
  },
}

/** One screen for every Monday: the week that is over, and what is due. */
export const WEEKLY: BriefingPlan = {
  name: 'weekly',
  daysOf: lastWeek,
  titleOf: ({ start, end }) => `The week from ${start} to ${end}`,
  parts: [FIGURES, CHANGES, NOTES, TRIALS, RENEWALS, UNBILLED],
}

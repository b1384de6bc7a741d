import { dayBefore, dayOf, dayStart, lastClosedMonth, nextPeriod, periodsOn } from '../../../core/periods.ts'
import type { Answer } from '../../../engine/engine.ts'
import { recordsOf } from '../table.ts'
import { type Block, type BriefingPlan, type Days, type Part, type Shown, tableBlock } from './briefing.ts'
import { figuresPart, summaryFigures } from './figures.ts'
import { NOTES } from './notes.ts'

/** Months of a board pack, and the largest customers that it names. */
const MONTHS = 12
const LARGEST = 10
/** Months after the first of a cohort that have a column. */
const COHORT_MONTHS = [0, 1, 2, 3, 6, 9]

/** The last twelve months that have been over for a day. */
function lastYear(today: string): Days {
  const last = dayStart(lastClosedMonth(today))
  return { start: dayOf(periodsOn(last, 'month', 1 - MONTHS)), end: dayBefore(nextPeriod(last, 'month')) }
}

const FIGURES = figuresPart(
  (end) => `At the end of ${end.slice(0, 7)}, and the change in a year`,
  ['mrr', 'active_customers', 'arpu', 'nrr_12_months', 'grr_12_months'],
)

const MRR: Part = {
  title: 'MRR by month',
  async ask({ engine, days, options, seen }) {
    const answer = seen(await engine.query('mrr', { query_type: 'series', ...days, interval: 'month' }, {}, options))
    const page = `mrr?start=${days.start}&end=${days.end}`
    return tableBlock(byMonth(answer), { title: 'MRR by month', page, columns: ['period', 'mrr'], hasBars: true })
  },
}

const MOVEMENTS: Part = {
  title: 'Movements of MRR',
  async ask({ engine, days, options, seen }) {
    const answer = seen(await engine.query('mrr', { query_type: 'waterfall', ...days, interval: 'month' }, {}, options))
    const columns = ['period', 'new', 'expansion', 'contraction', 'churn', 'reactivation', 'transfer', 'fx_effect', 'net_change']
    return tableBlock(byMonth(answer), {
      ...{ title: 'Movements of MRR', page: `mrr?start=${days.start}&end=${days.end}`, columns },
      unlessZero: ['transfer', 'fx_effect'],
    })
  },
}

const CHURN: Part = {
  title: 'Lost customers',
  async ask({ engine, days, options, seen }) {
    const dimensions = { dimensions: ['cancel_reason'] }
    const answer = seen(await engine.query('churn', { query_type: 'logo', ...days }, dimensions, options))
    const rows = recordsOf(answer).map((row) => ({ ...row, cancel_reason: row['cancel_reason'] ?? 'no reason' }))
    if (rows.length === 0) return undefined
    return tableBlock({ ...answer, data: rows } as Answer, {
      title: 'Lost customers by reason, of those at the start',
      page: `churn?start=${days.start}&end=${days.end}`,
      columns: ['cancel_reason', 'churn_count', 'logo_churn_rate'],
    })
  },
}

const COHORTS: Part = {
  title: 'Cohorts',
  async ask({ engine, days, options, seen }) {
    const answer = seen(await engine.query('retention', { query_type: 'cohort_matrix', ...days }, {}, options))
    return cohortBlock(answer, days)
  },
}

/** A line for each cohort: its size, and the share of its customers that was left after some months. */
function cohortBlock(answer: Answer, { start, end }: Days): Block | undefined {
  const records = recordsOf(answer)
  const cohorts = [...new Set(records.map((row) => String(row['cohort_month'])))]
  const months = COHORT_MONTHS.filter((month) => records.some((row) => row['months_since'] === month))
  if (cohorts.length === 0) return undefined
  return {
    ...{ kind: 'table', title: 'Customers left of each cohort, by months since', more: 0, hasBars: false },
    page: `retention?start=${start}&end=${end}`,
    columns: [
      { title: 'Cohort' },
      { title: 'Customers', unit: 'count' },
      ...months.map((month) => ({ title: String(month), unit: 'fraction' as const })),
    ],
    rows: cohorts.map((cohort): readonly Shown[] => {
      const own = records.filter((row) => row['cohort_month'] === cohort)
      const share = (month: number) => own.find((row) => row['months_since'] === month)?.['retention_rate']
      const size = own[0]?.['cohort_size']
      return [
        cohort.slice(0, 7),
        typeof size === 'number' ? size : null,
        ...months.map((month) => {
          const rate = share(month)
          return typeof rate === 'number' ? rate : null
        }),
      ]
    }),
  }
}

const CUSTOMERS: Part = {
  title: 'The largest customers',
  async ask({ engine, days: { end }, options, seen }) {
    const asked = { query_type: 'current', at: end, order: '-mrr', limit: String(LARGEST) }
    const spec = { dimensions: ['customer_id', 'customer_name'] }
    const answer = seen(await engine.query('mrr', asked, spec, options))
    const count = recordsOf(answer).length
    if (count === 0) return undefined
    const title = count === 1 ? 'The only customer' : `The ${count} largest customers`
    return { ...tableBlock(answer, { title, page: `customers?end=${end}`, columns: ['customer_name', 'mrr'] }), more: 0 } as Block
  },
}

const AHEAD: Part = {
  title: 'What is scheduled',
  isAhead: true,
  async ask({ engine, options, seen }) {
    const answer = seen(await engine.summary({ forecast: 'true' }, {}, options))
    const figures = summaryFigures(answer, ['mrr_in_trial', 'mrr_scheduled_to_cancel'])
    return figures.length === 0 ? undefined : { kind: 'figures', title: 'What is scheduled now', page: 'mrr', figures }
  },
}

/** The months of a table without their days. */
function byMonth(answer: Answer): Answer {
  const rows = recordsOf(answer).map((row) => ({ ...row, period: String(row['period']).slice(0, 7) }))
  return { ...answer, data: rows }
}

/** The last twelve months for a board: one subject a page. */
export const BOARD: BriefingPlan = {
  name: 'board',
  daysOf: lastYear,
  titleOf: ({ start, end }) => `Twelve months, ${start.slice(0, 7)} to ${end.slice(0, 7)}`,
  parts: [FIGURES, MRR, NOTES, MOVEMENTS, CHURN, COHORTS, CUSTOMERS, AHEAD],
}

import type { ErrorCode } from '../../../core/errors.ts'
import {
  dayBefore,
  dayOf,
  dayStart,
  daysBefore,
  lastClosedMonth,
  nextPeriod,
  periodStart,
  periodsOn,
} from '../../../core/periods.ts'
import type { Answer, AskOptions, Engine } from '../../../engine/engine.ts'
import type { RawRequest } from '../raw-request.ts'

type Params = RawRequest['params']

/** A month that is closed, with the days that its statements name. */
export interface ClosedMonth {
  /** `2025-12` */
  readonly name: string
  readonly start: string
  readonly end: string
  /** Last day of the month before. */
  readonly before: string
  /** First day of the twelve months that end with it. */
  readonly year_start: string
}

/** A month `YYYY-MM` that was over everywhere before `today`; undefined for another text, and for a month that is not over. */
export function closedMonth(text: string, today: string): ClosedMonth | undefined {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return undefined
  const from = dayStart(`${text}-01`)
  if (dayOf(from) > lastClosedMonth(today)) return undefined
  return {
    name: text,
    start: dayOf(from),
    end: dayBefore(nextPeriod(from, 'month')),
    before: dayBefore(from),
    year_start: dayOf(periodsOn(periodStart(from, 'month'), 'month', -11)),
  }
}

/** A table of the pack: its file, its name for people, and the question that it answers. Amounts are in units. */
interface Statement {
  readonly file: string
  readonly title: string
  /** Codes of errors with which the pack leaves it out. Its page says why. */
  readonly lacks?: readonly ErrorCode[]
  ask(engine: Engine, month: ClosedMonth, given: Params, options: AskOptions): Promise<Answer>
}

/** Options that a kind of statement takes. */
const OF_CHARGES = ['spread', 'one_off', 'unbilled', 'revenue_kinds', 'definitions'] as const
const OF_BALANCES = ['net_terms', 'buckets', 'receivables_rate', 'definitions'] as const
const OF_BOOKS = [...OF_CHARGES, 'receivables_rate'] as const

/** Options of the ledger that change a statement of a pack. */
export const PACK_OPTIONS: readonly string[] = [...OF_CHARGES, ...OF_BALANCES].filter((name) => name !== 'definitions')

function taken(given: Params, names: readonly string[]): Params {
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)))
}

function query(
  query_type: string,
  days: (month: ClosedMonth, given: Params) => Params,
  names: readonly string[] = ['definitions'],
  dimensions: readonly string[] = [],
): Statement['ask'] {
  return (engine, month, given, options) =>
    engine.query(
      'ledger',
      { query_type, money: 'units', ...days(month, given), ...taken(given, names) },
      dimensions.length === 0 ? {} : { dimensions },
      options,
    )
}

const ofMonth = ({ start, end }: ClosedMonth) => ({ start, end, interval: 'month' })
const atEnd = ({ end }: ClosedMonth) => ({ at: end })

/** All rows of a list, page by page. */
async function allRows(ask: (page: Params) => Promise<Answer>): Promise<Answer> {
  const limit = 1000
  const first = await ask({ limit })
  const rows = [...rowsIn(first)]
  for (let offset = limit; offset < (totalIn(first) ?? 0); offset += limit) rows.push(...rowsIn(await ask({ limit, offset })))
  return { ...first, data: { total: rows.length, limit: rows.length, offset: 0, rows } }
}

function rowsIn({ data }: Answer): readonly unknown[] {
  return (data as { readonly rows: readonly unknown[] }).rows
}

function totalIn({ data }: Answer): number | undefined {
  return (data as { readonly total?: number }).total
}

/** The options of a pack. If the configuration closes months, the books of the month before are those of its close (R22). */
export function withLastClose(given: Params, { before }: ClosedMonth, close_days: unknown): Params {
  if (typeof close_days !== 'number' || close_days === 0 || given['opening_known_at'] !== undefined) return given
  return { ...given, opening_known_at: daysBefore(before, 0 - close_days) }
}

/** The trial balance of the day before the month, as it was known when that day was closed. */
export const askOpening: Statement['ask'] = (engine, { before }, given, options) => {
  const { opening_known_at } = given
  const known = opening_known_at === undefined ? {} : { known_at: opening_known_at }
  const params = { query_type: 'trial_balance', money: 'units', at: before, ...taken(given, OF_BOOKS), ...known }
  return engine.query('ledger', params, {}, options)
}

/** The statements of a month in the order of the pack. */
export const STATEMENTS: readonly Statement[] = [
  { file: 'revenue', title: 'Deferred revenue, rolled forward', ask: query('revenue', ofMonth, OF_CHARGES) },
  { file: 'revenue-by-currency', title: 'The same by currency', ask: query('revenue', ofMonth, OF_CHARGES, ['currency']) },
  {
    file: 'waterfall',
    title: 'Recognized revenue of twelve months by month of posting',
    ask: query('waterfall', ({ year_start, end }) => ({ start: year_start, end }), OF_CHARGES),
  },
  {
    file: 'mrr-bridge',
    title: 'From MRR to recognized revenue, step by step',
    // The books need no prices and no billing periods; MRR does.
    lacks: ['unpriced_plan', 'missing_fx_rate', 'unsupported_by_connector'],
    ask: query('mrr_bridge', ({ name }) => ({ period: name }), OF_CHARGES),
  },
  { file: 'receivables', title: 'Receivables by age', ask: query('receivables', atEnd, OF_BALANCES) },
  {
    file: 'receivables-by-customer',
    title: 'Receivables by customer and age',
    ask: query('receivables', atEnd, OF_BALANCES, ['customer_id', 'customer_name', 'currency']),
  },
  {
    file: 'open-invoices',
    title: 'Open invoices',
    ask: (engine, { end }, given, options) =>
      allRows((page) =>
        engine.ledgerList('open_invoices', { money: 'units', at: end, ...page, ...taken(given, OF_BALANCES) }, {}, options),
      ),
  },
  {
    file: 'movements',
    title: 'Receivables, rolled forward',
    ask: query('movements', ofMonth, ['receivables_rate', 'definitions']),
  },
  { file: 'cash', title: 'Payments, refunds and chargebacks', ask: query('cash', ofMonth, ['definitions'], ['currency']) },
  { file: 'credits', title: 'Customer credit', ask: query('credits', ofMonth, ['definitions'], ['currency']) },
  { file: 'trial-balance', title: 'Trial balance', ask: query('trial_balance', atEnd, OF_BOOKS) },
  {
    file: 'trial-balance-by-currency',
    title: 'The same by currency',
    ask: query('trial_balance', atEnd, OF_BOOKS, ['currency']),
  },
  {
    file: 'corrections',
    title: 'Recognized revenue of earlier months, as known at the last close and now',
    ask: query(
      'corrections',
      ({ year_start, before }, { opening_known_at = before }) => ({ start: year_start, end: before, known_at: opening_known_at }),
      OF_CHARGES,
    ),
  },
  {
    file: 'journal',
    title: 'Journal',
    ask: (engine, { start, end }, given, options) =>
      engine.ledgerList(
        'journal',
        { money: 'units', start, end, ...taken(given, [...OF_BOOKS, 'opening_known_at']) },
        {},
        options,
      ),
  },
]

import * as z from 'zod'
import { type AskedSets, setNamed } from '../../core/definition-sets/sets.ts'
import { errorFromIssues } from '../../core/errors.ts'
import { JOURNAL_LAYOUTS, JOURNAL_STEPS } from '../../core/ledger-options.ts'
import { countPeriods, dayOf, dayStart, type Interval, nextPeriod, periodsBetween } from '../../core/periods.ts'
import type { AskOptions } from '../../execution/answer/answer.ts'
import { shapeRecords } from '../../execution/answer/describe-columns.ts'
import type { Question } from '../../execution/pipeline.ts'
import { narrowedTo } from '../../execution/plan/disclosure.ts'
import { createContext, type RunContext } from '../../execution/run.ts'
import { readPostings } from '../../metrics/ledger/journal.ts'
import { checkSize } from '../../metrics/readings/groups.ts'
import { namedIn } from '../../query/audience-request.ts'
import { CURRENCY_DIMENSION, SOURCE_DIMENSIONS } from '../../query/dimensions/source.ts'
import { type QueryInputs, RANGE_INPUTS } from '../../query/inputs.ts'
import { choice } from '../../query/parameter-types.ts'
import type { ParameterName } from '../../query/parameters.ts'
import { type Raw, readParameters } from '../../query/raw-parameters.ts'
import { parseRequest, type QueryRequest, rangeTime } from '../../query/request.ts'
import { tooManyPeriods } from '../../query/timeframe.ts'
import { asDeclared } from '../written-rows.ts'
import { filesOf, LAYOUTS, type Layout } from './journal-layouts.ts'
import { type JournalPeriod, journalLines } from './journal-lines.ts'
import { JOURNAL_LINE, type JournalLine } from './rows.ts'

/** Parameters of the journal in documented order. */
export const JOURNAL_PARAMETERS = [
  'start',
  'end',
  'range',
  'summarize',
  'currency',
  'layout',
  'part',
  'spread',
  'one_off',
  'unbilled',
  'revenue_kinds',
  'receivables_rate',
  'opening_known_at',
  'filter',
  'format',
  'money',
  'definitions',
] as const satisfies readonly ParameterName[]

const INPUTS: QueryInputs = { ...RANGE_INPUTS, filter_fields: SOURCE_DIMENSIONS.filter(({ key }) => key !== 'source') }

interface JournalRequest {
  readonly asked: QueryRequest
  readonly summarize: (typeof JOURNAL_STEPS)[number]
  readonly layout: (typeof JOURNAL_LAYOUTS)[number]
  readonly part: number
  readonly opening_known_at: string | undefined
  readonly money: QueryRequest['money']
  readonly currency: string | undefined
}

interface FoundJournal {
  readonly lines: readonly JournalLine[]
  /** The lines of the file, in the columns of the layout. */
  readonly file: readonly Readonly<Record<string, string | null>>[]
}

/** The journal of a range (R21): entries that together move the trial balance as the range did. */
export function journalQuestion(
  params: Raw,
  spec: Raw,
  sets: AskedSets,
  disclosing?: AskOptions['disclosing'],
): Question<JournalRequest, FoundJournal> {
  const named = namedIn(params, spec)
  const own = INPUTS.filter_fields.map(({ key }) => key)
  disclosing?.(narrowedTo(params, spec, named, own))
  return {
    key: ['ledger journal', params, spec],
    set: setNamed(params),
    named,
    plan(now, names) {
      const request = parseJournal(params, spec, sets.names, now, names)
      // Entries of single invoices name their customers.
      if (request.summarize === 'none') disclosing?.(['ledger.journal'])
      return request
    },
    planAt: (request) => request,
    takesAttributes: () => false,
    audience: () => undefined,
    conditions: ({ asked }) => asked.conditions,
    async run(request, context) {
      for (const warning of request.asked.warnings) context.warn(warning)
      const lines = await readLines(request, context)
      checkSize(context.deps, lines.length)
      return {
        lines: asDeclared(z.array(JOURNAL_LINE), lines, 'a journal'),
        file: request.layout === 'plain' ? [] : inLayout(lines, request.layout, request.part, context),
      }
    },
    shape({ lines, file }, request, { session }) {
      const base = session.definitions.base_currency
      const { start, end } = rangeTime(request.asked)
      const asked = { money: request.money, start, end }
      const rows = shapeRecords({ data: lines, kind: 'rows' }, JOURNAL_LINE, asked, base)
      const plain = request.currency === undefined ? rows : { ...rows, amounts: { ...rows.amounts, currency: request.currency } }
      if (request.layout === 'plain') return plain
      return { ...plain, file: shapeRecords({ data: file, kind: 'rows' }, LAYOUTS[request.layout].row, asked, base) }
    },
  }
}

/** The request with its layout. A layout has amounts in units. AppError with all issues. */
function parseJournal(
  params: Raw,
  spec: Raw,
  sets: readonly string[],
  now: Date,
  names: Parameters<typeof parseRequest>[4],
): JournalRequest {
  const own = JOURNAL_PARAMETERS.filter((name) => name !== 'filter')
  const taken = { own, accepted: JOURNAL_PARAMETERS, isPlain: true, types: { definitions: choice(sets) } }
  const asked = parseRequest(params, spec, { ...INPUTS, own_parameters: own }, now, names, taken)
  // The request is valid, so nothing is reported again.
  const read = readParameters(params, taken, () => {})
  const summarize = read.summarize?.value ?? JOURNAL_STEPS[0]
  checkPeriods(asked, summarize)
  checkOpening(asked, read.opening_known_at?.value)
  const layout = read.layout?.value ?? JOURNAL_LAYOUTS[0]
  const money = layout === 'plain' ? asked.money : 'units'
  const currency = read.currency?.value
  const conditions =
    currency === undefined
      ? asked.conditions
      : [...asked.conditions, { field: CURRENCY_DIMENSION, operator: '=' as const, values: [currency] }]
  return {
    asked: {
      ...asked,
      conditions,
      unit: currency === undefined ? 'base' : 'original',
      warnings: [...asked.warnings, ...(layout === 'plain' && read.part !== undefined ? [UNUSED_PART] : [])],
    },
    summarize,
    layout,
    currency,
    part: read.part?.value ?? 1,
    opening_known_at: read.opening_known_at?.value,
    money,
  }
}

const UNUSED_PART = { code: 'unused_parameter', message: 'Without effect on this layout: part.', count: 1 } as const

function intervalOf(summarize: JournalRequest['summarize']): 'day' | 'month' {
  return summarize === 'day' ? 'day' : 'month'
}

/** AppError `invalid_range` if the range has too many periods. */
function checkPeriods(asked: QueryRequest, summarize: JournalRequest['summarize']): void {
  const { start, from, to } = rangeTime(asked)
  const message = tooManyPeriods(countPeriods(from, to, intervalOf(summarize)))
  if (message === undefined) return
  throw errorFromIssues([{ code: 'invalid_range', where: 'params.start', value: start, message, did_you_mean: [] }])
}

/** AppError `invalid_range` if the days before the range were not over on this day. */
function checkOpening(asked: QueryRequest, known_at: string | undefined): void {
  const { start } = rangeTime(asked)
  if (known_at === undefined || known_at >= start) return
  const message = `"opening_known_at" must be ${start} or later, the start of the range.`
  throw errorFromIssues([{ code: 'invalid_range', where: 'params.opening_known_at', value: known_at, message, did_you_mean: [] }])
}

async function readLines(
  { asked, summarize, opening_known_at }: JournalRequest,
  context: RunContext,
): Promise<readonly JournalLine[]> {
  const periods = periodsOf(asked, intervalOf(summarize), dayOf(context.session.now))
  const own = createContext({ definition: { name: 'ledger' }, request: asked }, context)
  const step = { periods, isDetailed: summarize === 'none', isOriginal: asked.unit === 'original', opening_known_at }
  return journalLines(await readPostings(own, step), periods, {
    settings: context.deps.ledger ?? {},
    of: narrowedBy(asked),
  })
}

/** The tenants that a request names, for ids of entries; empty for all. */
function narrowedBy({ conditions }: QueryRequest): string {
  return conditions
    .filter(({ field }) => field.key !== CURRENCY_DIMENSION.key)
    .flatMap(({ operator, values }) => [...(operator === '=' ? [] : [operator]), ...values.map(String)])
    .join('+')
}

/** The periods up to today. One that the range or today cuts is named by its days, so that its entries are not taken for those of the whole. */
function periodsOf(asked: QueryRequest, step: Interval, today: string): readonly JournalPeriod[] {
  const { from, to } = rangeTime(asked)
  return periodsBetween(from, to, step)
    .map((period) => ({ first: dayOf(period.from), last: dayOf(new Date(period.to.getTime() - 1)) }))
    .filter(({ first }) => first <= today)
    .map(({ first, last }) => {
      const end = last < today ? last : today
      const isWhole = end < today && first.endsWith('-01') && dayOf(nextPeriod(dayStart(first), 'month')) === nextDay(end)
      return {
        first,
        last: end,
        name: step === 'day' && end < today ? first : isWhole && step === 'month' ? first.slice(0, 7) : `${first}_${end}`,
      }
    })
}

function nextDay(day: string): string {
  return dayOf(nextPeriod(dayStart(day), 'day'))
}

function inLayout(lines: readonly JournalLine[], name: Layout, part: number, { deps, warn }: RunContext) {
  const layout = LAYOUTS[name]
  const { ledger: settings = {} } = deps
  const files = filesOf(lines, layout)
  const file = files[part - 1]
  if (file === undefined) {
    const message = `The journal has ${files.length === 1 ? 'one file' : `${files.length} files`}; "part" must not be ${part}.`
    throw errorFromIssues([{ code: 'invalid_value', where: 'params.part', value: part, message, did_you_mean: [] }])
  }
  if (files.length > 1)
    warn({
      code: 'partial',
      message: `This is file ${part} of ${files.length}: ask for the others with "part".`,
      count: files.length,
    })
  const names = Object.values(settings.accounts ?? {})
  const unnamed = new Set(lines.filter((line) => !names.includes(line.account_name)).map(({ account }) => account))
  const isSum = name === 'quickbooks' && settings.customer === undefined && lines.some(isUnowned)
  const missing = [
    ...(unnamed.size === 0 ? [] : [`No name in [ledger.accounts]: ${[...unnamed].join(', ')}. Their lines have our names.`]),
    ...(isSum ? ['QuickBooks wants a customer on lines of receivables: set ledger.customer, or ask with summarize=none.'] : []),
  ]
  if (missing.length > 0) warn({ code: 'unnamed_account', message: missing.join(' '), count: unnamed.size })
  return file.map((line) => layout.write(line, settings))
}

function isUnowned({ account, customer_id }: JournalLine): boolean {
  return account === 'accounts_receivable' && customer_id === null
}

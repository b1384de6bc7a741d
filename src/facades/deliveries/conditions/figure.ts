import { AppError, errorFromIssues } from '../../../core/errors.ts'
import { isObject } from '../../../core/json.ts'
import { daysBefore } from '../../../core/periods.ts'
import type { Answer, AskOptions, Engine } from '../../../engine/engine.ts'
import { ask } from '../../presentation/ask.ts'
import type { Block, Figure, Part } from '../../presentation/briefing/briefing.ts'
import { tableBlock } from '../../presentation/briefing/briefing.ts'
import { figureText } from '../../presentation/briefing/values.ts'
import { rawRequest } from '../../presentation/raw-request.ts'
import { unitsOfColumns } from '../../presentation/table.ts'
import type { ConditionOf, Judging, Verdict } from './verdict.ts'

type FigureCondition = ConditionOf<'figure'>

/** Rows and movements that give the reason. */
const MOST_ROWS = 5
/** Days before a day whose movements explain a level of that day. */
const DAYS_BEFORE = 30
/** Metrics whose changes are movements of MRR. */
const EXPLAINED_BY_MRR: readonly string[] = ['mrr', 'churn', 'retention', 'ltv', 'summary', 'trials', 'involuntary_churn']
/** Parameters that the condition sets itself. */
const OWN: readonly string[] = ['compare_to', 'compare_segments', 'format', 'money', 'explain']
const FIRES = 'figure'

/** The figure of a condition with its answer. */
interface Reading {
  readonly answer: Answer
  readonly figure: Figure
  /** The number to compare with the value: the figure, or its change as a fraction. Null: there is none. */
  readonly measured: number | null
}

/** Judges a figure. A message goes out when it becomes true, once when it is false again, and none in between. A figure without a value changes nothing. */
export async function judgeFigure(condition: FigureCondition, judging: Judging): Promise<Verdict> {
  const { state } = judging
  const { answer, figure, measured } = await readFigure(judging.engine, condition, judging.options)
  const isFiring = state.firing.includes(FIRES)
  if (measured === null) return { silence: 'The figure has no value.', state, rows: [] }
  const holds = condition.is === 'above' ? measured > condition.value : measured < condition.value
  const held = holds ? state.held + 1 : 0
  const now = { held, firing: holds && (isFiring || held >= condition.hold) ? [FIRES] : [] }
  const isTold = now.firing.length > 0 !== isFiring
  const said = limitText(condition, figure, answer.meta.base_currency)
  const shown = measuredText(condition, figure, measured, answer.meta.base_currency)
  const silence = isFiring && holds ? `It is still ${said}: ${shown}.` : `It is ${shown}; the alert waits for ${said}.`
  if (!isTold && !judging.isBegun) return { silence, state: now, rows: [] }
  const subject = condition.against === 'before' ? `The change of ${figure.title} since the period before` : figure.title
  const title = `${subject} is ${holds ? '' : 'no longer '}${said}`
  const reasons = holds ? [whyPart(condition, answer), rowsPart(condition)] : []
  return { message: { title, parts: [figurePart(title, condition), ...reasons] }, silence, state: now, rows: [] }
}

/** Asks for the figure of a condition. AppError of the question, and `validation_failed` if it does not answer one number. */
export async function readFigure(engine: Engine, condition: FigureCondition, options: AskOptions): Promise<Reading> {
  const request = requestOf(condition, condition.against === 'before' ? [['compare_to', 'previous']] : [])
  const answer = await ask(engine, condition.metric, request, options)
  const { name, value, previous } = numberOf(answer, condition)
  // A compared scalar has the columns `value` and `previous`, which do not name its figure.
  const plain = answer.measure === undefined ? answer : await ask(engine, condition.metric, requestOf(condition, []), options)
  const field = plain.meta.fields.find((each) => each.name === name)
  const unit = unitsOfColumns(plain).get(name) ?? 'count'
  const change =
    condition.against === 'before' && value !== null && previous !== null ? Number((value - previous).toFixed(6)) : undefined
  const figure: Figure = {
    title: (field?.label ?? name).replace(/ base$/, ''),
    ...{ value, unit, days: daysText(answer) },
    ...(change !== undefined && { change }),
  }
  const rate = value === null || previous === null || previous === 0 ? null : (value - previous) / Math.abs(previous)
  return { answer, figure, measured: condition.against === 'before' ? rate : value }
}

function requestOf({ params }: FigureCondition, more: readonly (readonly [string, string])[]) {
  const refused = Object.keys(params).filter((name) => OWN.includes(name))
  if (refused.length > 0) throw bodyError('params', `"condition.params" must not have ${refused.join(', ')}.`)
  const pairs = Object.entries(params).flatMap(([name, given]) =>
    (typeof given === 'string' ? [given] : given).map((text) => [name, text] as const),
  )
  return rawRequest([...pairs, ...more])
}

function numberOf({ data, kind, columns, measure, meta }: Answer, { field, against }: FigureCondition) {
  const asNumber = (value: unknown) => (typeof value === 'number' ? value : null)
  const isScalar = kind === 'scalar' || measure !== undefined
  if (isScalar && (field === undefined || field === (measure ?? columns[0]))) {
    const compared = isObject(data) ? data : undefined
    const name = measure ?? columns[0] ?? 'value'
    return compared === undefined
      ? { name, value: asNumber(data), previous: null }
      : { name, value: asNumber(compared['value']), previous: asNumber(compared['previous']) }
  }
  const names =
    isObject(data) && kind === 'object' ? meta.fields.map(({ name }) => name).filter((name) => isFigure(data[name], name)) : []
  if (names.length === 0 && !isScalar)
    throw bodyError(
      'params',
      'The request of the condition must answer one number: leave out dimensions, intervals and comparisons.',
    )
  if (field === undefined || !names.includes(field) || !isObject(data)) {
    const known = isScalar ? [measure ?? columns[0] ?? ''] : names
    throw bodyError('field', `"condition.field" must be one of ${known.join(', ')}; got ${JSON.stringify(field ?? null)}.`)
  }
  return {
    name: field,
    value: asNumber(data[field]),
    previous: against === 'before' ? asNumber(data[`previous_${field}`]) : null,
  }
}

function isFigure(value: unknown, name: string): boolean {
  return (typeof value === 'number' || value === null) && !/^(previous|change)_/.test(name)
}

function bodyError(field: string, message: string): AppError {
  return errorFromIssues([{ code: 'validation_failed', where: `body.condition.${field}`, message, did_you_mean: [] }])
}

function daysText({ meta: { days } }: Answer): string {
  if (days === undefined) return 'now'
  return days.start === days.end ? `at the end of ${days.end}` : `${days.start} to ${days.end}`
}

function limitText({ is, against, value }: FigureCondition, { unit }: Figure, currency: string): string {
  return `${is} ${figureText({ value, unit: against === 'before' ? 'fraction' : unit }, currency)}`
}

function measuredText({ against }: FigureCondition, { unit }: Figure, measured: number, currency: string): string {
  return figureText({ value: measured, unit: against === 'before' ? 'fraction' : unit }, currency)
}

function figurePart(title: string, condition: FigureCondition): Part {
  return {
    title,
    async ask({ engine, options, seen }) {
      const { answer, figure } = await readFigure(engine, condition, options)
      seen(answer)
      return { kind: 'figures', title, page: pageOf(engine, condition, answer), figures: [figure] }
    },
  }
}

/** The page of the dashboard with the figure and its days. */
function pageOf(engine: Engine, { metric, params }: FigureCondition, { meta: { days } }: Answer): string {
  const queries = engine.metric(metric.replaceAll('-', '_'))?.queries ?? {}
  const given = params['query_type']
  const page = (typeof given === 'string' ? queries[given] : Object.values(queries)[0])?.page
  const search = new URLSearchParams([
    ...(page?.figure !== undefined && page.path === 'explore' ? [['figure', page.figure]] : []),
    ...(days === undefined
      ? []
      : [
          ['start', days.start],
          ['end', days.end],
        ]),
  ] as [string, string][]).toString()
  return `${page?.path ?? ''}${search === '' ? '' : `?${search}`}`
}

function whyPart({ metric }: FigureCondition, { meta: { days } }: Answer): Part {
  return {
    title: 'What changed MRR',
    async ask({ engine, today, options, seen }) {
      if (!EXPLAINED_BY_MRR.includes(metric.replaceAll('-', '_'))) return undefined
      const end = days?.end ?? today
      const start = days === undefined || days.start === days.end ? daysBefore(end, DAYS_BEFORE) : days.start
      const asked = { query_type: 'why', start, end, limit: String(MOST_ROWS) }
      const answer = seen(await engine.query('mrr', asked, {}, options))
      const { sentences, movers } = answer.data as {
        readonly sentences: readonly string[]
        readonly movers: readonly { readonly text: string }[]
      }
      const told = [...sentences, ...movers.map(({ text }) => text)]
      return { kind: 'sentences', title: 'What changed MRR', page: `mrr?start=${start}&end=${end}`, sentences: told }
    },
  }
}

/** Refusals of a number that has no rows. */
const WITHOUT_ROWS: readonly string[] = ['invalid_value', 'unknown_metric', 'unsupported_by_connector']
const ROW_COLUMNS = ['occurred_at', 'customer_name', 'movement_type', 'plan_id', 'amount_base_cents']

/** The largest rows behind the figure. */
function rowsPart(condition: FigureCondition): Part {
  return {
    title: 'The largest rows behind it',
    async ask({ engine, options, seen }): Promise<Block | undefined> {
      const { params, spec } = requestOf(condition, [['limit', String(MOST_ROWS)]])
      try {
        const answer = await engine.metricRows(condition.metric, params, spec, options)
        const { total, rows } = answer.data as {
          readonly total: number
          readonly rows: readonly Readonly<Record<string, unknown>>[]
        }
        if (total === 0) return undefined
        const shown = rows.map((row) => ({ ...row, occurred_at: String(row['occurred_at'] ?? '').slice(0, 10) }))
        const columns = ROW_COLUMNS.filter((name) => shown.some((row) => (row as Record<string, unknown>)[name] != null))
        const own = { ...seen(answer), data: { total, rows: shown } } as Answer
        return tableBlock(own, { title: 'The largest rows behind it', page: pageOf(engine, condition, answer), columns })
      } catch (error) {
        if (error instanceof AppError && WITHOUT_ROWS.includes(error.code)) return undefined
        throw error
      }
    },
  }
}

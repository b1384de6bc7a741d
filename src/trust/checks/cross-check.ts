import type { CheckFinding } from '../../connector-kit/connector.ts'
import { calendarOf } from '../../core/calendar.ts'
import type { Clock } from '../../core/clock.ts'
import { AppError, ConfigurationError } from '../../core/errors.ts'
import { isObject } from '../../core/json.ts'
import { dayOf } from '../../core/periods.ts'
import type { Workspace } from '../../core/workspace.ts'
import type { Answer, AnswerOptions } from '../../execution/answer/answer.ts'
import type { EngineDependencies } from '../../execution/dependencies.ts'
import { storedIn } from '../../execution/session/stores.ts'
import type { MetricQuery } from '../../metrics/define-metric.ts'
import { largestNumbers } from '../../metrics/number-cells.ts'
import type { ReadThrough } from '../../ports/read-through.ts'
import type { Row } from '../../ports/rows.ts'
import { groupableFields, paramsForDays } from '../../query/inputs.ts'
import type { ListName } from '../../query/lists/definition.ts'
import type { Raw } from '../../query/raw-parameters.ts'

type Ask = (params: Raw, spec: Raw, options: AnswerOptions) => Promise<Answer>

/** The engine's methods that answer. The caller may choose between the replica and the cache. */
export interface QueryApi {
  query(metric: string, ...rest: Parameters<Ask>): Promise<Answer>
  list(name: ListName, ...rest: Parameters<Ask>): Promise<Answer>
  /** A page of the rows behind one number, or all of them with `isWhole`. */
  metricRows(metric: string, params: Raw, spec: Raw, options: AnswerOptions & { readonly isWhole?: boolean }): Promise<Answer>
}

interface Question {
  readonly name: string
  ask(options: AnswerOptions): Promise<Answer>
}

/** The database may change between two answers, so a difference counts only if it occurs this many times. */
const ATTEMPTS = 3
/** Error codes that say nothing about the answer, because the source was not available. */
const NO_ANSWER: ReadonlySet<string> = new Set(['query_timeout', 'connector_unavailable', 'overloaded'])
const YEAR_MS = 365 * 86_400_000
/** Queries that can be grouped are compared a second time, grouped by this dimension. */
const DIMENSION = 'plan_id'
const SEGMENTS = 5

/**
 * Compares the answers of the replica and of the cache and reports differences. It asks every query of every metric over the last year, also by
 * plan, and the rows behind the largest number of each measure. Then come the first customers and subscriptions, and the MRR of the segments
 * that were changed last. Before all that, the connector looks for rows that the role cannot see.
 */
export async function crossCheck(
  deps: EngineDependencies,
  api: QueryApi,
  workspace: () => Promise<Workspace>,
): Promise<readonly CheckFinding[]> {
  const found = await connectorFindings(deps)
  return [...found, ...(await compareSources(deps, api, workspace))]
}

// If no session can be opened, the findings without --cross give the reason.
async function connectorFindings({
  connector,
  executor,
  clock,
  definitions,
}: EngineDependencies): Promise<readonly CheckFinding[]> {
  try {
    return (await connector.crossCheck?.(executor, { now: clock.now(), definitions })) ?? []
  } catch (error) {
    if (error instanceof ConfigurationError || (error instanceof AppError && error.code === 'unsupported_by_connector')) return []
    throw error
  }
}

async function compareSources(
  deps: EngineDependencies,
  api: QueryApi,
  workspace: () => Promise<Workspace>,
): Promise<readonly CheckFinding[]> {
  const { cache } = deps
  if (cache === undefined) return [finding('warning', 'there is no cache: cache.mode is off, or the database is embedded')]
  const { status, reason } = await cache.ready()
  if (status !== 'ready') return [finding('failure', `the cache could not be filled${reason === undefined ? '' : `: ${reason}`}`)]

  const asked = askedOf(deps)
  const questions = [
    ...asked.flatMap((one) => answersTo(one, api)),
    ...(await rowQuestions(asked, api)),
    ...listQuestions(api),
    ...(await segmentQuestions(deps, api, workspace)),
  ]
  const findings: CheckFinding[] = []
  for (const question of questions) {
    const found = await compare(question, deps.clock, cache)
    if (found !== null) findings.push(found)
  }
  const equal = questions.length - findings.length
  return [
    ...findings,
    ...(equal === 0 ? [] : [finding('ok', `${equal} questions have the same answers from the database and from the cache`)]),
  ]
}

async function compare(question: Question, clock: Clock, cache: ReadThrough): Promise<CheckFinding | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const now = clock.now()
    const direct = await answerTo(question, { now, source: 'replica' })
    if (direct === null) return finding('warning', `${question.name}: not compared: the database did not answer`)
    // A command closes its cache when nobody asks it for a while. The database may take longer.
    await cache.ready()
    const cached = await answerTo(question, { now, source: 'cache' })
    if (cached === null) return finding('warning', `${question.name}: not compared: the cache did not answer`)
    if (direct === cached) return null
  }
  return finding('failure', `${question.name}: the cache answers differently`)
}

async function answerTo({ ask }: Question, options: AnswerOptions): Promise<string | null> {
  try {
    return JSON.stringify((await ask(options)).data)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (NO_ANSWER.has(error.code)) return null
    // An error that both sources give counts as an equal answer.
    return `${error.code}: ${error.message}`
  }
}

/** A query of a metric, with its dates, and the dimensions by which it is asked a second time. */
interface Asked {
  readonly metric: string
  readonly name: string
  readonly query: MetricQuery
  readonly params: Readonly<Record<string, string>>
  readonly dimensions: readonly string[]
}

function askedOf({ clock, definitions, registry }: EngineDependencies): readonly Asked[] {
  const now = calendarOf(definitions.time_zone, clock.now()).clockNow
  const range = { start: dayOf(new Date(now.getTime() - YEAR_MS)), end: dayOf(now) }
  return [...registry.metrics].flatMap(([metric, { queries, is_overview }]) =>
    Object.entries(queries).map(([query_type, query]): Asked => {
      const { inputs } = query
      const params = { query_type, ...paramsForDays(inputs, range) }
      const name = is_overview === true ? metric : `${metric}.${query_type}`
      const isGrouped = groupableFields(inputs, false).some((field) => field.key === DIMENSION)
      return { metric, name, query, params, dimensions: isGrouped ? [DIMENSION] : [] }
    }),
  )
}

function answersTo({ metric, name, query: { inputs }, params, dimensions }: Asked, { query }: QueryApi): readonly Question[] {
  const plain: Question = { name, ask: (options) => query(metric, params, {}, options) }
  if (inputs.dates === 'day_or_range') {
    const { query_type } = params
    return [plain, { name: `${name} of today`, ask: (options) => query(metric, { query_type }, {}, options) }]
  }
  if (dimensions.length === 0) return [plain]
  const by = [name, ...dimensions].join(' by ')
  return [plain, { name: by, ask: (options) => query(metric, params, { dimensions }, options) }]
}

/** The rows behind the largest number of each measure. An answer that the cache refuses has none. */
async function rowQuestions(asked: readonly Asked[], { query, metricRows }: QueryApi): Promise<readonly Question[]> {
  const questions: Question[] = []
  for (const { metric, name, query: definition, params, dimensions } of asked) {
    if (Object.keys(definition.rows ?? {}).length === 0) continue
    const spec = dimensions.length === 0 ? {} : { dimensions }
    const rows = await query(metric, params, spec, { source: 'cache' }).then(rowsOf, (error: unknown) => {
      if (error instanceof AppError) return []
      throw error
    })
    for (const { measure, params: cell } of largestNumbers(rows, definition, dimensions))
      questions.push({
        name: `rows behind ${measure} of ${name}`,
        ask: (options) => metricRows(metric, { ...params, ...cell }, spec, options),
      })
  }
  return questions
}

/** The rows of an answer. A figure alone is a row with one column. */
function rowsOf({ data, kind, columns: [first = ''] }: Answer): readonly Row[] {
  if (kind === 'scalar') return [{ [first]: data as Row[string] }]
  return Array.isArray(data) ? data : isObject(data) ? [data as Row] : []
}

function listQuestions({ list }: QueryApi): readonly Question[] {
  const names: readonly ListName[] = ['customers', 'subscriptions']
  return names.map((name) => ({ name, ask: (options) => list(name, { limit: '1000' }, {}, options) }))
}

// Without a store there are no segments to compare. Another finding reports the store.
async function segmentQuestions(
  deps: EngineDependencies,
  { query }: QueryApi,
  workspace: () => Promise<Workspace>,
): Promise<readonly Question[]> {
  const segments = await storedIn(deps, await workspace())
    ?.segments.list()
    .catch((error: unknown) => {
      if (error instanceof AppError) return []
      throw error
    })
  return (segments ?? []).slice(0, SEGMENTS).map(({ id, name }) => ({
    name: `mrr of segment "${name}"`,
    ask: (options) => query('mrr', { query_type: 'current' }, { segment: id }, options),
  }))
}

function finding(level: CheckFinding['level'], message: string): CheckFinding {
  return { name: 'cache', level, message }
}

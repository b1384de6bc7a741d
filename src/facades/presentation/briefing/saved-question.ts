import { AppError } from '../../../core/errors.ts'
import { isObject } from '../../../core/json.ts'
import type { Engine } from '../../../engine/engine.ts'
import { daysOfRange, parseRange } from '../parameters.ts'
import { type RawRequest, rawRequest } from '../raw-request.ts'
import { metricPath, requestOfRoute } from '../route-request.ts'

/** The question of a saved chart, and what is drawn of its answer. The page writes and reads the same configuration. */
export interface SavedQuestion {
  readonly metric: string
  readonly request: RawRequest
  readonly form: (typeof FORMS)[number]
  /** Column that is drawn. */
  readonly measure: string
  /** Columns that distinguish the rows of a period. */
  readonly groups: readonly string[]
  /** True if each period has a row, or a row per group. */
  readonly isSeries: boolean
}

const VERSION = 1
const FORMS = ['line', 'area', 'bars', 'table', 'number'] as const
const PATH = /^\/api\/metrics\/[a-z][a-z/_-]*$/
/** Parameters that would change how numbers are written, or add statements. */
const OF_FORM: readonly string[] = ['format', 'money', 'explain']
const DEFAULT_RANGE = 'last-12-months'
const DEFAULT_QUARTERS = 'last-4-quarters'

type Config = Readonly<Record<string, unknown>>

/**
 * The question of a chart's `config`, as the page asks it on `today`. AppError `invalid_value` if another program or another version has written it, or if
 * no metric has its path any more.
 */
export function savedQuestion(engine: Pick<Engine, 'metrics' | 'metric'>, config: Config, today: string): SavedQuestion {
  const { version, path, query, measure, groups, explore, step } = config
  const form = FORMS.find((one) => one === config['form'])
  const isRead = version === VERSION && form !== undefined && typeof measure === 'string' && isTexts(groups)
  if (!isRead || typeof path !== 'string' || !PATH.test(path) || !isObject(query) || !isObject(explore)) throw unreadable()
  const isSeries = form !== 'table' && form !== 'number'
  // A chart over time needs an interval.
  if (isSeries && typeof step !== 'string') throw unreadable()
  const found = metricPath(engine, path)
  if (found === undefined) throw new AppError('invalid_value', 'No metric has the path of this chart any more.')
  const days = config['isLevel'] === true ? levelDays(explore, today) : {}
  const asked = { ...query, ...comparisonOf(form, { ...query, ...days }, explore), ...days }
  const raw = rawRequest(pairsOf(asked))
  const request = found.route === undefined ? raw : requestOfRoute(found.route, raw).request
  return { metric: found.metric, request, form, measure, groups, isSeries }
}

function unreadable(): AppError {
  return new AppError('invalid_value', 'Another program or another version of Plumbline has saved this chart.')
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function pairsOf(query: Config): readonly (readonly [string, string])[] {
  return Object.entries(query)
    .filter(([name]) => !OF_FORM.includes(name))
    .flatMap(([name, value]) =>
      [value].flat().flatMap((one) => (one === undefined || one === null ? [] : [[name, String(one)] as const])),
    )
}

/** A number has its change since the period before, and a table the comparison that was chosen. There is nothing before all days. */
function comparisonOf(form: SavedQuestion['form'], { range }: Config, { compare_to }: Config): Config {
  const chosen = typeof compare_to === 'string' ? compare_to : form === 'number' ? 'previous' : undefined
  const isCompared = (form === 'number' || form === 'table') && range !== 'all' && chosen !== undefined
  return isCompared ? { compare_to: chosen } : {}
}

/** The day of a level: the end of the range in which it was saved. It moves with time. A day after today is a forecast. */
function levelDays({ range, start, end, interval }: Config, today: string): Config {
  if (typeof start === 'string' && typeof end === 'string') return { at: start <= today && today < end ? today : end }
  const named = parseRange(range ?? (interval === 'quarter' ? DEFAULT_QUARTERS : DEFAULT_RANGE))
  if (named === undefined) throw unreadable()
  const [, last] = daysOfRange(named, new Date(`${today}T00:00:00Z`))
  return { at: last, ...(named.kind === 'ahead' && { forecast: 'true' }) }
}

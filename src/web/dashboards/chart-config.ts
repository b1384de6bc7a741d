import type { Query, RowsPath } from '../api/query.ts'
import { readSearch, type Search } from '../controls/search.ts'
import { STEPS, type Step } from '../format/days.ts'

const VERSION = 1
const FORMS = ['line', 'area', 'bars', 'table', 'number'] as const
const PATH = /^\/api\/metrics\/[a-z][a-z/-]*$/

/** The `config` of a saved chart: its question, its form, and the state of Explore that it was made in. */
export interface ChartConfig {
  readonly version: typeof VERSION
  readonly path: RowsPath
  readonly query: Query
  readonly form: (typeof FORMS)[number]
  /** Field to draw. */
  readonly measure: string
  /** Fields that distinguish the rows of a period. */
  readonly groups: readonly string[]
  readonly step?: Step | undefined
  /** Whether the chart shows a level at the end of the range in `explore`. This day moves with time. */
  readonly isLevel?: boolean | undefined
  /** State of Explore when the chart was saved. */
  readonly explore: Search
}

/** Reads a `config`. Undefined if another program or another version of this page wrote it. */
export function readChartConfig(raw: Readonly<Record<string, unknown>>): ChartConfig | undefined {
  const { version, path, query, measure, groups, explore } = raw
  const form = FORMS.find((one) => one === raw['form'])
  const step = STEPS.find((one) => one === raw['step'])
  if (version !== VERSION || form === undefined || !isPath(path) || !isQuery(query)) return undefined
  if (typeof measure !== 'string' || !isTexts(groups) || !isObject(explore)) return undefined
  if (raw['step'] !== undefined && step === undefined) return undefined
  // A chart over time needs an interval.
  if (form !== 'table' && form !== 'number' && step === undefined) return undefined
  return { version, path, query, form, measure, groups, step, isLevel: raw['isLevel'] === true, explore: readSearch(explore) }
}

// Checks only the form. The service checks whether the path exists.
function isPath(value: unknown): value is RowsPath {
  return typeof value === 'string' && PATH.test(value)
}

function isQuery(value: unknown): value is Query {
  return isObject(value) && Object.values(value).every((one) => isPlain(one) || isTexts(one))
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

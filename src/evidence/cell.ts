import { AppError, type Issue } from '../core/errors.ts'
import { dayOf, type Period } from '../core/periods.ts'
import type { PlannedQuery } from '../execution/plan/plan.ts'
import type { MetricDefinition, MetricQuery } from '../metrics/define-metric.ts'
import { countedMeasures } from '../metrics/number-cells.ts'
import { type CellGroup, type CountRows, SUM } from '../metrics/readings/counted.ts'
import { cohortMonths, knownMonths, periodNames } from '../metrics/readings/periods.ts'
import { attributeKeyOf } from '../query/attributes.ts'
import { type NamesToResolve, namedIn } from '../query/audience-request.ts'
import { parseConditions } from '../query/condition.ts'
import { MOVEMENT_ORDER } from '../query/dimensions/movement.ts'
import { TENANT_KEY, withTenantNames } from '../query/dimensions/source.ts'
import type { Field } from '../query/field.ts'
import { collectIssues, type IssueSink, mustBe, oneOf, throwIssues } from '../query/issues.ts'
import { columnNamed } from '../query/order.ts'
import { ALL_PERIODS, rowsAtMost } from '../query/parameter-types.ts'
import { isAbsent, type Raw, type RawParameters, readParameters } from '../query/raw-parameters.ts'
import type { QueryRequest } from '../query/request.ts'

/** Parameters that name a cell, its measure and a page of its rows. The query's own parameters come with them. */
export const CELL_PARAMETERS = [
  'measure',
  'period',
  'movement_type',
  'cohort_month',
  'active_month',
  'recognized_month',
  'group',
  'limit',
  'offset',
] as const

/** Parameters about the rows of the metric's answer, which is one cell here. */
const OF_ANSWER: readonly string[] = ['order', 'rest', 'compare_to']

/** A cell of a query's answer, and the page of its rows. */
export interface Cell {
  readonly measure: string
  readonly count: CountRows
  /** The request of the query for the period of the cell. */
  readonly request: QueryRequest
  /** That request, also grouped by the customer of a row in a list of customers. */
  readonly counted: QueryRequest
  readonly groups: readonly CellGroup[]
  readonly keys: Readonly<Record<string, string>>
  readonly limit: number
  readonly offset: number
}

/** A request for rows: the parameters of the query, those of the cell, and the dimensions that its groups name. */
export interface CellDraft {
  readonly params: Raw
  readonly spec: Raw
  readonly own: Raw
  /** The dimensions that only groups name. */
  readonly ofGroups: readonly string[]
  /** Parameters that rows do not take. They are kept from the query, which would refuse them for another reason. */
  readonly ofAnswer: Raw
}

/** Splits a request for rows. Each group names a dimension of the query, unless it is a key column of its rows. */
export function splitCell(definition: MetricDefinition, params: Raw, spec: Raw): CellDraft {
  // The month of a query that is about one is no period of its answer.
  const month = queryOf(definition, params, spec)?.inputs.dates === 'month' ? 'period' : undefined
  const placeOf = (name: string) =>
    OF_ANSWER.includes(name) ? 'answer' : name !== month && CELL_PARAMETERS.some((own) => own === name) ? 'own' : ''
  const placed = (place: string) => Object.fromEntries(Object.entries(params).filter(([name]) => placeOf(name) === place))
  const [own, others, ofAnswer] = [placed('own'), placed(''), placed('answer')]
  const keys = ['segment_id', ...keysOf(definition, others, spec)]
  const asked = [spec['dimensions']].flat().filter((name) => typeof name === 'string')
  const ofGroups = [...groupsIn(own).keys()].filter((key) => !keys.includes(key) && !asked.includes(key))
  const named = [...new Set([...asked, ...ofGroups])]
  return { own, ofAnswer, ofGroups, params: others, spec: named.length === 0 ? spec : { ...spec, dimensions: named } }
}

/** Plans the query of a draft. If a dimension that only a group names is refused, the refusal names `group`. */
export function planCell({ ofGroups }: CellDraft, plan: () => PlannedQuery): PlannedQuery {
  try {
    return plan()
  } catch (error) {
    if (!(error instanceof AppError) || error.issues === undefined) throw error
    const isOfGroup = ({ where, value }: Issue) => where === 'spec.dimensions' && ofGroups.some((name) => name === value)
    const issues = error.issues.map((issue) => (isOfGroup(issue) ? { ...issue, where: 'params.group' } : issue))
    throw new AppError(error.code, error.message, { context: error.context, issues, cause: error.cause })
  }
}

/** The names in a request for rows that have to be looked up. A group may name a tenant, as a filter may. */
export function namedInCell({ params, spec, own }: CellDraft): NamesToResolve {
  const named = namedIn(params, spec)
  return groupsIn(own).has(TENANT_KEY) ? { ...named, tenants: true } : named
}

// A choice that names no query has no key columns; planning reports it.
function keysOf(definition: MetricDefinition, params: Raw, spec: Raw): readonly string[] {
  return queryOf(definition, params, spec)?.keys ?? []
}

function queryOf(definition: MetricDefinition, params: Raw, spec: Raw): MetricQuery | undefined {
  const chosen = [params['query_type'], params['type']].find((one) => typeof one === 'string')
  const name = typeof chosen === 'string' ? chosen : definition.choose(undefined, params, spec)
  return Object.hasOwn(definition.queries, name) ? definition.queries[name] : undefined
}

/** The most rows of a page, and their number without a limit. */
interface PageSize {
  readonly most: number
  readonly usual: number
}

/** The cell of a planned query. AppError `invalid_value` with every issue, each naming what is allowed. */
export function readCell(planned: PlannedQuery, { own, ofAnswer }: CellDraft, isNamed: boolean, { most, usual }: PageSize): Cell {
  const { report, issues } = collectIssues()
  for (const [name, value] of Object.entries(ofAnswer).filter(([, given]) => !isAbsent(given))) {
    report('invalid_value', `params.${name}`, `"${name}" applies to answers. The rows of a number have their own order.`, {
      value,
    })
  }
  const types = { limit: rowsAtMost(most) }
  const given = readParameters(own, { own: CELL_PARAMETERS, isPlain: true, accepted: CELL_PARAMETERS, types }, report)
  const [measure, count] = readMeasure(planned, given, report)
  const groups = groupsIn(own)
  const request = inPeriod(planned.request, given, report)
  const keys = readKeys(planned, given, report)
  const fields = [...request.dimensions, ...customerKeys(planned, groups)]
  const found = fields.flatMap((field) => readGroup(field, planned, groups, given, report))
  const missingNames = isNamed ? [] : [...groups.keys()].filter((key) => attributeKeyOf(key) !== undefined)
  for (const key of groups.keys()) {
    const known = [...fields.map((field) => field.key), ...missingNames]
    if (known.includes(key)) continue
    report('invalid_value', 'params.group', `This number has no group "${key}".`, {
      value: key,
      known,
      context: { available: known },
    })
  }
  const keysOfGroups = namedGroups(own).map(([key]) => key)
  for (const key of groups.keys()) {
    if (keysOfGroups.indexOf(key) === keysOfGroups.lastIndexOf(key)) continue
    report('invalid_value', 'params.group', `"group" must have one value for "${key}", because rows are those of one number.`, {
      value: key,
    })
  }
  throwIssues(issues)
  return {
    measure,
    count,
    request,
    counted: { ...request, dimensions: fields },
    groups: found,
    keys,
    limit: given.limit?.value ?? usual,
    offset: given.offset?.value ?? 0,
  }
}

function groupsIn(own: Raw): ReadonlyMap<string, string | null> {
  return new Map(namedGroups(own))
}

/** The groups of a request, a repeated one once. */
function namedGroups({ group }: Raw): readonly (readonly [key: string, text: string | null])[] {
  const texts = new Set([group].flat().filter((text) => typeof text === 'string'))
  return [...texts].map((text) => {
    const at = text.indexOf('=')
    return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)]
  })
}

const NOTHING: CountRows = () => ({ kind: 'count', parts: [], total: SUM })

function readMeasure({ query, name, request }: PlannedQuery, { measure }: RawParameters, report: IssueSink): [string, CountRows] {
  const rows = countedMeasures(query, request.time.kind === 'point')
  const [first] = rows
  if (first === undefined) {
    report('invalid_value', 'params.query_type', `The query "${name}" has no rows behind its numbers.`, { value: name })
    return ['', NOTHING]
  }
  const available = rows.map(([key]) => key)
  const wanted = measure === undefined ? first[0] : columnNamed(measure.value, available)
  const chosen = rows.find(([key]) => key === wanted)
  if (chosen !== undefined) return chosen
  report('invalid_value', 'params.measure', mustBe('measure', oneOf(available), measure?.value), {
    value: measure?.value,
    known: available,
    context: { available },
  })
  return first
}

/** The request for one period of the answer, or for the whole range. */
function inPeriod(request: QueryRequest, { period }: RawParameters, report: IssueSink): QueryRequest {
  const { time } = request
  const names = periodNames(time)
  if (names === undefined || time.kind === 'point') {
    if (period !== undefined)
      report('invalid_value', period.where, 'This answer has no periods.', { value: period.value, context: { available: [] } })
    return request
  }
  if (period?.value === ALL_PERIODS) return { ...request, time: { ...time, interval: undefined, periods: [] } }
  const found = time.periods.find((one) => one.period === period?.value)
  if (found === undefined) return reportMissing('period', period?.value, [...names, ALL_PERIODS], report, request)
  return { ...request, time: { ...time, ...boundsOf(found), interval: undefined, periods: [] } }
}

function boundsOf({ from, to }: Period) {
  return { from, to, start: dayOf(from), end: dayOf(new Date(to.getTime() - 1)) }
}

/** Key columns of the answer that are no dimensions. Each names the cell. */
function readKeys(planned: PlannedQuery, given: RawParameters, report: IssueSink): Readonly<Record<string, string>> {
  const keys: Record<string, string> = {}
  for (const name of ['movement_type', 'cohort_month', 'active_month', 'recognized_month'] as const) {
    const one = given[name]
    const available = valuesOf(name, planned, keys['cohort_month'])
    if (available === undefined) {
      if (one !== undefined && !planned.request.dimensions.some(({ key }) => key === name))
        report('invalid_value', one.where, `This number has no "${name}".`, { value: one.value, context: { available: [] } })
    } else if (one === undefined || !available.includes(one.value)) reportMissing(name, one?.value, available, report, undefined)
    else keys[name] = one.value
  }
  return keys
}

/** The values of a key column. Undefined if it is none that names a cell. */
function valuesOf(name: string, { query, request }: PlannedQuery, cohort: string | undefined): readonly string[] | undefined {
  const { time } = request
  if (query.keys?.includes(name) !== true) return undefined
  if (name === 'movement_type') return MOVEMENT_ORDER
  if (name !== 'cohort_month' && name !== 'active_month')
    return time.kind === 'range' ? query.key_values?.[name]?.(time) : undefined
  if (time.kind === 'point') return []
  const months = (query.keys.includes('active_month') ? knownMonths(time) : cohortMonths(time)).map(({ period }) => period)
  return name === 'active_month' && cohort !== undefined ? months.filter((month) => month >= cohort) : months
}

/** The key columns of a list of customers by which its rows are found: the id, and the name if a group names it. */
function customerKeys({ query, request }: PlannedQuery, groups: ReadonlyMap<string, string | null>): readonly Field[] {
  const keys = query.keys ?? []
  if (!keys.includes('customer_id')) return []
  const isNeeded = (key: string) => key === 'customer_id' || (key === 'customer_name' && groups.has(key))
  const columns = query.inputs.dimensions.filter(({ key }) => keys.includes(key) && isNeeded(key))
  return columns.filter((field) => !request.dimensions.includes(field))
}

function readGroup(
  field: Field,
  { request: { audience }, resolvedNames }: PlannedQuery,
  groups: ReadonlyMap<string, string | null>,
  given: RawParameters,
  report: IssueSink,
): readonly CellGroup[] {
  const { key } = field
  const conditions = (one: Field, value: string) =>
    parseConditions(one, value, 'params.group', report).map((condition) => ({ field, condition }))
  const own = key === 'movement_type' || key === 'cohort_month' ? given[key]?.value : undefined
  const text = groups.has(key) ? groups.get(key) : own
  if (text === undefined) {
    report(
      'invalid_value',
      'params.group',
      `"group" must have a value for "${key}": ${key}=<value>, or ${key} alone for no value.`,
      {
        context: { missing: [key] },
      },
    )
    return []
  }
  if (text === null) return [{ field, condition: null }]
  if (key !== 'segment_id') return conditions(withTenantNames(field, resolvedNames?.tenants), text)
  const branches = audience?.branches ?? []
  const segment =
    branches.find(({ segment_id }) => segment_id === text) ?? branches.find(({ segment_name }) => segment_name === text)
  if (segment === undefined) return reportMissing('segment_id', text, field.order, report, [])
  return conditions(field, segment.segment_id)
}

function reportMissing<T>(name: string, value: unknown, available: readonly string[], report: IssueSink, result: T): T {
  const words = available.length === 0 ? 'absent, because the answer has none' : allowed(available)
  report('invalid_value', `params.${name === 'segment_id' ? 'group' : name}`, mustBe(name, words, value), {
    ...(value === undefined ? {} : { value }),
    known: available,
    context: { available },
  })
  return result
}

/** Most values that a message lists. */
const MOST_LISTED = 12

function allowed(available: readonly string[]): string {
  if (available.length <= MOST_LISTED) return oneOf(available)
  if (available.at(-1) === ALL_PERIODS) return `${allowed(available.slice(0, -1))}, or ${ALL_PERIODS}`
  return `one of the ${available.length} from ${available[0]} to ${available.at(-1)}`
}

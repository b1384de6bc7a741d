import { dayOf } from '../../core/periods.ts'
import type { Audience } from '../audience.ts'
import { audienceOf, type NamesToResolve, namedIn, type ResolvedNames, readNarrowing } from '../audience-request.ts'
import { type Condition, checkValueCount, comparesWhole, MOST_NAMED } from '../condition.ts'
import { horizonOf } from '../forecast.ts'
import { RANGE_INPUTS } from '../inputs.ts'
import { collectIssues, type IssueSink, mustBe, oneOf, throwIssues } from '../issues.ts'
import { type OrderTerm, readOrder } from '../order.ts'
import { choice } from '../parameter-types.ts'
import { type ParameterName, parameterNamed } from '../parameters.ts'
import { readNamedRange } from '../ranges.ts'
import { type AcceptedParameters, type Raw, type RawParameters, readParameters } from '../raw-parameters.ts'
import { type LedgerRequest, ledgerOf, readConditions, readDimensions } from '../request.ts'
import type { SegmentCondition, SegmentGroup } from '../segment.ts'
import { type RawSpec, readSpec } from '../spec.ts'
import { pointAt, reportOrder } from '../timeframe.ts'
import type { Warning } from '../warning.ts'
import type { ListDefinition } from './definition.ts'
import { dividedFilters, placeOfFilter, readFurtherFilters, withPlainFilters } from './filters.ts'

/** Filters and page of a list request. Days are `YYYY-MM-DD`, inclusive. */
export interface DataRequest {
  readonly limit: number
  readonly offset: number
  readonly search: string | undefined
  readonly source_id: string | undefined
  readonly customer_id: string | undefined
  /** Attribute whose values are listed. */
  readonly key: string | undefined
  /** True for only the newest record of each kind. */
  readonly latest: boolean
  readonly start: string | undefined
  readonly end: string | undefined
  /** Only records that have been open for at least this many days. */
  readonly open_for_days: number | undefined
  /** Months after this one up to whose end records to come are listed. */
  readonly next: number | undefined
  /** The day at whose end the books are read. */
  readonly at: string | undefined
  /** The invoice whose charges are shown. */
  readonly invoice_id: string | undefined
  /** The subscription whose charges are shown. */
  readonly subscription_id: string | undefined
  /** Options of the ledger. */
  readonly ledger: LedgerRequest
  readonly order: readonly OrderTerm[]
  readonly conditions: readonly Condition[]
  /** Conditions on the subscription of a row. */
  readonly ofSubscription: readonly Condition[]
  readonly audience: Audience | undefined
  /** Format of amounts in the answer. */
  readonly money: 'cents' | 'units'
  readonly warnings: readonly Warning[]
}

/** Parameters that only data endpoints take (http-api.md 5). */
type DataParameter =
  | 'order'
  | 'limit'
  | 'offset'
  | 'search'
  | 'source_id'
  | 'customer_id'
  | 'open_for_days'
  | 'next'
  | 'at'
  | 'invoice_id'
  | 'subscription_id'
  | keyof LedgerRequest
  | 'key'
  | 'latest'

/** The inputs of a data endpoint: its own parameters, filter fields and sort fields. */
export type ListInputs = Pick<ListDefinition, 'fields' | 'statuses'> & {
  readonly own: readonly DataParameter[]
  /** Fields to sort by; none if the rows have a fixed order. */
  readonly order?: readonly string[]
  readonly takesDays: boolean
  readonly takesSegment: boolean
  /**
   * Whether a row is one subscription. Fields of subscriptions then filter the row. In a list where only some rows are one, they filter the
   * other rows by their customers. Absent: all rows by their customers.
   */
  readonly subscriptions?: 'all' | 'some'
  /** True if the days are those to come, as far as a forecast knows them. */
  readonly isAhead?: boolean
  /** True if the endpoint answers only JSON, has filters only as separate parameters, and refuses unused common parameters. */
  readonly isPlain?: boolean
  /** Names of the definition sets that the endpoint answers under. Absent: definitions do not affect it. */
  readonly sets?: readonly string[]
}

const NARROWING = { compare: 'union', own_parameters: [] } as const

/** Validates a request against the inputs of its endpoint (http-api.md 5). AppError with all issues together. */
export function parseData(params: Raw, spec: Raw, inputs: ListInputs, now: Date, resolvedNames?: ResolvedNames): DataRequest {
  const { report: collect, issues } = collectIssues()
  const report = atPlainFilters(params, inputs, collect)
  const request = withPlainFilters(params, spec, inputs.fields, report)
  const { isPlain = false } = inputs
  const names = acceptedByList(inputs)
  const accepted = [...names, ...inputs.fields.map(({ key }) => key)]
  const read = readParameters(
    request.params,
    { own: isPlain ? names : inputs.own, accepted, isPlain, types: typesOf(inputs) },
    report,
  )
  const rawSpec = readSpec({}, request.spec, report)
  const slices = { ...RANGE_INPUTS, filter_fields: inputs.fields }
  refuseSlices(read, rawSpec, report)
  readDimensions(rawSpec, slices, false, report)
  const { own, others } = inputs.takesSegment ? dividedFilters(rawSpec, inputs.fields) : { own: rawSpec.filters, others: [] }
  const conditions = readConditions({ ...rawSpec, filters: own }, slices, false, report, resolvedNames)
  checkStatuses(conditions, inputs.statuses, report)
  // A list shows the present, so segment membership is also evaluated now.
  const { segment, ...narrowing } = readNarrowing(read, segmentOnly(rawSpec, inputs), NARROWING, resolvedNames, report)
  const tests = resolvedNames === undefined ? [] : readFurtherFilters(others, inputs.fields, resolvedNames, report)
  checkValueCount([...conditions, ...tests.map(({ condition }) => condition)], 'spec.filters', report)
  const { ofSubscription, ofCustomer } = byLevel(tests, inputs)
  const members = together(ofCustomer, segment)
  const days = inputs.takesDays ? readDays(read, now, report, inputs.isAhead === true ? horizonOf(now) : undefined) : {}
  const order = readOrder(read.order, inputs.order ?? [], report)
  const parsed = {
    limit: read.limit?.value ?? 100,
    offset: read.offset?.value ?? 0,
    search: read.search?.value,
    source_id: read.source_id?.value,
    customer_id: read.customer_id?.value,
    key: read.key?.value,
    latest: read.latest?.value ?? false,
    start: days.start,
    end: days.end,
    open_for_days: read.open_for_days?.value,
    next: read.next?.value,
    at: read.at?.value,
    invoice_id: read.invoice_id?.value,
    subscription_id: read.subscription_id?.value,
    ledger: ledgerOf(read),
    order,
    conditions,
    ofSubscription,
    audience: audienceOf({ ...narrowing, segment: members }, pointAt(dayOf(now), now).before),
    money: read.money?.value ?? 'cents',
    warnings: unusedWarning(read, rawSpec, inputs),
  }
  throwIssues(issues)
  return parsed
}

/** Parameters that an endpoint accepts, in documented order. */
export function acceptedByList(inputs: ListInputs): readonly ParameterName[] {
  const { own, takesDays, takesSegment, isPlain = false } = inputs
  const days = takesDays ? (['start', 'end', 'range'] as const) : []
  const common = isPlain
    ? []
    : (['filter', 'format', 'money', ...(inputs.sets === undefined ? [] : (['definitions'] as const))] as const)
  return [...own, ...days, ...(takesSegment ? (['segment'] as const) : []), ...common]
}

/** The types that replace those of the parameters. */
function typesOf({ sets }: ListInputs): AcceptedParameters['types'] {
  return sets === undefined ? {} : { definitions: choice(sets) }
}

// Reports an issue of a filter under the parameter that the caller used.
function atPlainFilters(params: Raw, { fields }: ListInputs, report: IssueSink): IssueSink {
  const place = (where: string) => {
    const key = /^spec\.filters\.(.+)$/.exec(where)?.[1]
    return key !== undefined && fields.some((field) => field.key === key) ? placeOfFilter(key, params) : where
  }
  return (code, where, ...rest) => report(code, place(where), ...rest)
}

/** The names in a request for a list that must be looked up: attributes, segments, and fields of customers. */
export function namedInList(params: Raw, spec: Raw, { fields }: Pick<ListInputs, 'fields'>): NamesToResolve {
  const read = readSpec(params, spec, collectIssues().report)
  return { ...namedIn(params, spec), names_fields: dividedFilters(read, fields).others.length > 0 }
}

/** Conditions on the subscription of a row, and those on its customer. */
function byLevel(tests: readonly SegmentCondition[], { subscriptions }: Pick<ListInputs, 'subscriptions'>) {
  const held = tests.filter(({ level }) => level === 'span')
  return {
    ofSubscription: subscriptions === undefined ? [] : held.map(({ condition }) => condition),
    ofCustomer: subscriptions === 'all' ? tests.filter((test) => !held.includes(test)) : tests,
  }
}

// All filters must hold, and the segment.
function together(tests: readonly SegmentCondition[], segment: SegmentGroup | undefined): SegmentGroup | undefined {
  if (tests.length === 0) return segment
  return { kind: 'group', op: 'and', nodes: [...tests, ...(segment === undefined ? [] : [segment])] }
}

// Lists filter by their own fields only, and do not compare segments.
function segmentOnly(spec: RawSpec, { takesSegment }: ListInputs): RawSpec {
  return { ...spec, segment: takesSegment ? spec.segment : undefined, compare: undefined, filters: [] }
}

function refuseSlices({ granularity }: RawParameters, spec: RawSpec, report: IssueSink): void {
  const step = granularity ?? spec.granularity
  if (step === undefined) return
  const context = { available: [] }
  report('invalid_interval', step.where, 'A list of records has no periods.', { value: step.value, context })
}

function checkStatuses(conditions: readonly Condition[], statuses: readonly string[], report: IssueSink): void {
  for (const { field, operator, values } of conditions) {
    if (field.key !== 'status' || !comparesWhole(operator)) continue
    const wrong = values.map(String).filter((word) => !statuses.includes(word))
    for (const value of wrong.slice(0, MOST_NAMED)) {
      const message = mustBe('status', oneOf(statuses), value)
      report('invalid_value', 'spec.filters.status', message, { value, known: statuses, context: { available: statuses } })
    }
  }
}

function readDays(
  params: RawParameters,
  now: Date,
  report: IssueSink,
  until: Date | undefined,
): { readonly start?: string; readonly end?: string } {
  const { start, end, range } = params
  const named = readNamedRange(range, start !== undefined || end !== undefined, now, report, until)
  if (named !== undefined) return { start: named.value[0], end: named.value[1] }
  if (start !== undefined && end !== undefined && start.value > end.value) reportOrder(start, end.value, report)
  return { ...(start && { start: start.value }), ...(end && { end: end.value }) }
}

function unusedWarning(
  { given }: RawParameters,
  spec: RawSpec,
  { own, takesDays, takesSegment, sets }: ListInputs,
): readonly Warning[] {
  const used: readonly string[] = [
    ...own,
    'format',
    'money',
    'granularity',
    ...(sets === undefined ? [] : ['definitions']),
    ...(takesDays ? ['start', 'end', 'range'] : []),
  ]
  const unused = [
    ...[...given].filter((name) => parameterNamed(name)?.known_to === 'all' && !used.includes(name)),
    ...(spec.segment === undefined || takesSegment ? [] : ['segment']),
    ...(spec.compare === undefined ? [] : ['compare_segments']),
  ]
  if (unused.length === 0) return []
  return [{ code: 'unused_parameter', message: `Without effect on this list: ${unused.join(', ')}.`, count: unused.length }]
}

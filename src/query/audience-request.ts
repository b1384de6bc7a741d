import { clipped } from '../core/text.ts'
import type { NamedSegment } from '../core/workspace.ts'
import { attributeKeyOf } from './attributes.ts'
import { type Audience, audienceConditions, type Branch } from './audience.ts'
import { type Condition, checkValueCount, parseConditions } from './condition.ts'
import { TENANT_KEY } from './dimensions/source.ts'
import type { Field } from './field.ts'
import type { QueryInputs } from './inputs.ts'
import { collectIssues, type IssueSink } from './issues.ts'
import { MOST_COMPARED } from './parameters.ts'
import { type Given, isAbsent, type Raw, type RawParameters } from './raw-parameters.ts'
import { isWrittenSegment } from './segment.ts'
import { asSentence, checkSegmentDefinition, conditionsWritten, problemText, type SegmentProblem } from './segment-check.ts'
import type { SegmentNames } from './segment-fields.ts'
import { type RawSpec, readSpec } from './spec.ts'

/** Attributes by key, and segments by the id or name in the request. They are looked up before the request is validated. */
export interface ResolvedNames extends SegmentNames {
  readonly segments: ReadonlyMap<string, NamedSegment>
  /** Names of all segments, filled if the request names an unknown one. */
  readonly segment_names: readonly string[]
  /** Names of the tenants; undefined if no session is open. */
  readonly tenants?: readonly string[]
  /** True for callers that may not see the definitions of segments. */
  readonly numbersOnly?: boolean
}

/** Names in a request that have to be looked up in the store or the billing database. */
export interface NamesToResolve {
  readonly attributes: readonly string[]
  readonly segments: readonly string[]
  /** True if a filter names a tenant. */
  readonly tenants?: boolean
  /** True if all attributes are needed, so that an error can list them. */
  readonly lists_attributes?: boolean
  /** True if the request names fields of segments outside a segment. */
  readonly names_fields?: boolean
}

/** Keys of attributes, and ids or names of segments, in a request. This does not validate the request. */
export function namedIn(params: Raw, spec: Raw): NamesToResolve {
  const { dimensions, filters, segment, compare } = readSpec(params, spec, collectIssues().report)
  const fields = [...dimensions, ...filters.map(([name]) => name)]
  return {
    attributes: fields.flatMap((name) => attributeKeyOf(name) ?? []),
    segments: [...new Set([...(segment === undefined ? [] : [segment.value]), ...comparedIds(compare)])],
    tenants:
      filters.some(([name]) => name === TENANT_KEY) || (Object.hasOwn(params, TENANT_KEY) && !isAbsent(params[TENANT_KEY])),
  }
}

/** Filters on attributes, the segment and the compared segments of a request. */
type Narrowing = Omit<Audience, 'before'>

/** The audience of a request. Without `resolvedNames`, only the parts that need no lookup are validated. */
export function readNarrowing(
  params: RawParameters,
  spec: RawSpec,
  inputs: Pick<QueryInputs, 'compare' | 'own_parameters'>,
  resolvedNames: ResolvedNames | undefined,
  report: IssueSink,
): Narrowing {
  const { segment, compare } = spec
  const { per_segment } = params
  if (inputs.compare === 'none') {
    for (const given of [segment, compare].filter((item) => item !== undefined)) {
      report('invalid_value', given.where, 'This query has no customers, so segments do not apply.', { value: given.value })
    }
  }
  if (per_segment?.value === true && (!inputs.own_parameters.includes('per_segment') || compare === undefined)) {
    const message = '"per_segment" needs "compare_segments" and works only on cohort matrices and cohort LTV.'
    report('invalid_value', per_segment.where, message, { value: true })
  }
  checkCompareCount(spec, report)
  const splits = compare !== undefined && (inputs.compare === 'rows' || per_segment?.value === true)
  if (resolvedNames === undefined || inputs.compare === 'none')
    return { conditions: [], segment: undefined, branches: [], splits }
  const conditions = readAttributeFilters(spec, resolvedNames, report)
  if (isTooCostly(spec, resolvedNames, report)) return { conditions, segment: undefined, branches: [], splits }
  const segments = readSegments(spec, resolvedNames, report)
  const narrowing = { conditions, ...segments, splits }
  checkValueCount(
    audienceConditions(narrowing).map(({ condition }) => condition),
    (segment ?? compare)?.where ?? 'spec.filters',
    report,
  )
  return narrowing
}

/** The customers that count, as of an instant; undefined if nothing narrows them. */
export function audienceOf(narrowing: Narrowing, before: Date): Audience | undefined {
  const { conditions, segment, branches } = narrowing
  return conditions.length === 0 && segment === undefined && branches.length === 0 ? undefined : { ...narrowing, before }
}

/** Filters on attributes. Reports unknown keys and invalid values. */
function readAttributeFilters({ filters }: RawSpec, { attributes }: ResolvedNames, report: IssueSink): readonly Condition[] {
  return filters.flatMap(([name, raw]) => {
    if (attributeKeyOf(name) === undefined) return []
    const where = `spec.filters.${name}`
    const field = attributeNamed(name, where, attributes, report)
    return field === undefined ? [] : parseConditions(field, raw, where, report)
  })
}

/** The attribute with the name `attr.<key>`. Reports an unknown one and returns undefined. */
export function attributeNamed(
  name: string,
  where: string,
  attributes: ResolvedNames['attributes'],
  report: IssueSink,
): Field | undefined {
  const key = attributeKeyOf(name) ?? ''
  const field = attributes.get(key)
  if (field !== undefined) return field
  const available_attributes = attributeNames(attributes)
  const details = { value: name, known: available_attributes, context: { available_attributes } }
  report('unknown_attribute', where, `Unknown attribute "${key}".`, details)
  return undefined
}

/** Reports too many segments to compare, before any is looked up. */
function checkCompareCount({ compare }: RawSpec, report: IssueSink): void {
  const count = compare?.value.length ?? 0
  if (compare === undefined || count <= MOST_COMPARED) return
  const message = `${count} segments to compare; the limit is ${MOST_COMPARED}.`
  report('too_many_segments', compare.where, message, { context: { limit: MOST_COMPARED } })
}

// Each definition may be as large as a request body, and a longer list is refused anyway.
function comparedIds(compare: RawSpec['compare']): readonly string[] {
  return compare?.value.slice(0, MOST_COMPARED) ?? []
}

/** Most characters of a segment id that an error repeats. */
const MOST_CHARACTERS = 400

/** Most conditions of all segments of a request together. Each is evaluated for every customer, in every statement. */
const MOST_CONDITIONS = 500

/** Reports segments that have too many conditions together, before any is read. */
function isTooCostly({ segment, compare }: RawSpec, { segments }: ResolvedNames, report: IssueSink): boolean {
  const named = new Set([...(segment === undefined ? [] : [segment.value]), ...comparedIds(compare)])
  const cost = [...named].reduce((sum, id) => sum + conditionsWritten(segments.get(id)?.definition), 0)
  if (named.size < 2 || cost <= MOST_CONDITIONS) return false
  const message = `The segments have ${cost} conditions together; the limit is ${MOST_CONDITIONS}.`
  report('validation_failed', (compare ?? segment)?.where ?? 'spec.compare', message, {
    context: { limit: MOST_CONDITIONS, cost },
  })
  return true
}

/** The segments of a spec, read from their definitions. Reports unknown segments and invalid definitions. */
function readSegments(
  { segment, compare }: RawSpec,
  resolvedNames: ResolvedNames,
  report: IssueSink,
): Pick<Audience, 'segment' | 'branches'> {
  const named = [...(segment === undefined ? [] : [segment.value]), ...comparedIds(compare)]
  const unknown = [...new Set(named)].filter((id) => !resolvedNames.segments.has(id) && !isWrittenSegment(id))
  const available = attributeNames(resolvedNames.attributes)
  const resolve = (text: string, where: string): Branch | undefined => {
    const found = resolvedNames.segments.get(text)
    if (found === undefined && isWrittenSegment(text)) {
      report(
        'invalid_value',
        where,
        'A segment that begins with "{" is a definition as JSON. This text is not a JSON object, or it has too many levels, names or values.',
      )
      return undefined
    }
    if (found === undefined) {
      const details = { value: text, known: resolvedNames.segment_names, context: { segment_ids: unknown } }
      report('unknown_segment', where, `There is no segment "${text}".`, details)
      return undefined
    }
    const { tree, problems } = checkSegmentDefinition(found.definition, resolvedNames)
    if (resolvedNames.numbersOnly === true && problems[0] !== undefined) reportUnusable(found, problems[0], where, report)
    else for (const problem of problems) reportProblem(found, problem, where, available, report)
    return tree === undefined ? undefined : { segment_id: found.id, segment_name: found.name, tree }
  }
  const narrowed = segment === undefined ? undefined : resolve(segment.value, segment.where)
  const branches = comparedIds(compare).flatMap((text) => resolve(text, whereOf(compare)) ?? [])
  return {
    segment: narrowed?.tree,
    // Id and name of one segment are a repeat, which counts once.
    branches: [...new Map(branches.map((branch) => [branch.segment_id, branch])).values()],
  }
}

/** Names of attributes as filters write them, ascending. */
export function attributeNames(attributes: ResolvedNames['attributes']): readonly string[] {
  return [...attributes.values()].map((field) => field.key).sort()
}

function reportProblem(
  { id, name }: NamedSegment,
  problem: SegmentProblem,
  where: string,
  available_attributes: readonly string[],
  report: IssueSink,
): void {
  // The id of an inline definition is its text.
  const segment_id = clipped(id, MOST_CHARACTERS)
  const context = problem.code === 'unknown_attribute' ? { segment_id, available_attributes } : { segment_id }
  report(problem.code, where, asSentence(`Segment "${name}": ${problemText(problem)}`), { value: id, context })
}

/** Reports an unusable segment to a caller that may not see its definition. */
function reportUnusable({ id, name }: NamedSegment, { code }: SegmentProblem, where: string, report: IssueSink): void {
  const message = `Segment "${name}" cannot be evaluated with its current definition. A credential with the scope read shows the reason.`
  report(code, where, message, { value: id, context: { segment_id: clipped(id, MOST_CHARACTERS) } })
}

function whereOf(given: Given<unknown> | undefined): string {
  return given?.where ?? 'spec.compare'
}

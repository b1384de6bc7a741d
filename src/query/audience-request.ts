import { attributeKeyOf } from './attribute-field.ts'
import { type Audience, audienceConditions, type Branch } from './audience.ts'
import { type Condition, checkValueCount, parseConditions } from './condition.ts'
import { collectIssues, type IssueSink } from './issues.ts'
import type { QueryOffer } from './offer.ts'
import type { Given, Raw, RawParameters } from './raw-parameters.ts'
import type { SegmentGroup } from './segment.ts'
import { asSentence, checkSegmentDefinition, problemText, type SegmentProblem } from './segment-check.ts'
import type { SegmentVocabulary } from './segment-fields.ts'
import { type RawSpec, readSpec } from './spec.ts'

const COMPARE_LIMIT = 10

/** What a request's names stand for, looked up before it is judged: attributes, and definitions of segments by id. */
export interface Vocabulary extends SegmentVocabulary {
  readonly segments: ReadonlyMap<string, unknown>
}

/** Names of a request that have to be looked up. */
export interface LookedUp {
  readonly attributes: readonly string[]
  readonly segments: readonly string[]
}

/** Keys of attributes and ids of segments that a spec names; its form is judged elsewhere. */
export function namedIn(spec: Raw): LookedUp {
  const { filters, segment, compare } = readSpec(spec, collectIssues().report)
  return {
    attributes: filters.flatMap(([name]) => attributeKeyOf(name) ?? []),
    segments: [...new Set([...(segment === undefined ? [] : [segment.value]), ...(compare?.value ?? [])])],
  }
}

/** What narrows a request: filters on attributes, the segment, the segments compared. */
export type Narrowing = Omit<Audience, 'before'>

/** Whose facts a request wants; without a vocabulary only what can be judged by itself. */
export function readNarrowing(
  params: RawParameters,
  spec: RawSpec,
  offer: Pick<QueryOffer, 'compare' | 'own_parameters'>,
  vocabulary: Vocabulary | undefined,
  report: IssueSink,
): Narrowing {
  const { segment, compare } = spec
  const { per_segment } = params
  if (offer.compare === 'none') {
    for (const given of [segment, compare].filter((item) => item !== undefined)) {
      report('invalid_value', given.where, 'This query has no customers, so no segments.', { value: given.value })
    }
  }
  if (per_segment?.value === true && (!offer.own_parameters.includes('per_segment') || compare === undefined)) {
    const message = '"per_segment" goes with segments to compare, on cohort matrices and cohort LTV.'
    report('invalid_value', per_segment.where, message, { value: true })
  }
  checkCompareCount(spec, report)
  const splits = compare !== undefined && (offer.compare === 'rows' || per_segment?.value === true)
  if (vocabulary === undefined || offer.compare === 'none') return { conditions: [], segment: undefined, branches: [], splits }
  const conditions = readAttributeFilters(spec, vocabulary, report)
  const segments = readSegments(spec, vocabulary, report)
  const narrowing = { conditions, ...segments, splits }
  checkValueCount(
    audienceConditions(narrowing).map(({ condition }) => condition),
    (segment ?? compare)?.where ?? 'spec.filters',
    report,
  )
  return narrowing
}

/** The customers that count, as of an instant; undefined when nothing narrows. */
export function audienceOf(narrowing: Narrowing, before: Date): Audience | undefined {
  const { conditions, segment, branches } = narrowing
  return conditions.length === 0 && segment === undefined && branches.length === 0 ? undefined : { ...narrowing, before }
}

/** Filters on attributes; unknown keys and values that do not fit are reported. */
function readAttributeFilters({ filters }: RawSpec, { attributes }: Vocabulary, report: IssueSink): readonly Condition[] {
  const available_attributes = attributeNames(attributes)
  return filters.flatMap(([name, raw]) => {
    const key = attributeKeyOf(name)
    if (key === undefined) return []
    const where = `spec.filters.${name}`
    const field = attributes.get(key)
    if (field !== undefined) return parseConditions(field, raw, where, report)
    const details = { value: name, known: available_attributes, context: { available_attributes } }
    report('unknown_attribute', where, `Unknown attribute "${key}".`, details)
    return []
  })
}

/** Reports more ids to compare than allowed; needs nothing looked up. */
function checkCompareCount({ compare }: RawSpec, report: IssueSink): void {
  const count = compare?.value.length ?? 0
  if (compare === undefined || count <= COMPARE_LIMIT) return
  const message = `${count} segments to compare; the limit is ${COMPARE_LIMIT}.`
  report('too_many_segments', compare.where, message, { context: { limit: COMPARE_LIMIT } })
}

/** The segments that a spec names, read from their definitions; what is unknown or does not fit is reported. */
export function readSegments(
  { segment, compare }: RawSpec,
  vocabulary: Vocabulary,
  report: IssueSink,
): Pick<Audience, 'segment' | 'branches'> {
  const named = [...(segment === undefined ? [] : [segment.value]), ...(compare?.value ?? [])]
  const unknown = [...new Set(named)].filter((id) => !vocabulary.segments.has(id))
  const resolve = (id: string, where: string): SegmentGroup | undefined => {
    if (unknown.includes(id)) {
      report('unknown_segment', where, `There is no segment "${id}".`, { value: id, context: { segment_ids: unknown } })
      return undefined
    }
    const { tree, problems } = checkSegmentDefinition(vocabulary.segments.get(id), vocabulary)
    for (const problem of problems) reportProblem(id, problem, where, vocabulary, report)
    return tree
  }
  return {
    segment: segment === undefined ? undefined : resolve(segment.value, segment.where),
    branches: (compare?.value ?? []).flatMap((segment_id): readonly Branch[] => {
      const tree = resolve(segment_id, whereOf(compare))
      return tree === undefined ? [] : [{ segment_id, tree }]
    }),
  }
}

/** Names of attributes as filters write them, ascending. */
export function attributeNames(attributes: Vocabulary['attributes']): readonly string[] {
  return [...attributes.values()].map((field) => field.key).sort()
}

function reportProblem(id: string, problem: SegmentProblem, where: string, vocabulary: Vocabulary, report: IssueSink): void {
  const context =
    problem.code === 'unknown_attribute'
      ? { segment_id: id, available_attributes: attributeNames(vocabulary.attributes) }
      : { segment_id: id }
  report(problem.code, where, asSentence(`Segment "${id}": ${problemText(problem)}`), { value: id, context })
}

function whereOf(given: Given<unknown> | undefined): string {
  return given?.where ?? 'spec.compare'
}

import type * as z from 'zod'
import { type Good, traitsOf, type Unit } from '../../core/column.ts'
import { suggest } from '../../core/errors.ts'
import { measuresOf } from '../../metrics/answer-schema.ts'
import type { MetricDefinition } from '../../metrics/define-metric.ts'
import { answersNumber, type MetricQuery } from '../../metrics/define-query.ts'

/** A number that may have goals: a measure of a query that has one number in each period. */
export interface GoalSubject {
  readonly metric: string
  readonly query_type: string
  readonly measure: string
  /** Other query types that answer the same number. */
  readonly also: readonly string[]
  readonly label: string
  readonly unit: Unit
  readonly good: Good
  /** True for a level, which is that of a day. */
  readonly is_level: boolean
  /** Other words for `metric` that name this number. */
  readonly names: readonly string[]
}

/** The numbers of these metrics that may have goals, those that the catalogue names first. */
export function goalSubjects(metrics: readonly MetricDefinition[]): readonly GoalSubject[] {
  return metrics.flatMap((metric) => {
    const queries = Object.entries(metric.queries).filter(([, query]) => hasOneNumber(query))
    const named = queries.flatMap(([name, query]) =>
      (query.figures ?? []).map(({ id, label, measure, headline }) =>
        subjectOf(metric, name, query, { measure, label, names: [id, measure, ...(headline === undefined ? [] : [headline])] }),
      ),
    )
    const plain = queries.flatMap(([name, query]) => {
      const measure = answersNumber(query) ? plainOf(query) : undefined
      const label = measure?.replaceAll('_', ' ')
      return measure === undefined || label === undefined ? [] : [subjectOf(metric, name, query, { measure, label, names: [] })]
    })
    return [...named, ...plain].reduce<readonly GoalSubject[]>(withoutRepeats, [])
  })
}

/** A series of rows that a key such as the kind of movement distinguishes has several numbers in a period. */
function hasOneNumber({ figures = [], keys = [], plain }: MetricQuery): boolean {
  return keys.length === 0 && (figures.length > 0 || answersNumber({ plain } as MetricQuery))
}

/** The query that answers MRR on a day and the one that answers its series have the same number. */
function withoutRepeats(found: readonly GoalSubject[], next: GoalSubject): readonly GoalSubject[] {
  const same = found.findIndex(
    ({ metric, measure, query_type, is_level }) =>
      metric === next.metric && measure === next.measure && (query_type === next.query_type || (is_level && next.is_level)),
  )
  if (same < 0) return [...found, next]
  const { query_type } = next
  return found.map((subject, at) =>
    at === same && query_type !== subject.query_type ? { ...subject, also: [...subject.also, query_type] } : subject,
  )
}

function subjectOf(
  { name: metric }: MetricDefinition,
  query_type: string,
  query: MetricQuery,
  { measure, label, names }: Pick<GoalSubject, 'measure' | 'label' | 'names'>,
): GoalSubject {
  const column = (query.row.shape[measure] ?? query.series_row?.shape[measure]) as z.ZodType
  const { unit = 'count', good = 'up', label: own } = traitsOf(column)
  const { dates } = query.inputs
  const is_level = dates === 'point_or_range' || dates === 'series'
  return { metric, query_type, measure, also: [], label: names.length > 0 ? label : (own ?? label), unit, good, is_level, names }
}

/** The measure that the query answers without groups. */
function plainOf(query: MetricQuery): string | undefined {
  return [...measuresOf(query).keys()].find((name) => query.row.shape[name] === query.plain)
}

/** The numbers that a word names, and the query type among them: a metric has a first one. A metric comes before a figure of the same name. */
function lookUp(
  word: string,
  query_type: string | undefined,
  subjects: readonly GoalSubject[],
  metrics: readonly MetricDefinition[],
) {
  const definition = metrics.find(({ name }) => name === word)
  const type = query_type ?? definition?.choose(undefined, {}, {})
  const known = subjects.filter(({ metric, names }) => (definition === undefined ? names.includes(word) : metric === word))
  const found = known.find((subject) => type === undefined || subject.query_type === type || subject.also.includes(type))
  return { definition, type, known, found }
}

/** Why a word names no number that may have goals. */
interface Unnamed {
  readonly problem: string
  readonly field: 'metric' | 'query_type'
  readonly did_you_mean: readonly string[]
}

/** The number that `metric` and `query_type` name, or a sentence with everything that may have a goal. */
export function subjectNamed(
  metric: string,
  query_type: string | undefined,
  metrics: readonly MetricDefinition[],
): GoalSubject | Unnamed {
  const subjects = goalSubjects(metrics)
  const { definition, type, known, found } = lookUp(metric, query_type, subjects, metrics)
  if (found !== undefined) return found
  const allowed = `Goals are for ${subjects.map((subject) => nameOf(subject, subjects, metrics)).join(', ')}.`
  if (definition === undefined && known.length === 0) {
    const words = [...new Set(subjects.flatMap(({ metric: own, names }) => [own, ...names]))]
    return {
      field: 'metric',
      problem: `No number is named ${JSON.stringify(metric)}. ${allowed}`,
      did_you_mean: suggest(metric, words),
    }
  }
  const what = type === undefined ? metric : `${metric} with the query type ${JSON.stringify(type)}`
  const problem = `The metric ${what} does not have one number in a period, so it cannot have a goal. ${allowed}`
  return {
    field: query_type === undefined ? 'metric' : 'query_type',
    problem,
    did_you_mean: known.map((subject) => subject.query_type),
  }
}

/** A subject as a message names it: a word for `metric`, with the query type if the word needs one. */
function nameOf(subject: GoalSubject, subjects: readonly GoalSubject[], metrics: readonly MetricDefinition[]): string {
  const name = subject.names.find((word) => lookUp(word, undefined, subjects, metrics).found === subject)
  return name ?? `${subject.metric} (${subject.query_type})`
}

import { columnOf, traitsOf } from '../core/column.ts'
import { type BridgeStep, stepsBetween } from '../core/definition-sets/bridge-steps.ts'
import type { DefinitionSets } from '../core/definition-sets/sets.ts'
import type { Definitions } from '../core/definitions.ts'
import { AppError } from '../core/errors.ts'
import type { AskOptions } from '../execution/answer/answer.ts'
import { changeOf } from '../execution/answer/comparison.ts'
import { daysOf, shapeRecords } from '../execution/answer/describe-columns.ts'
import type { Question } from '../execution/pipeline.ts'
import { disclosedBy, disclosedByName } from '../execution/plan/disclosure.ts'
import type { PlannedQuery, Planner } from '../execution/plan/plan.ts'
import { type RunContext, refuseAudienceGaps, runQuery } from '../execution/run.ts'
import { answersNumber } from '../metrics/define-query.ts'
import { namedIn } from '../query/audience-request.ts'
import { collectIssues, type IssueSink, type RequestIssue, throwIssues } from '../query/issues.ts'
import { choice } from '../query/parameter-types.ts'
import { asksForecast, isAbsent, isExplained, type Raw, readValue } from '../query/raw-parameters.ts'
import { bridgeSchema } from './bridge-answer.ts'

/** The figure under two sets of definitions, and the steps between them. */
interface FoundBridge {
  readonly field: string
  readonly values: readonly (number | null)[]
}

interface BridgePlan {
  readonly planned: PlannedQuery
  readonly from: string
  readonly to: string
  readonly steps: readonly BridgeStep[]
}

interface BridgeContext {
  readonly planner: Planner
  readonly sets: DefinitionSets
  /** Called with the names of customers that the question shows or identifies. Throws if the caller may not see them. */
  readonly disclosing: AskOptions['disclosing']
}

/**
 * The question how a figure changes from one definition set to another, one option after the other. Every figure of it comes from one
 * snapshot.
 */
export function bridgeQuestion(
  metric: string,
  params: Raw,
  spec: Raw,
  { planner, sets, disclosing }: BridgeContext,
): Question<BridgePlan, FoundBridge> {
  const { from, to, ...rest } = params
  const namesOfSets = (report: IssueSink): readonly [from: string, to: string] => {
    const given = (['from', 'to'] as const).map((name) => {
      if (isAbsent(params[name]))
        report('invalid_value', `params.${name}`, `"${name}" must name a definition set.`, { context: { available: sets.names } })
      return readValue(choice(sets.names), params[name], `params.${name}`, report)?.value
    })
    if (!isAbsent(rest['definitions']))
      report('invalid_value', 'params.definitions', 'A bridge names its definition sets with "from" and "to".')
    return [given[0] ?? '', given[1] ?? '']
  }
  const definitionsOf = (name: unknown) => sets.definitionsOf(typeof name === 'string' ? name : undefined)
  const first = definitionsOf(from)
  const named = namedIn(rest, spec)
  const disclosed = disclosedByName(named)
  if (disclosed.length > 0) disclosing?.(disclosed)
  return {
    key: [`bridge ${metric}`, params, spec],
    set: typeof from === 'string' ? from : undefined,
    explains: isExplained(params),
    isForecast: asksForecast(rest),
    definitions: [first, ...stepsBetween(first, definitionsOf(to)).map((step) => step.definitions)],
    named,
    plan(now, names) {
      const { report, issues } = collectIssues()
      const [start, end] = namesOfSets(report)
      const planned = planTogether(issues, () => planner.plan(metric, rest, spec, now, names))
      disclosing?.(disclosedBy(planned, named))
      refuseRows(planned)
      return { planned, from: start, to: end, steps: stepsBetween(definitionsOf(start), definitionsOf(end)) }
    },
    planAt: (plan, now) => ({ ...plan, planned: planner.planAt(plan.planned, now) }),
    takesAttributes: () => true,
    audience: ({ planned }) => planned.request.audience,
    conditions: ({ planned }) => planned.request.conditions,
    async run({ planned, steps, from: start }, context) {
      const values: (number | null)[] = []
      let field = ''
      for (const definitions of [definitionsOf(start), ...steps.map((step) => step.definitions)]) {
        const found = await figureUnder(definitions, planned, { ...context, planner })
        field = found.field
        values.push(found.value)
      }
      return { field, values }
    },
    shape({ field, values }, { planned, from: start, to: end, steps }, { session }) {
      const last = values.at(-1) ?? null
      const rows = steps.map(({ option, from: before, to: after }, index) => {
        const difference = changeOf(values[index] ?? null, values[index + 1] ?? null)
        return { option, from: before, to: after, value: values[index + 1] ?? null, difference }
      })
      const data = {
        measure: field,
        from: { definitions: start, value: values[0] ?? null },
        to: { definitions: end, value: last },
        steps: rows,
        residual: residualOf(
          values[0] ?? null,
          last,
          rows.map(({ difference }) => difference),
        ),
      }
      const column = columnOf(planned.query.row, field)
      const schema = bridgeSchema((column && traitsOf(column).unit) ?? 'count')
      const shaped = shapeRecords(
        { data, kind: 'object' },
        schema,
        { money: planned.request.money },
        session.definitions.base_currency,
      )
      const amounts = { ...shaped.amounts, currency: session.definitions.base_currency }
      return { ...shaped, amounts, days: daysOf(planned.request.time) }
    },
  }
}

/** The planned query. AppError with these issues and those of the plan. */
function planTogether(issues: readonly RequestIssue[], plan: () => PlannedQuery): PlannedQuery {
  try {
    const planned = plan()
    throwIssues(issues)
    return planned
  } catch (error) {
    if (issues.length === 0 || !(error instanceof AppError) || error.issues === undefined) throw error
    const { code, context } = error
    const others = error.issues.filter((issue) => !issues.some(({ where }) => where === issue.where))
    throwIssues([...issues, ...others.map((issue) => (issue.code === code ? { ...issue, context } : issue))])
    throw error
  }
}

/** AppError `invalid_value` for a request whose answer is more than one number. */
function refuseRows({ query, request, name, definition }: PlannedQuery): void {
  const isNumber = answersNumber(query)
  const isPlain = request.dimensions.length === 0 && request.compared.length === 0 && request.rows?.compared === undefined
  const hasPeriods = request.time.kind === 'range' && request.time.interval !== undefined
  if (isNumber && isPlain && !hasPeriods) return
  const message = isNumber
    ? 'A bridge needs one number: leave out dimensions, periods and comparisons.'
    : `A bridge needs a query that answers one number, and ${definition.name}.${name} does not.`
  throw new AppError('invalid_value', message, {
    issues: [{ code: 'invalid_value', where: 'params.query_type', value: name, message, did_you_mean: [] }],
  })
}

async function figureUnder(
  definitions: Definitions,
  planned: PlannedQuery,
  context: RunContext & { readonly planner: Planner },
): Promise<{ readonly field: string; readonly value: number | null }> {
  const under = { ...context, session: await context.sessionUnder(definitions) }
  const own = plannedUnder(under.session.now, planned, context)
  await refuseAudienceGaps(own.request.audience, under)
  const { result } = await runQuery(own, under)
  if (result.kind !== 'scalar') throw new AppError('internal', 'a bridge of an answer that is no number')
  return { field: result.field, value: result.value }
}

/** The plan for what the clock shows under other definitions: another zone may have another day (D84). */
function plannedUnder(
  now: Date,
  planned: PlannedQuery,
  { planner, session }: RunContext & { readonly planner: Planner },
): PlannedQuery {
  if (now.getTime() === session.now.getTime()) return planned
  const { definition, raw, resolvedNames } = planned
  return planner.plan(definition.name, raw.params, raw.spec, now, resolvedNames)
}

/** The part of the whole difference that no step explains: 0. Null if a figure is not known. */
function residualOf(from: number | null, to: number | null, differences: readonly (number | null)[]): number | null {
  const explained = differences.reduce<number | null>(
    (sum, difference) => (sum === null || difference === null ? null : changeOf(-sum, difference)),
    0,
  )
  return changeOf(explained, changeOf(from, to))
}

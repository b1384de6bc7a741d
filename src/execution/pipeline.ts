import { AppError } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import { dayOf } from '../core/periods.ts'
import type { Audience } from '../query/audience.ts'
import type { NamesToResolve, ResolvedNames } from '../query/audience-request.ts'
import type { Answer, AnswerOptions, Shaped } from './answer/answer.ts'
import type { EngineDependencies } from './dependencies.ts'
import { capabilitiesOf } from './plan/capability.ts'
import { lookUp, namesAnything } from './plan/resolve-names.ts'
import { type RunContext, refuseAudienceGaps } from './run.ts'
import { createInFlight } from './session/in-flight.ts'
import { createSessions } from './session/open-session.ts'
import { hashDefinitions } from './session/session.ts'

/** A question, with the calls that plan, run and shape it. `Plan` is the checked request, `Found` is the result of the databases. */
export interface Question<Plan, Found> {
  /** In JSON. Equal questions share one answer. */
  readonly key: readonly unknown[]
  /** Attributes and segments that the request names. */
  readonly named: NamesToResolve
  /** Checks the request. AppError with its issues. Without `names` it checks everything except attributes and segments. */
  plan(now: Date, names?: ResolvedNames): Plan
  /** A plan without names at another instant of the same day. */
  planAt(plan: Plan, now: Date): Plan
  /** True where a field may be an attribute. */
  takesAttributes(): boolean
  /** The customers that count. */
  audience(plan: Plan): Audience | undefined
  run(plan: Plan, context: RunContext): Promise<Found>
  shape(found: Found, plan: Plan, context: RunContext): Shaped | Promise<Shaped>
}

/** The road of every request. */
export interface Pipeline {
  /** Answers a question. AppError for everything that the caller must know. */
  answer<Plan, Found>(question: Question<Plan, Found>, options: AnswerOptions): Promise<Answer>
  /** Opens a session, runs and describes: the road of a reader that gives no answer in JSON. */
  read<T>(options: AnswerOptions, run: (context: RunContext) => Promise<T>): Promise<{ readonly value: T } & Described>
}

interface Described {
  readonly meta: Omit<Answer['meta'], 'fields' | 'amounts' | 'days'>
}

/** The pipeline of an engine. `checkRole` rejects where the role may write and must not. */
export function createPipeline(deps: EngineDependencies, checkRole: () => Promise<void>): Pipeline {
  const capabilityOf = capabilitiesOf(deps.connector, deps.catalog, deps.executor.dialect.name)
  const inFlight = createInFlight<Answer>()
  const inSession = createSessions(deps, checkRole)

  return {
    /** plan → await turn → open session → resolve names → run → shape → describe */
    async answer(question, options) {
      const first = planFirst(question, options.now ?? deps.clock.now(), options)
      const { signal, ...others } = options
      const answer = inFlight.join(canonicalJson([...question.key, others]), signal, (turn) =>
        inSession({ ...others, signal: turn.signal }, turn.startReading, async (context) => {
          const names = namesAnything(first.named) ? await lookUp(first.named, deps, capabilityOf, context.session) : undefined
          const plan = planInSession(question, first, context.session.now, names && { ...names, numbersOnly: first.numbersOnly })
          await refuseAudienceGaps(question.audience(plan), context)
          const found = await question.run(plan, context)
          const shaped = await question.shape(found, plan, context)
          return describe(shaped, context)
        }),
      )
      return answer.catch((error: unknown) => {
        throw first.refusal === undefined || hasIssues(error) ? error : first.refusal
      })
    },

    read: (options, run) =>
      inSession(
        options,
        () => {},
        async (context) => ({ value: await run(context), meta: describeSession(context) }),
      ),
  }
}

/** The plan of a question before any database is asked, or the reason to ask one although the request is wrong. */
interface FirstPlan<Plan> {
  readonly now: Date
  readonly named: NamesToResolve
  readonly numbersOnly: boolean
  readonly plan?: Plan
  readonly refusal?: AppError
}

/**
 * Requests without attributes and segments are checked before any database is asked. An unknown field may be meant as an attribute, so
 * that refusal waits for the names of the attributes.
 */
function planFirst<Plan>(
  question: Question<Plan, unknown>,
  now: Date,
  { numbersOnly = false, signal }: AnswerOptions,
): FirstPlan<Plan> {
  try {
    return { now, named: question.named, numbersOnly, plan: question.plan(now) }
  } catch (error) {
    if (!hasIssues(error)) throw error
    const lists_attributes = missesName(error) && question.takesAttributes() && !numbersOnly
    const named = { ...question.named, lists_attributes }
    if (!namesAnything(named) || signal?.aborted === true) throw error
    return { now, named, numbersOnly, refusal: error }
  }
}

/** The first plan holds for its day, at the instant of the snapshot. Names, or another day, need a new one. */
function planInSession<Plan>(
  question: Question<Plan, unknown>,
  first: FirstPlan<Plan>,
  now: Date,
  names: ResolvedNames | undefined,
): Plan {
  if (names !== undefined || first.plan === undefined || dayOf(now) !== dayOf(first.now)) return question.plan(now, names)
  return now.getTime() === first.now.getTime() ? first.plan : question.planAt(first.plan, now)
}

function describe({ fields, amounts, days, ...shaped }: Shaped, context: RunContext): Answer {
  return { ...shaped, meta: { ...describeSession(context), fields, amounts, days } }
}

function describeSession({ data_through, session: { definitions }, warnings }: RunContext): Described['meta'] {
  return {
    data_through,
    definitions: hashDefinitions(definitions),
    warnings,
    base_currency: definitions.base_currency,
  }
}

function missesName({ issues }: AppError): boolean {
  return issues?.some(({ code }) => code === 'unknown_dimension' || code === 'unknown_filter') === true
}

function hasIssues(error: unknown): error is AppError {
  return error instanceof AppError && error.issues !== undefined
}

/** The value with its keys in order, so that equal questions have one text. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )
}

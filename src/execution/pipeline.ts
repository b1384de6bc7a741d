import type { Statement } from '../compiler/statement.ts'
import { calendarOf, UTC } from '../core/calendar.ts'
import type { DefinitionSets } from '../core/definition-sets/sets.ts'
import { type Definitions, sharesFacts } from '../core/definitions.ts'
import { AppError } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import { dayOf } from '../core/periods.ts'
import type { Audience } from '../query/audience.ts'
import type { NamesToResolve, ResolvedNames } from '../query/audience-request.ts'
import type { Condition } from '../query/condition.ts'
import type { Answer, AnswerOptions, Shaped, Source } from './answer/answer.ts'
import { createAnswerMemory, withDaysIn } from './answer/memory.ts'
import type { EngineDependencies } from './dependencies.ts'
import { explain } from './explain/explain.ts'
import { compiledStatements } from './explain/on-replica.ts'
import { recorded } from './explain/record.ts'
import { unknownValues } from './filter-values/unknown-values.ts'
import { type CapabilityOf, capabilitiesOf, checkDefinitions } from './plan/capability.ts'
import { lookUp, namesAnything } from './plan/resolve-names.ts'
import { type RunContext, refuseAudienceGaps } from './run.ts'
import { heldOnlyRefusal } from './session/held-session.ts'
import { createInFlight } from './session/in-flight.ts'
import { createSessions, type Recollection } from './session/open-session.ts'
import { hashDefinitions, openSession, type RequestSession } from './session/session.ts'

/** A question, with the calls that plan, run and shape it. `Plan` is the checked request, `Found` is the result of the databases. */
export interface Question<Plan, Found> {
  /** In JSON. Equal questions share one answer. */
  readonly key: readonly unknown[]
  /** The definition set that the request names. Undefined: none. It is required, so that no answer ignores a set that its request accepts. */
  readonly set: string | undefined
  /** True if the answer comes with its explanation. */
  readonly explains?: boolean
  /** All definitions of an answer under several. The first are those of its session. Absent: those of `set`. */
  readonly definitions?: readonly [Definitions, ...Definitions[]]
  /** True if the answer keeps UTC, whatever zone its definitions name. */
  readonly isInUtc?: boolean
  /** True for a forecast. The cache holds what has happened by now, so a forecast reads the billing database. */
  readonly isForecast?: boolean
  /** Attributes and segments that the request names. */
  readonly named: NamesToResolve
  /** Checks the request as of now on the clock of its calendar. Throws AppError with all issues. Without `names`, attributes and segments are not checked. */
  plan(now: Date, names?: ResolvedNames): Plan
  /** The given plan, moved to another instant of the same day. Only for a plan without names. */
  planAt(plan: Plan, now: Date): Plan
  /** True if code of an embedding program takes part, which may read the instant in any way. Its answers are not remembered. */
  readonly isForeign?: boolean
  /** True if the query accepts attributes as fields. */
  takesAttributes(): boolean
  /** The customers of the plan. Undefined: all. */
  audience(plan: Plan): Audience | undefined
  /** The filters of the plan that are no part of its audience. */
  conditions(plan: Plan): readonly Condition[]
  run(plan: Plan, context: RunContext): Promise<Found>
  shape(found: Found, plan: Plan, context: RunContext): Shaped | Promise<Shaped>
}

/** The parts of a question that decide its definitions. */
type Asked = Pick<Question<unknown, unknown>, 'definitions' | 'set' | 'isInUtc'>

/** The steps of every request, in one place. */
export interface Pipeline {
  /** Answers a question. Rejects with AppError for every failure that the caller must know. */
  answer<Plan, Found>(question: Question<Plan, Found>, options: AnswerOptions): Promise<Answer>
  /** The statements of a question, compiled against the replica and not run. Only statements of the store are run. */
  compile<Plan>(question: Question<Plan, unknown>): Promise<readonly Statement[]>
  /** Opens a session, calls `run` and describes the session. For results that are not an `Answer`. */
  read<T>(options: AnswerOptions, run: (context: RunContext) => Promise<T>): Promise<{ readonly value: T } & Described>
}

/** An answer and the database that it comes from. */
interface Answered {
  readonly answer: Answer
  readonly source: Source
}

interface Described {
  readonly meta: Omit<Answer['meta'], 'fields' | 'amounts' | 'days'>
}

/** The pipeline of an engine. `checkRole` rejects if the database role must be read-only and is not. */
export function createPipeline(
  deps: EngineDependencies,
  checkRole: () => Promise<void>,
  sets: Pick<DefinitionSets, 'definitionsOf'>,
): Pipeline {
  const capabilityOf = capabilitiesOf(deps.connector, deps.catalog, deps.executor.dialect.name)
  const inFlight = createInFlight<Answered>()
  const inSession = createSessions(deps, checkRole)
  const memory = createAnswerMemory()

  const definitionsOf = ({ definitions, set, isInUtc }: Asked): readonly [Definitions, ...Definitions[]] => {
    if (definitions !== undefined) return definitions
    const own = sets.definitionsOf(set)
    return [isInUtc === true ? { ...own, time_zone: UTC } : own]
  }

  /** The memory of a question. It depends on no caller, except on what the caller may see. */
  const recollectionOf = (
    question: Asked & Pick<Question<unknown, unknown>, 'key' | 'isForeign' | 'explains'>,
    { now, source, numbersOnly = false }: AnswerOptions,
  ): Recollection<Answered> | undefined => {
    const { key, isForeign, explains } = question
    // A remembered answer runs no statement that an explanation could show.
    if (explains === true || isForeign === true || deps.cache === undefined || now !== undefined || source !== undefined)
      return undefined
    const name = canonicalJson([...key, numbersOnly])
    const zones = definitionsOf(question).map(({ time_zone }) => time_zone)
    return {
      readsStore: () => memory.readsStore(name),
      recall(from) {
        const answer = memory.recall(name, withDaysIn(zones, from))
        return answer && { answer, source: 'cache' }
      },
      keep: ({ answer }, from) => memory.keep(name, { ...withDaysIn(zones, from), answer }),
    }
  }

  return {
    /** plan → await turn → open session → resolve names → run → shape → describe */
    async answer(question, options) {
      const [definitions, ...further] = definitionsOf(question)
      const first = planFirst(question, calendarOf(definitions.time_zone, options.now ?? deps.clock.now()).clockNow, options)
      const { signal, onOrigin, ...given } = options
      for (const each of [definitions, ...further]) checkDefinitions(each, deps.connector.type, capabilityOf)
      // One snapshot answers under all definitions, and the cache holds only the facts of the configuration.
      const needsReplica = question.isForecast === true || further.some((each) => !sharesFacts(deps.definitions, each))
      const others = { ...given, definitions, ...(needsReplica && { source: 'replica' as const }) }
      const work = async (given: RunContext): Promise<Answered> => {
        const recording = question.explains === true ? recorded(given) : undefined
        const context = recording?.context ?? given
        const planIn = planningIn(question, first, context.deps, capabilityOf)
        const plan = await planIn(context.session)
        await refuseAudienceGaps(question.audience(plan), context)
        const found = await question.run(plan, context)
        // Not a part of the explanation, because the answer does not depend on it.
        const { numbersOnly = false } = options
        const { isForecast = false } = question
        const values = {
          conditions: question.conditions(plan),
          audience: question.audience(plan),
          numbersOnly,
          isForecast,
        }
        const shaped = await question.shape(found, plan, context)
        const unknown = await unknownValues(values, given)
        if (unknown !== undefined) given.warn(unknown)
        const answer = describe(shaped, context)
        if (recording === undefined) return { answer, source: context.source }
        return { answer: { ...answer, explanation: await explain(question, planIn, recording, deps) }, source: context.source }
      }
      // A refused first plan has not said what it discloses, so each request has to be planned with its attributes.
      const recollection = first.refusal === undefined ? recollectionOf(question, options) : undefined
      const shared = inFlight.join(canonicalJson([...question.key, others]), signal, (turn) =>
        inSession({ ...others, signal: turn.signal }, turn.startReading, work, recollection),
      )
      const { answer, source } = await shared.catch((error: unknown) => {
        throw first.refusal === undefined || hasIssues(error) ? error : first.refusal
      })
      onOrigin?.({ source })
      return answer
    },

    async compile(question) {
      const [definitions] = definitionsOf(question)
      const now = deps.clock.now()
      const first = planFirst(question, calendarOf(definitions.time_zone, now).clockNow, {})
      return deps.executor.withSnapshot(async (snapshot) => {
        const sessionUnder = (asked: Definitions) => openSession(deps, snapshot, now, asked)
        // An open session shows whether the configuration fits.
        const session = await sessionUnder(definitions)
        if (deps.isHeldOnly === true) throw heldOnlyRefusal()
        const plan = await planningIn(question, first, deps, capabilityOf)(session)
        const compiled = await compiledStatements(question, plan, { deps, session, sessionUnder })
        return compiled.map(({ statement }) => statement)
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

/**
 * The result of planning before any database is asked: a plan, or a refusal. The refusal is lifted if its unknown fields are
 * attributes.
 */
interface FirstPlan<Plan> {
  /** Now on the clock of the calendar. */
  readonly now: Date
  readonly named: NamesToResolve
  readonly numbersOnly: boolean
  readonly plan?: Plan
  readonly refusal?: AppError
}

/**
 * Checks a request without attributes and segments before any database is asked. An unknown field may be an attribute. Its refusal
 * therefore waits for the names of the attributes.
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

/** Plans a question in an open session, with the attributes and segments that it names. */
function planningIn<Plan>(
  question: Question<Plan, unknown>,
  first: FirstPlan<Plan>,
  deps: EngineDependencies,
  capabilityOf: CapabilityOf,
): (session: RequestSession) => Promise<Plan> {
  return async (session) => {
    const { named, numbersOnly } = first
    const names = namesAnything(named) ? await lookUp(named, deps, capabilityOf, session) : undefined
    return planInSession(question, first, session.now, names && { ...names, numbersOnly })
  }
}

/** Moves the first plan to the instant of the snapshot. Names or another day require a new plan. */
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
    ...(definitions.time_zone !== UTC && { time_zone: definitions.time_zone }),
  }
}

function missesName({ issues }: AppError): boolean {
  return issues?.some(({ code }) => code === 'unknown_dimension' || code === 'unknown_filter') === true
}

function hasIssues(error: unknown): error is AppError {
  return error instanceof AppError && error.issues !== undefined
}

/** JSON with sorted keys, so that equal questions have equal texts. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )
}

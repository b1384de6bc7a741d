import { AppError } from '../core/errors.ts'
import type { Audience } from '../query/audience.ts'
import { namedIn, type ResolvedNames } from '../query/audience-request.ts'
import type { Raw } from '../query/raw-parameters.ts'
import type { Answer } from './answer/answer.ts'
import type { Answering, AnswerOptions, Shaped, Work } from './answering.ts'
import type { EngineDependencies } from './dependencies.ts'
import type { CapabilityOf } from './plan/capability.ts'
import { lookUp, namesAnything } from './plan/resolve-names.ts'
import { refuseAudienceGaps } from './run.ts'

/** A request that may name attributes and segments: `parse` judges it, `work` answers it. */
export interface NamedRequest<P> {
  /** Whose question it is, beside parameters and spec. */
  readonly name: string
  readonly params: Raw
  readonly spec: Raw
  readonly options: AnswerOptions
  /** Without a vocabulary it judges what needs nothing looked up. AppError with issues. */
  parse(now: Date, resolvedNames?: ResolvedNames): P
  /** True where attributes stand among the names that it offers. */
  takesAttributes(): boolean
  /** Whose facts the parsed request wants. */
  audience(parsed: P): Audience | undefined
  work(parsed: P, context: Work): Promise<Shaped>
}

/** Answers requests in whose snapshot names are looked up before everything is judged at once. */
export type AnswerNamed = <P>(request: NamedRequest<P>) => Promise<Answer>

/**
 * What names nothing is judged before any database is asked, unless a name is wrong in place of which an attribute may be meant; so is what is
 * wrong anyway, if nobody can be asked.
 */
export function createNamedAnswering(deps: EngineDependencies, answering: Answering, capabilityOf: CapabilityOf): AnswerNamed {
  return async ({ name, params, spec, options, parse, takesAttributes, audience, work }) => {
    const { numbersOnly = false } = options
    const early = refusalOf(() => parse(options.now ?? deps.clock.now()))
    const named = { ...namedIn(params, spec), lists_attributes: missesName(early) && takesAttributes() && !numbersOnly }
    const hasNames = namesAnything(named)
    // A refusal says less to callers who see numbers only, so they share none with others.
    const shared = hasNames ? [name, params, spec, numbersOnly] : [name, params, spec]
    if (early !== undefined && (!hasNames || options.signal?.aborted === true)) throw early
    const answer = answering.share(shared, options, async (context) => {
      const { now } = context.session
      if (!hasNames) return work(parse(now), context)
      const resolvedNames = await lookUp(named, deps, capabilityOf, context.session)
      const parsed = parse(now, { ...resolvedNames, numbersOnly })
      await refuseAudienceGaps(audience(parsed), { ...context, deps })
      return work(parsed, context)
    })
    return answer.catch((error: unknown) => {
      throw early === undefined || hasIssues(error) ? error : early
    })
  }
}

function refusalOf(parse: () => unknown): AppError | undefined {
  try {
    parse()
    return undefined
  } catch (error) {
    if (hasIssues(error)) return error
    throw error
  }
}

function missesName(error: AppError | undefined): boolean {
  return error?.issues?.some(({ code }) => code === 'unknown_dimension' || code === 'unknown_filter') === true
}

function hasIssues(error: unknown): error is AppError {
  return error instanceof AppError && error.issues !== undefined
}

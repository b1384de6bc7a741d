import { AppError } from '../core/errors.ts'
import type { Audience } from '../query/audience.ts'
import { namedIn, type Vocabulary } from '../query/audience-request.ts'
import type { Answering, AnswerOptions, Work } from './answering.ts'
import type { Answer, RawInput } from './answers.ts'
import { settleAudienceGaps } from './audience-gaps.ts'
import type { CapabilityOf } from './capability.ts'
import type { EngineDependencies } from './dependencies.ts'
import { lookUp, namesAnything } from './vocabulary.ts'

/** A request that may name attributes and segments: `parse` judges it, `work` answers it. */
export interface NamedRequest<P, T> {
  readonly spec: RawInput
  readonly now: Date
  readonly options: AnswerOptions
  /** Without a vocabulary it judges what needs nothing looked up. AppError with issues. */
  parse(vocabulary?: Vocabulary): P
  /** Whose facts the parsed request wants. */
  audience(parsed: P): Audience | undefined
  work(parsed: P, around: Work): Promise<T>
}

/** Answers requests in whose snapshot names are looked up before everything is judged at once. */
export type AnswerNamed = <P, T extends object>(request: NamedRequest<P, T>) => Promise<T & Pick<Answer, 'meta'>>

/** What names nothing is judged before any database is asked; so is what is wrong anyway, if nobody can be asked. */
export function createNamedAnswering(deps: EngineDependencies, answering: Answering, capabilityOf: CapabilityOf): AnswerNamed {
  return async ({ spec, now, options, parse, audience, work }) => {
    const named = namedIn(spec)
    if (!namesAnything(named)) {
      const parsed = parse()
      return answering.answer(now, options, (around) => work(parsed, around))
    }
    const early = refusalOf(parse)
    if (early !== undefined && options.signal?.aborted === true) throw early
    const answer = answering.answer(now, options, async (around) => {
      const parsed = parse(await lookUp(named, deps, capabilityOf, around.session))
      await settleAudienceGaps(audience(parsed), { ...around, deps })
      return work(parsed, around)
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

function hasIssues(error: unknown): error is AppError {
  return error instanceof AppError && error.issues !== undefined
}

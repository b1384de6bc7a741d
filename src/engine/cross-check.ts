import type { CheckFinding } from '../connector-kit/connector.ts'
import { AppError } from '../core/errors.ts'
import { dayOf } from '../core/periods.ts'
import type { MetricResult } from '../metrics/define-metric.ts'
import type { Answering } from './answering.ts'
import { REGISTRY } from './catalog-of-metrics.ts'
import { answerPlanned } from './context.ts'
import type { EngineDependencies } from './contract.ts'
import type { Planner } from './plan.ts'

interface Question {
  readonly metric: string
  readonly params: Readonly<Record<string, string>>
}

/** The database may change between two answers; what differs so often differs for another reason. */
const ATTEMPTS = 3
/** Codes of a source that could not be asked, which says nothing about its answer. */
const NO_ANSWER: ReadonlySet<string> = new Set(['query_timeout', 'connector_unavailable'])
const YEAR_MS = 365 * 86_400_000

/** Asks every query of every metric twice, of the replica and of the cache, and names those that answer differently. */
export async function crossCheck(
  deps: EngineDependencies,
  planner: Planner,
  answering: Answering,
): Promise<readonly CheckFinding[]> {
  const { cache } = deps
  if (cache === undefined) return [finding('warning', 'there is no cache: cache.mode is off, or the database is embedded')]
  const { status } = await cache.ready()
  if (status !== 'ready') return [finding('failure', 'the cache could not be filled')]

  const ask = async (question: Question, now: Date, source: 'replica' | 'cache'): Promise<string | null> => {
    try {
      const planned = planner.plan(question.metric, question.params, {}, now)
      const { result } = await answering.answer(
        now,
        { source },
        async (around): Promise<{ result: MetricResult }> => ({
          result: await answerPlanned(planned, { ...around, deps, planner }),
        }),
      )
      return JSON.stringify(result)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (NO_ANSWER.has(error.code)) return null
      // What no source can answer is answered alike by both.
      return `${error.code}: ${error.message}`
    }
  }
  const compare = async (question: Question): Promise<CheckFinding | null> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const now = deps.clock.now()
      const direct = await ask(question, now, 'replica')
      if (direct === null) return finding('warning', `${nameOf(question)}: the database did not answer, so nothing was compared`)
      const cached = await ask(question, now, 'cache')
      if (cached === null) return finding('warning', `${nameOf(question)}: the cache did not answer, so nothing was compared`)
      if (direct === cached) return null
    }
    return finding('failure', `${nameOf(question)}: the cache answers differently`)
  }

  const questions = questionsOf(deps)
  const findings: CheckFinding[] = []
  for (const question of questions) {
    const found = await compare(question)
    if (found !== null) findings.push(found)
  }
  const equal = questions.length - findings.length
  return [
    ...findings,
    ...(equal === 0 ? [] : [finding('ok', `${equal} questions have the same answers from the database and from the cache`)]),
  ]
}

function questionsOf({ clock }: EngineDependencies): readonly Question[] {
  const now = clock.now()
  const range = { start: dayOf(new Date(now.getTime() - YEAR_MS)), end: dayOf(now) }
  return [...REGISTRY.metrics].flatMap(([metric, { queries }]) =>
    Object.entries(queries).map(([query_type, { offer }]) => ({
      metric,
      params: { query_type, ...(offer.dates === 'point_or_range' ? { at: range.end } : range) },
    })),
  )
}

function nameOf({ metric, params }: Question): string {
  return `${metric}.${params['query_type'] ?? ''}`
}

function finding(level: CheckFinding['level'], message: string): CheckFinding {
  return { name: 'cache', level, message }
}

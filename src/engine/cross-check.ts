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

  const ask = async (question: Question, now: Date, source: 'replica' | 'cache'): Promise<string> => {
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
      // What no source can answer is answered alike by both.
      if (error instanceof AppError) return `${error.code}: ${error.message}`
      throw error
    }
  }
  const isEqual = async (question: Question): Promise<boolean> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const now = deps.clock.now()
      if ((await ask(question, now, 'replica')) === (await ask(question, now, 'cache'))) return true
    }
    return false
  }

  const questions = questionsOf(deps)
  const different: string[] = []
  for (const question of questions) if (!(await isEqual(question))) different.push(nameOf(question))
  if (different.length > 0) return different.map((name) => finding('failure', `${name}: the cache answers differently`))
  return [finding('ok', `${questions.length} questions have the same answers from the database and from the cache`)]
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

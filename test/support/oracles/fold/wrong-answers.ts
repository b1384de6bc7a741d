import type { Engine } from '../../../../src/engine/engine.ts'
import type { ExpectedAnswer } from './expected-answers.ts'
import { sorted } from './fold-recorded.ts'

/** Requests whose answer is not what plain loops give, each with the rows that only one side has. */
export async function wrongAnswers(engine: Engine, expected: readonly ExpectedAnswer[]): Promise<string[]> {
  const wrong: string[] = []
  for (const { metric, params, spec, answer } of expected) {
    const { data } = await engine.query(metric, params, spec)
    const [found, wanted] = [linesOf(data), linesOf(answer)]
    const [isFound, isWanted] = [new Set(found), new Set(wanted)]
    const surplus = found.filter((line) => !isWanted.has(line))
    const missing = wanted.filter((line) => !isFound.has(line))
    if (surplus.length === 0 && missing.length === 0 && found.length === wanted.length) continue
    const request = JSON.stringify({ metric, ...params, ...spec })
    wrong.push([request, 'engine:', ...surplus.slice(0, 5), 'loops:', ...missing.slice(0, 5)].join('\n'))
  }
  return wrong
}

function linesOf(answer: unknown): string[] {
  if (!Array.isArray(answer)) return [JSON.stringify(answer)]
  return sorted(answer).map((row) => JSON.stringify(Object.entries(row as object).sort()))
}

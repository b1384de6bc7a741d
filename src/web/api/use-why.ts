import type { components } from '../../client/index.ts'
import type { Query } from './question.ts'
import { type Asked, useAnswer } from './use-answer.ts'

export type Why = components['schemas']['MrrWhy']

/** Why MRR changed: the question, how it stands, and the answer once it is there. */
export function useWhy(query: Query) {
  const question = { path: '/api/metrics/mrr/why', query } as const
  const asked: Asked = useAnswer(question)
  return { question, asked, why: asked.data?.data as Why | undefined }
}

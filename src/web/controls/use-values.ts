import { useSegmentFields } from '../api/resources.ts'
import { rowsOf, useAnswer } from '../api/use-answer.ts'

const MOST = 500
const FEW = 10

/** Values that a dimension, field or attribute has: the examples of the service, and where these may be cut those with the most MRR. */
export function useValues(key: string | undefined): readonly string[] {
  const { data } = useSegmentFields()
  const field = data?.find(({ field: name }) => name === key)
  const examples = (field?.examples ?? []).map(String)
  const isDimension = key !== undefined && !/^(customer|subscription|computed)\./.test(key)
  const isAsked = isDimension && field !== undefined && field.type !== 'boolean' && examples.length >= FEW
  const query = { dimensions: key, order: '-mrr', limit: MOST }
  const asked = useAnswer(isAsked ? { path: '/api/metrics/mrr', query } : undefined)
  if (field?.type === 'boolean') return ['true', 'false']
  if (!isAsked || key === undefined) return examples
  const most = rowsOf(asked.data?.data).flatMap((row) => (row[key] === null || row[key] === undefined ? [] : [String(row[key])]))
  return [...new Set([...most, ...examples])]
}

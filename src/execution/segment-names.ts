import { mapInSlices } from '../core/slices.ts'
import type { MetricResult } from '../metrics/define-metric.ts'
import type { QueryRequest } from '../query/request.ts'

/** The rows of segments compared, each with the name of its segment after the id. */
export async function withSegmentNames(result: MetricResult, { compared, audience }: QueryRequest): Promise<MetricResult> {
  if (compared.length === 0 || result.kind !== 'rows') return result
  const names = new Map(audience?.branches.map(({ segment_id, segment_name }) => [segment_id, segment_name]))
  return {
    ...result,
    columns: result.columns.flatMap((column) => (column === 'segment_id' ? [column, 'segment_name'] : [column])),
    rows: await mapInSlices(result.rows, ({ segment_id = null, ...row }) => ({
      segment_id,
      segment_name: names.get(String(segment_id)) ?? null,
      ...row,
    })),
  }
}

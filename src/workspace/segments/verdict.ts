import type { MetricDefinition } from '../../metrics/define-metric.ts'
import { checkSegmentDefinition, problemText } from '../../query/segment-check.ts'
import type { SegmentNames } from '../../query/segment-fields.ts'

/** Answer of /api/segments/validate (http-api.md 6.3). */
export interface SegmentVerdict {
  readonly valid: boolean
  readonly errors: readonly string[]
  readonly errors_by_metric: Readonly<Record<string, readonly string[]>>
}

/** A body of validate: a definition, or one with the metric it is meant for. */
export interface ValidateBody {
  readonly definition: unknown
  readonly metric: string | undefined
}

/** Reads the body; a metric that is no text is one that nobody knows. */
export function readValidateBody(body: unknown): ValidateBody {
  if (typeof body !== 'object' || body === null || !('definition' in body)) return { definition: body, metric: undefined }
  const metric = 'metric' in body ? body.metric : undefined
  return { definition: body.definition, metric: metric === undefined || metric === null ? undefined : String(metric) }
}

/** Everything that is wrong with a definition (http-api.md 6.3). Who is in a segment is the same for every metric, and so is the list. */
export function judgeSegment(
  definition: unknown,
  resolvedNames: SegmentNames,
  metrics: readonly Pick<MetricDefinition, 'name'>[],
): SegmentVerdict {
  const { problems } = checkSegmentDefinition(definition, resolvedNames)
  const errors = [...new Set(problems.map(problemText))]
  const isShapeless = problems.some(({ code }) => code === 'validation_failed')
  return {
    valid: errors.length === 0,
    errors,
    errors_by_metric: isShapeless ? {} : Object.fromEntries(metrics.map(({ name }) => [name, errors])),
  }
}

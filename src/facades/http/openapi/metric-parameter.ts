import { z } from '@hono/zod-openapi'

/** Path parameter of a metric. */
export function metricParameter(metrics: readonly string[]) {
  return z.object({
    metric: z.string().meta({ description: `Name of a metric: ${metrics.join(', ')}`, example: metrics[0] ?? 'mrr' }),
  })
}

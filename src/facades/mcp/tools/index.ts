import type { Engine } from '../../../engine/engine.ts'
import type { Tool } from '../tool.ts'
import { discoveryTools } from './discovery.ts'
import { recordTools } from './lists.ts'
import { queryMetricTool } from './query-metric.ts'
import { SEGMENTS_TOOL } from './segments.ts'
import { summaryTool } from './summary.ts'

/** All tools, in the order in which a model reads them. */
export function toolsOf(engine: Pick<Engine, 'metrics' | 'metric'>): readonly Tool[] {
  return [summaryTool(engine), queryMetricTool(engine), ...discoveryTools(engine), ...recordTools(), SEGMENTS_TOOL]
}

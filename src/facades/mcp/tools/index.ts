import type { Engine } from '../../../engine/engine.ts'
import type { Tool } from '../tool.ts'
import { BILLING_TOOLS } from './billing-health.ts'
import { ledgerTools } from './ledger.ts'
import { bridgeTool, discoveryTools, metricRowsTool, queryMetricTool, summaryTool } from './metrics.ts'
import { recordTools, SEGMENTS_TOOL } from './records.ts'
import { VERIFY_TOOL } from './verify.ts'

/** All tools, in the order that models see them. */
export function toolsOf(engine: Pick<Engine, 'metrics' | 'metric'>): readonly Tool[] {
  return [
    summaryTool(engine),
    queryMetricTool(engine),
    bridgeTool(engine),
    metricRowsTool(engine),
    ...discoveryTools(engine),
    ...recordTools(),
    ...BILLING_TOOLS,
    ...ledgerTools(engine),
    SEGMENTS_TOOL,
    VERIFY_TOOL,
  ]
}

import { readPoint } from '../metrics/readings/levels.ts'
import { type Audience, audienceReadsBase } from '../query/audience.ts'
import type { QueryRequest } from '../query/request.ts'
import { createContext, type TemplateSurroundings } from './context.ts'

/**
 * A band of a stretch whose price or rate is missing is not known, nor therefore who is in a segment of bands: refused like any figure
 * that needs the amount (D14, D26). AppError `missing_fx_rate`, `unpriced_plan`; with `allow_unpriced` the latter is a warning.
 */
export async function settleAudienceGaps(audience: Audience | undefined, around: TemplateSurroundings): Promise<void> {
  if (audience === undefined || !audienceReadsBase(audience)) return
  const { before } = audience
  const request: QueryRequest = {
    time: { kind: 'point', day: before.toISOString().slice(0, 10), before },
    at: undefined,
    dimensions: [],
    conditions: [],
    audience: undefined,
    compared: [],
    limit: undefined,
    unit: 'base',
    money: 'cents',
    warnings: [],
  }
  await readPoint(createContext({ definition: { name: 'mrr' }, request }, around), before)
}

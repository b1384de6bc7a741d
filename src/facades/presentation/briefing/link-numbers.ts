import type { Engine, LinkNumbers, SavedDashboard } from '../../../engine/engine.ts'
import { type Briefing, makeBriefing } from './briefing.ts'
import { chartAnswer, dashboardPlan } from './dashboard.ts'

/** A briefing with the instant at which it was asked. */
export interface DatedBriefing {
  readonly as_of: string
  readonly briefing: Briefing
}

/** The briefing of a shared dashboard now. `today` is the day of the clock. */
export async function sharedBriefing(
  engine: Engine,
  dashboard: SavedDashboard,
  names: boolean,
  today: string,
): Promise<DatedBriefing> {
  const as_of = new Date().toISOString()
  return { as_of, briefing: await makeBriefing(dashboardPlan(dashboard, { names }), engine, today, {}) }
}

/** The numbers of new links: a kept briefing without customers, and the check of a feed. */
export function linkNumbers(engine: Engine, today: string): LinkNumbers {
  return {
    keep: (dashboard) => sharedBriefing(engine, dashboard, false, today),
    check: (chart) => chartAnswer(engine, chart, today),
  }
}

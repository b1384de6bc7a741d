import { BOARD } from './board.ts'
import type { BriefingName, BriefingPlan } from './briefing.ts'
import { WEEKLY } from './weekly.ts'

/** The built-in briefings by name. */
export const BUILT_IN_BRIEFINGS: Readonly<Record<BriefingName, BriefingPlan>> = { weekly: WEEKLY, board: BOARD }

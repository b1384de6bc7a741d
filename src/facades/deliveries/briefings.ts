import { BRIEFING_NAMES } from '../presentation/briefing/briefing.ts'
import { BUILT_IN_BRIEFINGS } from '../presentation/briefing/built-in.ts'
import type { Briefings } from './parts.ts'

/** The built-in briefings. */
export const BUILT_IN: Briefings = {
  names: () => BRIEFING_NAMES,
  plan(name) {
    const known = BRIEFING_NAMES.find((each) => each === name)
    return known === undefined ? undefined : BUILT_IN_BRIEFINGS[known]
  },
}

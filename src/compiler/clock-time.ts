import type { OffsetStretch } from '../core/zone.ts'
import type { Dialect } from './dialect.ts'
import { type Fragment, fragment, sql } from './fragment.ts'

/** `fn.clock(t)`: the time that a clock of the zone shows at the instant `t`. In UTC, which has no stretches, it is `t` itself. */
export function clockTime(t: Fragment, stretches: readonly OffsetStretch[], { functions }: Pick<Dialect, 'functions'>): Fragment {
  return stretches.length === 0 ? t : functions.add_seconds([t, offsetAt(t, stretches)])
}

/** The offset in seconds at `t`, found by halving. */
function offsetAt(t: Fragment, stretches: readonly OffsetStretch[]): Fragment {
  const middle = Math.ceil(stretches.length / 2)
  const turn = stretches[middle]
  if (turn === undefined) return text(String((stretches[0]?.offset ?? 0) / 1000))
  const [before, after] = [stretches.slice(0, middle), stretches.slice(middle)]
  const instant = text(`timestamp '${new Date(turn.from).toISOString().slice(0, 19).replace('T', ' ')}'`)
  return sql`case when ${t} < ${instant} then ${offsetAt(t, before)} else ${offsetAt(t, after)} end`
}

function text(made: string): Fragment {
  return fragment([{ kind: 'text', text: made }])
}

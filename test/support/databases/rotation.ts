import { inject } from 'vitest'
import { describeEngines, describeTargets, engines, isFirst, type Target, type TargetName } from './targets.ts'

/** Of so many turns another engine is asked in one. */
const GROUPS = 3

export interface Turns {
  /** The first engine is asked each `first`th case, by default every fifth one. */
  readonly first?: number
  /** Every other engine is asked each `others`th: that engines answer alike is what `parity/byte-equal` shows. */
  readonly others?: number
  /** Lists that are cut alike, one after another, give each other what they leave out when their shifts follow each other. */
  readonly shift?: number
}

/**
 * Of many like cases those whose turn it is on an engine, one at least; runs with another TEST_TURN ask others. The usual shares are odd,
 * so that what is done in every second case is done in some of those that are chosen, and no multiple of the three turns after which a
 * group is asked of another engine again, so that each engine comes to all of them.
 */
export function turnsOf<T>(target: Target, cases: readonly T[], { first = 5, others = 7, shift = 0 }: Turns = {}): readonly T[] {
  const share = Math.min(isFirst(target) ? first : others, cases.length)
  return cases.filter((_, index) => isInTurn(index + shift, share))
}

/** Whether it is the turn of a case where each `share`th is asked. */
export function isInTurn(index: number, share: number): boolean {
  return index % share === inject('turn') % share
}

/**
 * One `describe` for one engine, which turns: every third group is asked of another engine than the first, and all that the first would be. That each metric executes on
 * each engine and that engines answer alike is shown in every run all the same: by `conformance`, by the worked examples and by
 * `parity/byte-equal`. `only` narrows to the engines that a case is about.
 */
export function describeInTurn(
  name: string,
  define: (target: Target) => void,
  { only }: { readonly only?: readonly TargetName[] } = {},
): void {
  const possible = engines().filter((target) => only === undefined || only.includes(target.name))
  const other = otherInTurn(name)
  const asked = possible.find((target) => target.name === other?.name) ?? possible[0]
  describeEngines(
    name,
    (target) => define({ ...target, isLead: true }),
    (target) => target.name === asked?.name,
  )
}

/**
 * The same where the first engine is asked each time, as most of what the group is about is the same on all of them. `only` narrows to the
 * engines that a case is about.
 */
export function describeFirst(
  name: string,
  define: (target: Target) => void,
  { only }: { readonly only?: readonly TargetName[] } = {},
): void {
  const other = otherInTurn(name)
  const asked = engines().filter((target) => isFirst(target) || target.name === other?.name)
  describeTargets(name, define, {
    only: asked.map((target) => target.name).filter((asked) => only === undefined || only.includes(asked)),
  })
}

/** How often a group was asked of another engine before this turn, so that each time it can be about something else. */
export function roundOfOthers(): number {
  return Math.floor(inject('turn') / GROUPS)
}

function otherInTurn(name: string): Target | undefined {
  const others = engines().filter((target) => !isFirst(target))
  const place = [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0)
  return isInTurn(place, GROUPS) ? others[(place + inject('turn')) % others.length] : undefined
}

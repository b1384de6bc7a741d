import { inject } from 'vitest'
import { isFirst, type Target } from './targets.ts'

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
 * so that what is done in every second case is done in some of those that are chosen.
 */
export function turnsOf<T>(target: Target, cases: readonly T[], { first = 5, others = 7, shift = 0 }: Turns = {}): readonly T[] {
  const share = Math.min(isFirst(target) ? first : others, cases.length)
  return cases.filter((_, index) => isInTurn(index + shift, share))
}

/** Whether it is the turn of a case where each `share`th is asked. */
export function isInTurn(index: number, share: number): boolean {
  return index % share === inject('turn') % share
}

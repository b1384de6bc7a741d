/** Draws from a seeded stream. */
export interface Dice {
  below(limit: number): number
  pick<T>(items: readonly T[]): T
  chance(percent: number): boolean
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The same draws for the same seed. */
export function dice(seed: number): Dice {
  const next = randomOf(seed)
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    chance: (percent) => below(100) < percent,
  }
}

/** Seconds. */
export const DAY = 86_400

/** A text instant, that many seconds later. */
export function later(at: string, seconds: number): string {
  return new Date(new Date(`${at.replace(' ', 'T')}Z`).getTime() + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
}

import { type BoundValue, type Fragment, fn, relation, sql } from '../../../src/compiler/fragment.ts'
import type { InlineRelation } from '../../../src/compiler/inline.ts'
import { randomOf } from './histories/seeded-dice.ts'

const DRAWN = 20_000

/** Drawn amounts and rates, the statement that converts them all, and the exact products in the same order. */
export function drawnConversions(seed: number): {
  readonly statement: Fragment
  readonly relation: InlineRelation
  readonly expected: readonly number[]
} {
  const random = randomOf(seed)
  const digits = (count: number) => Array.from({ length: count }, () => Math.floor(random() * 10)).join('')
  const rows = Array.from({ length: DRAWN }, (_, index): readonly BoundValue[] => {
    const cents = Math.floor(random() * 10 ** Math.floor(random() * 14)) * (random() < 0.3 ? -1 : 1)
    const places = Math.floor(random() * 13)
    // A rate of many fives puts many products at a half.
    const fraction = random() < 0.2 ? '5'.padStart(places, '0') : digits(places)
    return [index, cents, `${Math.floor(random() * 100)}${fraction === '' ? '' : `.${fraction}`}`]
  })
  return {
    statement: sql`select ${fn('converted', sql`pair.cents`, sql`pair.rate`)} as answer from ${relation('pair')} as pair order by pair.place`,
    relation: {
      name: 'pair',
      columns: [
        { name: 'place', type: 'integer' },
        { name: 'cents', type: 'integer' },
        { name: 'rate', type: 'decimal' },
      ],
      rows,
    },
    expected: rows.map(([, cents, rate]) => exactly(Number(cents), String(rate))),
  }
}

/** Rounded half away from zero (D8). */
function exactly(cents: number, rate: string): number {
  const [whole = '', places = ''] = rate.split('.')
  const scale = 10n ** BigInt(places.length)
  const product = 2n * BigInt(Math.abs(cents)) * BigInt(whole + places) + scale
  const rounded = Number(product / (2n * scale))
  return cents < 0 ? 0 - rounded : rounded
}

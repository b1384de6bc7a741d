import fc from 'fast-check'

type Cell = string | number | boolean | null

/** Values in the data that conditions may name. */
export interface SegmentValues {
  readonly countries: readonly Cell[]
  readonly plans: readonly Cell[]
  readonly tiers: readonly string[]
}

const is = (field: string, op: string) => fc.constant<unknown>({ field, op })
const asks = (field: string, ops: readonly string[], value: fc.Arbitrary<unknown>) =>
  fc.tuple(fc.constantFrom(...ops), value).map(([op, given]): unknown => ({ field, op, value: given }))

/** Definitions over the attributes `tier` and `seats`, customers, stretches of subscriptions and computed fields; a few levels deep. */
export function drawnSegments({ countries, plans, tiers }: SegmentValues): fc.Arbitrary<unknown> {
  const oneOf = (values: readonly Cell[]) => fc.constantFrom(...values.filter((value) => value !== null))
  const listOf = (values: readonly Cell[]) => fc.uniqueArray(oneOf(values), { minLength: 1, maxLength: 3 })
  const condition = fc.oneof(
    asks('attr.tier', ['in', 'not in'], listOf(tiers)),
    is('attr.tier', 'is_empty'),
    asks('attr.seats', ['>=', '<'], fc.integer({ min: 1, max: 60 })),
    asks('customer.country', ['=', '!='], oneOf(countries)),
    is('customer_country', 'is_not_empty'),
    asks('currency', ['=', '!='], fc.constantFrom('USD', 'EUR')),
    asks('computed.tenure_months', ['<', '>='], fc.integer({ min: 1, max: 14 })),
    asks('computed.mrr_band', ['in', 'not in'], fc.constant(['Free', '<$100'])),
    asks('subscription.plan_id', ['in', 'not in'], listOf(plans)),
    is('plan_id', 'is_empty'),
  )
  const { group } = fc.letrec<{ group: unknown; node: unknown }>((tie) => ({
    node: fc.oneof({ maxDepth: 2, withCrossShrink: true }, condition, tie('group')),
    group: fc.record({ op: fc.constantFrom('and', 'or'), conditions: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
  }))
  return group.map((root): unknown => ({ version: 1, root }))
}

/** A version of a plan, in the order of the effective dates; a version without the plan has no price. */
export interface CatalogEdition {
  readonly from: string
  /** Date for existing subscriptions; absent = none. */
  readonly existing?: string
  readonly price?: string
}

/**
 * The price at `at` for a subscription that entered the plan at `entered`, as KB 3.5 says it step by step: slow, and of nothing that the
 * product has.
 */
export function priceByTheRule(editions: readonly CatalogEdition[], at: string, entered: string): string | null {
  const [now, then] = [Date.parse(at), Date.parse(entered)]
  const begun = editions.filter(({ from }) => Date.parse(from) <= now)
  const candidates = begun.length > 0 ? begun : editions.slice(0, 1)
  const own = editions.findLastIndex(({ from, price }, index) => price !== undefined && (index === 0 || Date.parse(from) <= then))
  let remembered: string | null = null
  for (const [index, { from, existing, price }] of [...candidates.entries()].reverse()) {
    if (price === undefined) continue
    // The engine's walk to newer versions ends at the first that lacks the plan.
    const isReached = own < 0 || editions.slice(own, index).every((edition) => edition.price !== undefined)
    if (index === 0 || Date.parse(from) <= then) return price
    if (!isReached) continue
    if (existing !== undefined && Date.parse(existing) <= now) return price
    if (existing === undefined) remembered ??= price
  }
  return remembered
}

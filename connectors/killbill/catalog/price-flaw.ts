import type { TenantCatalog } from './tenant-catalog.ts'

/** What is wrong with prices of a plan in a currency that cannot be read, as the end of a sentence; undefined where nothing is. */
export function priceFlaw(catalogs: readonly TenantCatalog[], plan: string, currency: string | null): string | undefined {
  const flawed = catalogs.flatMap(({ versions, retired = [] }) =>
    [...versions, ...retired].flatMap(({ unreadable }) =>
      unreadable.filter((price) => price.plan === plan && price.currency === currency),
    ),
  )
  const flaws = new Set(flawed.map(({ phase, text, reason }) => `${JSON.stringify(text)} of phase ${phase} ${reason}`))
  return flaws.size === 0 ? undefined : `its price ${[...flaws].join(', ')}`
}

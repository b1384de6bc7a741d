/** A recurring licensed price. */
export interface GeneratedPrice {
  readonly id: string
  /** Minor units of the currency, as a decimal. */
  readonly unit: string
  readonly currency: string
  /** The months of a billing period. */
  readonly months: number
  /** The size of a package, if the price is for packages. They are rounded up. */
  readonly package?: number
}

const SERIES: readonly (readonly [currency: string, months: number, units: readonly string[]])[] = [
  ['usd', 1, ['1000', '2950', '750.5', '0', '4999']],
  ['usd', 12, ['12000', '99900', '5555']],
  ['eur', 3, ['9000', '4500', '1249']],
  ['jpy', 1, ['1000', '300', '50']],
  ['kwd', 1, ['12345', '5001', '990']],
]

/** The prices of an account, by currency and billing period. A subscription stays among the prices of one of them. */
export const PRICE_SERIES: readonly (readonly GeneratedPrice[])[] = SERIES.map(([currency, months, units]) => [
  ...units.map((unit) => ({ id: `price_${currency}_${months}_${unit.replace('.', '_')}`, unit, currency, months })),
  ...(currency === 'usd' && months === 1 ? [{ id: 'price_packages', unit: '700', currency, months, package: 10 }] : []),
])

/** The quantity that is billed: packages, if the price is for packages. */
export function billedOf(price: GeneratedPrice, quantity: number): number {
  return price.package === undefined ? quantity : Math.ceil(quantity / price.package)
}

/** The amount of a period in minor units. */
export function amountOf(price: GeneratedPrice, quantity: number): number {
  return Math.round(Number(price.unit) * billedOf(price, quantity))
}

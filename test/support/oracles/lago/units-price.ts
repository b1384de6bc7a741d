import Big from 'big.js'

interface Range {
  readonly from_value: number
  readonly to_value: number | null
  readonly per_unit_amount: string
  readonly flat_amount: string
}

interface Properties {
  readonly amount?: string
  readonly volume_ranges?: readonly Range[]
  readonly graduated_ranges?: readonly Range[]
}

/** The price of units of a fixed charge, in whole units of the currency (L7). */
export function unitsPrice(model: string, properties: unknown, units: Big): Big {
  const { amount, volume_ranges = [], graduated_ranges = [] } = properties as Properties
  if (model === 'standard') return units.times(amount ?? Number.NaN)
  if (model === 'volume') {
    const range = volume_ranges.find(({ to_value }) => to_value === null || units.lte(to_value))
    return units.times(range?.per_unit_amount ?? Number.NaN).plus(range?.flat_amount ?? Number.NaN)
  }
  let price = new Big(0)
  let paid = new Big(0)
  for (const { to_value, per_unit_amount, flat_amount } of graduated_ranges) {
    const top = to_value === null || units.lte(to_value) ? units : new Big(to_value)
    price = price.plus(top.minus(paid).times(per_unit_amount)).plus(flat_amount)
    paid = top
    if (to_value === null || units.lte(to_value)) break
  }
  return price
}

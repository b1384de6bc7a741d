/** How the engine writes an amount: `[+-]?(digits with an optional point)`, as XML Schema has decimals, blanks around it ignored. */
const XML_DECIMAL = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))$/

/** What the databases compare without rounding. */
const MOST_WHOLE_DIGITS = 15
const MOST_DECIMALS = 12

/** A price as plain digits, or why it is none. */
export type ReadPrice = { readonly price: string } | { readonly reason: string }

/** Reads a price. `.95` is 0.95, `5.` is 5, `+5.00` is 5.00, `-0` is 0; the engine has no negative prices and no exponents. */
export function readPrice(text: string): ReadPrice {
  const match = XML_DECIMAL.exec(text.trim())
  if (match === null) return { reason: 'is no decimal number' }
  const [, sign = '', whole = '', fraction = match[4] ?? ''] = match
  const digits = whole.replace(/^0+(?=\d)/, '') || '0'
  const decimals = fraction.length > MOST_DECIMALS ? fraction.replace(/0+$/, '') : fraction
  if (digits.length > MOST_WHOLE_DIGITS || decimals.length > MOST_DECIMALS)
    return { reason: `has more than ${MOST_WHOLE_DIGITS} digits before the point or ${MOST_DECIMALS} after it` }
  const price = decimals === '' ? digits : `${digits}.${decimals}`
  if (sign === '-' && /[1-9]/.test(price)) return { reason: 'is negative' }
  return { price }
}

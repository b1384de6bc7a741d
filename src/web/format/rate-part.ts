import { formatChange } from './numbers.ts'

/** The part of a movement that the exchange rate made: `−$21.00 by the exchange rate`. Undefined if there is none. */
export function ratePartText({ rate_part }: { readonly rate_part: number }, currency: string): string | undefined {
  return rate_part === 0 ? undefined : `${formatChange(rate_part, 'money', { currency, precise: true })} by the exchange rate`
}

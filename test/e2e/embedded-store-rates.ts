/** The nth day of the rates. */
export function dayOf(number: number): string {
  return new Date(Date.UTC(1990, 0, 1) + number * 86_400_000).toISOString().slice(0, 10)
}

/** The nth currency of three letters. */
export function currency(number: number): string {
  return [676, 26, 1].map((place) => String.fromCharCode(65 + (Math.floor(number / place) % 26))).join('')
}

import type { Value } from '../databases/test-database.ts'

type Cells = Readonly<Record<string, Value | undefined>>

const instantOf = (text: unknown) => new Date(`${String(text).replace(' ', 'T').slice(0, 19)}Z`)

/** The fixed offset of an account's days in milliseconds: that of its time zone at its reference time, as the JavaScript engine writes it (H1). */
export function offsetOf(account: Cells): number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: String(account['time_zone'] ?? 'UTC'), timeZoneName: 'longOffset' })
  const parts = format.formatToParts(instantOf(account['reference_time']))
  const written = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(written) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** The local day of an instant for an account. */
export function localDay(account: Cells, instant: unknown): string {
  return new Date(instantOf(instant).getTime() + offsetOf(account)).toISOString().slice(0, 10)
}

/** The local day through which a subscription is charged. Null if it is not. */
export function chargedThrough(account: Cells, subscription: Cells): string | null {
  const billed = subscription['charged_through_date'] ?? null
  return billed === null ? null : localDay(account, billed)
}

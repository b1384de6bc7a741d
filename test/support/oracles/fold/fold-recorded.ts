import type { Definitions } from '../../../../src/core/definitions.ts'
import { NOW, realRates, realTables, TENANT_KEYS, type TenantName } from '../../data/recorded/recorded-tables.ts'
import { type FoldedCustomer, foldTables } from './fold-tables.ts'

const folded = new Map<string, readonly FoldedCustomer[]>()

/** All accounts of the real data, folded in base USD; once for the same definitions. */
export function foldReal(definitions: Partial<Definitions> = {}): FoldedCustomer[] {
  const key = JSON.stringify(definitions)
  const customers = folded.get(key) ?? foldTables(realTables, { now: NOW, base_currency: 'USD', rates: realRates, definitions })
  folded.set(key, customers)
  return [...customers]
}

/** Those of one tenant. */
export function ofTenant(customers: readonly FoldedCustomer[], tenant: TenantName): FoldedCustomer[] {
  return customers.filter((customer) => Number(customer.account['tenant_record_id']) === TENANT_KEYS[tenant])
}

/** Instant as the expected files write it. */
export function isoInstant(at: string | null): string | null {
  return at === null ? null : `${at.replace(' ', 'T')}Z`
}

/** A record with each value replaced. */
export function mapValues<T, U>(record: Readonly<Record<string, T>>, toValue: (key: string, entry: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, entry]) => [key, toValue(key, entry)]))
}

/** Sums that are not 0: an absent group and a group of 0 say the same. */
export function nonZero(sums: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(sums).filter(([, cents]) => cents !== 0))
}

/** Rows in an order of their own content, for comparing lists without order. */
export function sorted<T>(rows: readonly T[]): T[] {
  const keyed = rows.map((row) => [JSON.stringify(Object.entries(row as object).sort()), row] as const)
  return keyed.sort((a, b) => (a[0] < b[0] ? -1 : 1)).map(([, row]) => row)
}

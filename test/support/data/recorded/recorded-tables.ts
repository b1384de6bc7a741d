import type { FxRate } from '../../../../src/core/currency.ts'
import type { Tables } from '../killbill/tables.ts'
import { csvRows, realTable, realText } from './recorded-files.ts'

/** Instant at which the real data is judged. */
export const NOW = '2026-11-21 00:00:00'

/** `tenants.record_id` of the real data's tenants. */
export const TENANT_KEYS = { alpha: 1, beta: 2 } as const
export type TenantName = keyof typeof TENANT_KEYS

const kept = new Map<string, ReturnType<typeof realTable>>()

/** Tables of the real data, each read once. */
export const realTables: Tables = (name) => {
  const rows = kept.get(name) ?? realTable(name)
  kept.set(name, rows)
  return rows
}

/** Rates that the expected numbers were made with. */
export const realRates = csvRows(realText('expected/fx.csv')) as unknown as readonly FxRate[]

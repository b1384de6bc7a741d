import { expect, it } from 'vitest'
import type { Row } from '../../src/connector-kit/connector.ts'
import { sqlNow } from '../../src/core/periods.ts'
import { RELATION_CONTRACTS } from '../../src/relations/contracts.ts'
import { continuedHistory } from '../support/data/histories/continued-history.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { GENERATED_RATES } from '../support/data/histories/generated-history.ts'
import { HISTORIES } from '../support/data/histories/history-seeds.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { PROPERTY_FACTOR } from '../support/data/property-runs.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/targets.ts'
import { relationRows } from '../support/product/relation-rows.ts'

const HELD = RELATION_CONTRACTS.filter(
  ({ is_held, columns }) => is_held === true && columns.some(({ name }) => name === 'customer_key'),
)

const NAMES = HELD.map(({ name }) => name)

/** The rows of each customer in all held relations, as texts. */
async function rowsAt(database: TestDatabase, now: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await relationRows(database, NAMES, {
    now: instant(now),
    tenant: ['all'],
    rates: GENERATED_RATES,
    params: { usage_invoices_only: false },
  })
  const rows = new Map<string, string[]>()
  for (const name of NAMES) {
    for (const row of found[name] ?? []) {
      const key = String(row['customer_key'])
      rows.set(key, [...(rows.get(key) ?? []), `${name} ${JSON.stringify(row)}`])
    }
  }
  return new Map([...rows].map(([key, texts]) => [key, texts.sort()]))
}

function instant(text: string): Date {
  return new Date(`${text.replace(' ', 'T')}Z`)
}

/** For each customer, the last instant up to now and the first after it. */
function validityOf(rows: readonly Row[], now: string) {
  const found = new Map<string, { from: string | null; to: string | null }>()
  for (const row of rows) {
    const key = String(row['customer_key'])
    const at = String(row['changes_at']).slice(0, 19)
    const known = found.get(key) ?? { from: null, to: null }
    if (at <= now) found.set(key, { ...known, from: known.from === null || at > known.from ? at : known.from })
    else found.set(key, { ...known, to: known.to === null || at < known.to ? at : known.to })
  }
  return found
}

const justBefore = (at: string): string => sqlNow(new Date(instant(at).getTime() - 1_000)).slice(0, 19)

/** Instants at which a customer's rows are read again. */
const READ_AGAIN = 8 * PROPERTY_FACTOR

/** The rows of every customer are the same at each instant of its interval that is read. */
async function checkIntervals(database: TestDatabase, now: string): Promise<number> {
  const { change_instant } = await relationRows(database, ['change_instant'], {
    now: instant(now),
    tenant: ['all'],
    rates: [],
    params: { usage_invoices_only: false },
  })
  const validity = validityOf(change_instant, now)
  const atNow = await rowsAt(database, now)
  const bounds = [
    ...new Set([...validity.values()].flatMap(({ from, to }) => [from ?? [], to === null ? [] : justBefore(to)].flat())),
  ]
  const near = bounds.sort(
    (a, b) => Math.abs(Number(instant(a)) - Number(instant(now))) - Math.abs(Number(instant(b)) - Number(instant(now))),
  )
  const step = Math.max(1, Math.floor(near.length / READ_AGAIN))
  let compared = 0
  for (const other of near.filter((_, index) => index % step === 0)) {
    const then = await rowsAt(database, other)
    for (const [key, { from, to }] of validity) {
      if ((from !== null && other < from) || (to !== null && other >= to)) continue
      compared += 1
      expect(then.get(key) ?? [], `customer ${key} at ${other}, compared with ${now}`).toEqual(atNow.get(key) ?? [])
    }
  }
  return compared
}

oneEngineInRotation('rows between two instants of change', (target) => {
  it('are the same in the recording', async () => {
    expect(await checkIntervals(await sharedReal(target), '2026-05-20 12:00:00')).toBeGreaterThan(500)
  })

  it.each(['2024-05-01 00:00:00', '2025-01-15 00:00:00'])('are the same in a history that goes on, as of %s', async (now) => {
    const history = await continuedHistory(HISTORIES.continued, 300)
    const { database } = await fillDatabase(target, history.tables)
    expect(await checkIntervals(database, now)).toBeGreaterThan(50)
  })
})

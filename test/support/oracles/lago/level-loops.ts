import Big from 'big.js'
import { groupBy } from '../../../../src/core/group-by.ts'
import { DAY, SECOND, whole } from '../../data/lago/generated/lago-scene.ts'
import { instantOf, type LagoStore, type StoredRow } from '../../data/lago/generated/lago-store.ts'
import { unitsPrice } from './units-price.ts'

/** The state of an external id of a customer at one instant, by the rules L3 to L7. */
export interface LagoLevel {
  readonly plan: string
  readonly currency: string
  readonly isTrial: boolean
  readonly isUnpriced: boolean
  /** Hundredths for one month. */
  readonly cents: number
}

type Cell = StoredRow[string] | undefined

/** Parts of a month by `plans.interval`. */
const MONTHS: readonly (readonly [number, number])[] = [
  [52, 12],
  [1, 1],
  [1, 12],
  [1, 3],
  [1, 6],
]
const HUNDREDTHS: Readonly<Record<string, string>> = { JPY: '100', KWD: '0.1' }
/** Yearly and semiannual plans may bill units monthly. */
const LONG = [2, 4]

/** Reads the levels of a generated database row by row, without SQL. Returns a function from an instant to the levels, by customer and external id. */
export function lagoLevels(store: LagoStore): (at: number) => ReadonlyMap<string, LagoLevel> {
  const byId = (table: string) => new Map(store.rows(table).map((row) => [row['id'], row]))
  const [customers, plans] = [byId('customers'), byId('plans')]
  const by = (table: string, column: string) => groupBy(store.rows(table), (row) => String(row[column]))
  const lines = groupBy(store.rows('subscriptions'), (row) => `${row['customer_id']} ${row['external_id']}`)
  const fixed = by('fixed_charges', 'plan_id')
  const events = by('fixed_charge_events', 'subscription_id')
  const changes = by('versions', 'item_id')

  /** A value of a row at an instant: the one before the first later change, else the present one. */
  const valueAt = (row: StoredRow, column: string, at: number): unknown => {
    const later = (changes.get(String(row['id'])) ?? [])
      .filter((version) => version['event'] !== 'create' && whole(instantOf(version['created_at'])) > at)
      .sort((a, b) => whole(instantOf(a['created_at'])) - whole(instantOf(b['created_at'])) || Number(a['id']) - Number(b['id']))
      .map((version) => JSON.parse(String(version['object_changes'])) as Readonly<Record<string, readonly unknown[]>>)
    const first = later.find((changed) => changed[column] !== undefined)
    return first === undefined ? row[column] : first[column]?.[0]
  }

  /** The row in force: of those that have begun, the one that was created last, if it has not ended. */
  const rowAt = (line: readonly StoredRow[], at: number): StoredRow | undefined => {
    const begun = line.filter(
      (row) => isIn(row['status'], [1, 2]) && row['started_at'] !== null && second(row['started_at']) <= at,
    )
    const last = begun.sort(byCreation).at(-1)
    return last?.['status'] === 2 && second(last['terminated_at']) <= at ? undefined : last
  }

  /** Units in force: of the events that have begun, the one that was created last. Undefined: there is none. */
  const unitsAt = (row: StoredRow, charge: StoredRow, at: number): Big | undefined => {
    const own = (events.get(String(row['id'])) ?? []).filter((event) =>
      isIn(event['fixed_charge_id'], [charge['id'], charge['parent_id']]),
    )
    const started = second(row['started_at'])
    const begun = own.filter((event) => {
      const stamp = second(event['timestamp'])
      return (stamp <= started + SECOND ? started : stamp) <= at
    })
    const last = begun.sort(byCreation).at(-1)
    return last === undefined ? undefined : new Big(String(last['units']))
  }

  const fixedCents = (row: StoredRow, plan: StoredRow, at: number): number => {
    let cents = 0
    for (const charge of fixed.get(String(plan['id'])) ?? []) {
      if (charge['deleted_at'] !== null && second(charge['deleted_at']) <= at) continue
      const units = unitsAt(row, charge, at)
      if (units === undefined && second(charge['created_at']) > at) continue
      const properties = valueAt(charge, 'properties', at)
      const price = unitsPrice(
        String(valueAt(charge, 'charge_model', at)),
        typeof properties === 'string' ? JSON.parse(properties) : properties,
        units ?? new Big(0),
      )
      cents += price.times(100).round(0, Big.roundHalfUp).toNumber()
    }
    return cents
  }

  const levelOf = (line: readonly StoredRow[], at: number): LagoLevel | undefined => {
    const row = rowAt(line, at)
    const plan = row === undefined ? undefined : plans.get(valueAt(row, 'plan_id', at) as Cell)
    if (row === undefined || plan === undefined) return undefined
    const currency = String(plan['amount_currency'])
    const starts = line.filter((one) => one['started_at'] !== null).map((one) => instantOf(one['started_at']))
    const isTrial = at < whole(Math.min(...starts) + Number(plan['trial_period'] ?? 0) * DAY)
    const state = { plan: String(plan['code']), currency, isTrial, isUnpriced: plan['pricing_type'] === 'product_catalog' }
    if (state.isUnpriced || isTrial) return { ...state, cents: 0 }
    const amount = new Big(Number(valueAt(plan, 'amount_cents', at))).times(HUNDREDTHS[currency] ?? '1').round(0, Big.roundHalfUp)
    const units = fixedCents(row, plan, at)
    const [times, months] = MONTHS[Number(plan['interval'])] ?? [0, 1]
    const isMonthly = LONG.includes(Number(plan['interval'])) && plan['bill_fixed_charges_monthly'] === true
    const own = amount.toNumber() + (isMonthly ? 0 : units)
    return { ...state, cents: Math.floor((own * times) / months) + (isMonthly ? units : 0) }
  }

  return (at) => {
    const found = new Map<string, LagoLevel>()
    for (const [name, line] of lines) {
      const customer = customers.get(line[0]?.['customer_id'] ?? null)
      const level = customer?.['account_type'] === 'partner' ? undefined : levelOf(line, whole(at))
      if (level !== undefined) found.set(name, level)
    }
    return found
  }
}

function second(instant: Cell): number {
  return whole(instantOf(instant))
}

function isIn(value: Cell, values: readonly Cell[]): boolean {
  return value !== null && values.includes(value)
}

function byCreation(a: StoredRow, b: StoredRow): number {
  return instantOf(a['created_at']) - instantOf(b['created_at']) || (String(a['id']) < String(b['id']) ? -1 : 1)
}

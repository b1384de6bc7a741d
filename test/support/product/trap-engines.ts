import { expect } from 'vitest'
import type { Engine } from '../../../src/engine/engine.ts'
import type { Store } from '../../../src/ports/store.ts'
import { insertRows } from '../data/killbill/insert-rows.ts'
import { killbillDatabase } from '../data/killbill/killbill-database.ts'
import { type Scenario, scenarioTables } from '../data/scenario-tables.ts'
import type { Target, TestDatabase } from '../databases/targets.ts'
import { cachedEngineOver } from './counted-cache.ts'
import { type EngineOptions, engineOver, ratesOnly } from './recorded-engine.ts'

const KEYS = ['record_id', 'account_record_id', 'tenant_record_id', 'target_record_id']
const IDS = [
  'id',
  'account_id',
  'bundle_id',
  'subscription_id',
  'blockable_id',
  'object_id',
  'invoice_id',
  'linked_item_id',
  'parent_invoice_id',
  'child_invoice_id',
  'child_account_id',
]

/** Values that a scenario leaves open and the tables need. */
const WANTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bundles: { account_id: 'A' },
  bundle_history: { account_id: 'A' },
  invoices: { account_id: 'A' },
  invoice_items: { account_id: 'A' },
  invoice_history: { account_id: 'A' },
  blocking_states: { state: 'STATE' },
}

type Scenarios = Readonly<Record<string, Scenario>>

/** One database with the rows of many scenarios, each a tenant of its name; ids begin with the number of the scenario and a colon. */
export async function trapDatabase(target: Target, scenarios: Scenarios): Promise<TestDatabase> {
  const database = await killbillDatabase(target)
  const rows = new Map<string, Record<string, unknown>[]>()
  for (const [index, [name, scenario]] of Object.entries(scenarios).entries()) {
    for (const [table, own] of Object.entries(scenarioTables(scenario))) {
      const named = table === 'tenants' ? { external_key: name, api_key: name } : {}
      const placed = own.map((row) => placedRow({ tenant_record_id: 1, ...WANTED[table], ...row, ...named }, table, index))
      rows.set(table, [...(rows.get(table) ?? []), ...placed])
    }
  }
  for (const [table, own] of rows) await insertRows(database, table, own)
  return database
}

/** A scenario's tenant at its now, in base USD, over a store of its rates unless one is given. */
async function trapOptions(scenarios: Scenarios, name: string, store?: Store): Promise<Omit<EngineOptions, 'cache'>> {
  const scenario = scenarios[name]
  if (scenario === undefined) throw new Error(`no scenario ${name}`)
  const { now = '2026-01-01', rates = [], definitions = {}, sets = {} } = scenario
  const csv = ['date,from,to,rate', ...rates.map((rate) => [rate.date, rate.from, rate.to, rate.rate].join())].join('\n')
  return {
    tenant: [name],
    now: new Date(`${now.length > 10 ? now.replace(' ', 'T') : `${now}T00:00:00`}Z`),
    definitions,
    sets,
    store: store ?? (await ratesOnly(`${csv}\n`)),
  }
}

/** Makes the scenarios' database. Resolves to the engine of a scenario by its name, one for all who ask for it without a store. */
export async function trapEngines(
  target: Target,
  scenarios: Scenarios,
): Promise<(name: string, store?: Store) => Promise<Engine>> {
  const database = await trapDatabase(target, scenarios)
  const made = new Map<string, Promise<Engine>>()
  const make = async (name: string, store?: Store) => engineOver(database, await trapOptions(scenarios, name, store))
  return async (name, store) => {
    if (store !== undefined) return make(name, store)
    const engine = made.get(name) ?? make(name)
    made.set(name, engine)
    return engine
  }
}

/** Engines of both ways for the scenarios: straight from the database, and from a cache of it. */
export interface TrapPairs {
  /** The answer to a question that is asked both ways where there are two; fails where they differ. */
  both<T>(name: string, ask: (engine: Engine) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Makes the scenarios' database and its engines, with caches for those scenarios that `cached` names. */
export async function trapPairs(
  target: Target,
  scenarios: Scenarios,
  cached: readonly string[] = Object.keys(scenarios),
): Promise<TrapPairs> {
  const database = await trapDatabase(target, scenarios)
  const pairs = new Map<string, readonly [Engine, Engine?]>()
  for (const name of Object.keys(scenarios)) {
    const options = await trapOptions(scenarios, name)
    const direct = await engineOver(database, options)
    pairs.set(name, cached.includes(name) ? [direct, (await cachedEngineOver(database, options)).engine] : [direct])
  }
  return {
    async both(name, ask) {
      const pair = pairs.get(name)
      if (pair === undefined) throw new Error(`no scenario ${name}`)
      const direct = await ask(pair[0])
      if (pair[1] !== undefined) expect(await ask(pair[1]), `${name}: the cache`).toEqual(direct)
      return direct
    },
    async close() {
      for (const engine of [...pairs.values()].flat()) await engine?.close()
    },
  }
}

/** The row with its numbers and ids moved into the scenario's own range. */
function placedRow(row: Readonly<Record<string, unknown>>, table: string, index: number): Record<string, unknown> {
  const isTenant = table === 'tenants'
  const entries = Object.entries(row).flatMap(([column, cell]): [string, unknown][] => {
    if (isTenant && column === 'tenant_record_id') return []
    if (column === 'tenant_record_id' || (isTenant && column === 'record_id')) return [[column, index + 1]]
    if (KEYS.includes(column) && cell !== null) return [[column, 1000 * (index + 1) + Number(cell)]]
    if (IDS.includes(column) && cell !== null) return [[column, `${index + 1}:${cell}`]]
    return [[column, cell]]
  })
  return Object.fromEntries(entries)
}

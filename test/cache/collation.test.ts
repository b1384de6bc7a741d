import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine, ListName, RawInput } from '../../src/engine/contract.ts'
import { loadReal } from '../support/data/killbill/load-killbill.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { engines, type TestDatabase } from '../support/databases/targets.ts'
import { type CountedCache, cachedEngineOver } from '../support/product/counted-cache.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

type Question = (engine: Engine) => Promise<{ readonly data: unknown }>

const AT = { query_type: 'current', at: '2026-10-31' }
const list = (name: ListName, params: RawInput) => (engine: Engine) => engine.list(name, params, {})
const mrr = (spec: RawInput) => (engine: Engine) => engine.query('mrr', AT, spec)

const QUESTIONS: Readonly<Record<string, Question>> = {
  customers: list('customers', { limit: '1000' }),
  'customers searched': list('customers', { limit: '1000', search: 'b ' }),
  subscriptions: list('subscriptions', { limit: '1000' }),
  'mrr by name': mrr({ dimensions: ['customer_name'] }),
  'mrr by country and plan': mrr({ dimensions: ['customer_country', 'plan_id'] }),
  'mrr of names that contain this, in either case': mrr({ filters: { customer_name: { contains: 'BETA' } } }),
  'mrr of names that begin so, in either case': mrr({ filters: { customer_name: { starts_with: 'A-' } } }),
  'mrr of names that begin with an umlaut': mrr({ filters: { customer_name: { starts_with: 'Ä' } } }),
}

/** Names that a dictionary orders and compares otherwise than their code points. */
async function rename({ adminQuery }: TestDatabase): Promise<void> {
  await adminQuery(`update accounts set
    name = case mod(record_id, 3) when 0 then concat('a-', name) when 1 then concat('B ', name) else concat('ä_', upper(name)) end,
    external_key = concat(external_key, case mod(record_id, 2) when 0 then '-x' else 'X' end)`)
}

/** Every text of the billing tables in a dictionary's order, on MySQL also equal whatever its case. */
async function useDictionary({ adminQuery, dialect }: TestDatabase): Promise<void> {
  if (dialect.name === 'postgres') {
    const columns = await adminQuery(
      "select table_name, column_name from information_schema.columns where table_schema = 'public' and data_type in ('character varying', 'text')",
    )
    expect(columns.length).toBeGreaterThan(100)
    const changes = new Map<unknown, string[]>()
    for (const { table_name, column_name } of columns) {
      const change = `alter column ${column_name} type text collate "en-x-icu"`
      changes.set(table_name, [...(changes.get(table_name) ?? []), change])
    }
    // Each statement rewrites the table, so one statement changes all columns.
    for (const [table, own] of changes) await adminQuery(`alter table ${table} ${own.join(', ')}`)
    return
  }
  const tables = await adminQuery('select table_name as name from information_schema.tables where table_schema = database()')
  expect(tables.length).toBeGreaterThan(30)
  await adminQuery('set foreign_key_checks = 0')
  for (const { name } of tables)
    await adminQuery(`alter table ${name} convert to character set utf8mb4 collate utf8mb4_general_ci`)
}

const closing: (() => Promise<void>)[] = []
/** Over a database in the order of code points: engines answer alike, so that one of them tells for all what is right. */
let plain: Engine
const told = new Map<string, Promise<unknown>>()

beforeAll(async () => {
  const [target] = engines()
  if (target === undefined) throw new Error('there is no database here')
  const byCodePoint = await target.createDatabase()
  closing.push(() => byCodePoint.drop())
  await loadReal(byCodePoint, { tenants: ['beta'] })
  await rename(byCodePoint)
  plain = await engineOver(byCodePoint)
  closing.push(() => plain.close())
})
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

/** The right answer to a question. */
function toldBy(name: string, ask: Question): Promise<unknown> {
  const data = told.get(name) ?? ask(plain).then((answer) => answer.data)
  told.set(name, data)
  return data
}

oneEngineInRotation(
  'a database whose texts are ordered by a dictionary',
  (target) => {
    let direct: Engine
    let cached: Engine
    let cache: CountedCache

    beforeAll(async () => {
      const byDictionary = await target.createDatabase()
      await loadReal(byDictionary, { tenants: ['beta'] })
      await rename(byDictionary)
      await useDictionary(byDictionary)
      direct = await engineOver(byDictionary)
      const withCache = await cachedEngineOver(byDictionary)
      cached = withCache.engine
      cache = withCache.cache
    })
    afterAll(async () => {
      for (const engine of [direct, cached]) await engine.close()
    })

    it.each(Object.entries(QUESTIONS))('answers as any other: %s', async (name, ask) => {
      const before = cache.answered()
      const data = await toldBy(name, ask)
      expect(JSON.stringify(data).length, 'something to compare').toBeGreaterThan(4)
      expect((await ask(direct)).data).toEqual(data)
      expect((await ask(cached)).data).toEqual(data)
      expect(cache.answered() - before).toBe(1)
      expect(cache.failures()).toEqual([])
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

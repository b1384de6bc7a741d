import { afterAll, beforeAll, expect, it } from 'vitest'
import { FEW } from '../../src/cache/mirror/links.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { CacheDatabase, CacheWriter, ScratchWriter } from '../../src/ports/cache-database.ts'
import type { Row } from '../../src/ports/rows.ts'
import type { BillingWriter } from '../support/data/histories/billing-writer.ts'
import { continuedHistory } from '../support/data/histories/continued-history.ts'
import { databaseWriter } from '../support/data/histories/database-writer.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { HISTORIES } from '../support/data/histories/history-seeds.ts'
import { later } from '../support/data/histories/seeded-dice.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/targets.ts'
import type { CountedCache } from '../support/product/counted-cache.ts'
import { directAndCached } from '../support/product/direct-and-cached.ts'
import { relationRows } from '../support/product/relation-rows.ts'

/** The work of the cache, counted in each of its databases. */
interface Work {
  /** Statements and appended rows over the tables in `work` of the cache's own database: the way for many customers. */
  many: number
  /** Statements in the scratch database: the way for few customers. */
  few: number
  /** Different customers whose rows were read. */
  readonly read: Set<string>
}

function counting(real: CacheDatabase, work: Work): CacheDatabase {
  const seen = (rows: Iterable<Row>) => {
    const all = [...rows]
    for (const row of all) if (row['account_record_id'] !== undefined) work.read.add(String(row['account_record_id']))
    return all
  }
  const ofMany = (writer: CacheWriter): CacheWriter => ({
    ...writer,
    query: (statement) => {
      if (/\bwork\./.test(statement.text)) work.many += 1
      return writer.query(statement)
    },
    append: (table, columns, rows, database) => {
      if (database === 'work') work.many += 1
      return writer.append(table, columns, database === 'work' ? seen(rows) : rows, database)
    },
    load: (table, file) => {
      work.many += 1
      return writer.load(table, file)
    },
  })
  const ofFew = (writer: ScratchWriter): ScratchWriter => ({
    ...writer,
    query: (statement) => {
      work.few += 1
      return writer.query(statement)
    },
    append: (table, columns, rows, database) => writer.append(table, columns, seen(rows), database),
  })
  return {
    ...real,
    write: (run) => real.write((writer) => run(ofMany(writer))),
    scratch: async () => ofFew(await real.scratch()),
  }
}

/** The customers of each link key that more than one has. */
async function linked(database: TestDatabase, at: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const now = new Date(`${at.replace(' ', 'T')}Z`)
  const { customer_link } = await relationRows(database, ['customer_link'], { now, tenant: ['all'], rates: [] })
  const byKey = new Map<string, Set<string>>()
  for (const row of customer_link) {
    const key = String(row['link_key'])
    byKey.set(key, (byKey.get(key) ?? new Set()).add(String(row['customer_key'])))
  }
  return new Map([...byKey].filter(([, { size }]) => size > 1))
}

oneEngineInRotation('a change of a customer that is linked with others', (target) => {
  let database: TestDatabase
  let writer: BillingWriter
  let direct: Engine
  let cached: { readonly engine: Engine; readonly cache: CountedCache }
  let now = ''
  const work: Work = { many: 0, few: 0, read: new Set() }
  beforeAll(async () => {
    // Only a history that goes on has parents that pay invoices.
    const history = await continuedHistory(HISTORIES.continued, 500)
    now = later(history.now, 3 * 86_400)
    const filled = await fillDatabase(target, history.tables)
    database = filled.database
    writer = databaseWriter(database, filled.tables)
    ;({ direct, cached } = await directAndCached(database, () => now, { wrap: (real) => counting(real, work) }))
  }, 300_000)
  afterAll(async () => {
    await cached.engine.close()
    await direct.close()
    await writer.close()
  })

  /** Writes an invoice of the customer, and returns the work until the cache has followed. */
  async function change(customer: string): Promise<Work> {
    const account = writer.rows('accounts').find((row) => String(row['record_id']) === customer)
    if (account === undefined) throw new Error(`no account ${customer}`)
    const { tenant_record_id = null, record_id = null, id = null } = account
    now = later(now, 60)
    const writing = await writer.begin(now)
    const own = { tenant_record_id, account_record_id: record_id, account_id: id, currency: 'USD' }
    await writing.insert('invoices', { ...own, status: 'COMMITTED', invoice_date: now.slice(0, 10) })
    await writing.commit()
    Object.assign(work, { many: 0, few: 0 })
    work.read.clear()
    now = later(now, 60)
    const answered = cached.cache.answered()
    expect((await cached.engine.query('mrr')).data).toEqual((await direct.query('mrr')).data)
    expect(cached.cache.answered()).toBe(answered + 1)
    expect(cached.cache.failures()).toEqual([])
    return { ...work, read: new Set(work.read) }
  }

  it.each(['bundle ', 'invoice '] as const)('takes the way for few customers, with few statements more: by %s', async (kind) => {
    const byKey = await linked(database, now)
    const partnersOf = (customer: string) => new Set([...byKey.values()].flatMap((all) => (all.has(customer) ? [...all] : [])))
    const ofKind = [...byKey].flatMap(([key, all]) => (key.startsWith(kind) ? [...all] : []))
    // One with few partners, who have few partners too.
    const reach = (customer: string) => new Set([...partnersOf(customer)].flatMap((one) => [...partnersOf(one)])).size
    const [customer = ''] = ofKind.sort((a, b) => reach(a) - reach(b))
    const partners = partnersOf(customer)
    expect(partners.size).toBeGreaterThan(1)
    const single = writer.rows('accounts').find((row) => partnersOf(String(row['record_id'])).size === 0)
    // The first change prepares the tables of the scratch database.
    await change(String(single?.['record_id']))
    const plain = await change(String(single?.['record_id']))
    expect(plain).toMatchObject({ many: 0 })
    expect(plain.few).toBeGreaterThan(0)
    const found = await change(customer)
    expect(found.many).toBe(0)
    // The links are made again until nobody is missing, so some steps run more than once.
    expect(found.few).toBeLessThan(3 * plain.few)
    for (const other of partners) expect([...found.read]).toContain(other)
    expect(found.read.size).toBeLessThanOrEqual(FEW)
  })
})

import { setTimeout } from 'node:timers/promises'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import type { Clock } from '../../connectors/killbill/changes/clock.ts'
import { createLook } from '../../connectors/killbill/changes/look.ts'
import type { Marks } from '../../connectors/killbill/changes/marks.ts'
import { LONGEST_TRANSACTION_SECONDS } from '../../connectors/killbill/changes/settling.ts'
import type { KillbillSettings } from '../../connectors/killbill/session.ts'
import type { Look } from '../../src/connector-kit/mirror-source.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory } from '../support/data/histories/generated-history.ts'
import { insertRows } from '../support/data/killbill/insert-rows.ts'
import { readSchema } from '../support/data/killbill/killbill-fixture.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/targets.ts'
import { NONE_HELD } from '../support/product/held-rows.ts'

const NOW = '2024-05-20 12:00:00'
const DEFINITIONS = definitionsSchema.parse({ base_currency: 'USD', allow_unpriced: true })
const SETTINGS: KillbillSettings = { tenant: ['all'], catalog: [] }
const HOUR = 3_600

firstEngineAndOneOther(
  'a look at the changes of the billing database',
  (target) => {
    let database: TestDatabase
    let executor: Executor
    let wall = 1_000_000
    let processes = 0

    beforeAll(async () => {
      database = (await fillDatabase(target, generatedHistory(7, 20))).database
      executor = database.executor()
      await insertRows(database, 'account_history', [{ record_id: 1, id: 'first', target_record_id: 1 }])
      // The server gives the numbers, as an engine's does.
      for (const text of NUMBERED[database.dialect.name]) await database.adminQuery(text)
    })
    /** A new process, which knows nothing but the marks. */
    const startProcess = (settings: Partial<KillbillSettings> = {}, over = () => executor) => {
      const began = wall
      processes += 1
      const clock: Clock = { wall: () => wall, running: () => wall - began, process: `process ${processes}` }
      const look = createLook({ ...SETTINGS, ...settings }, clock)
      return async (marks: unknown, definitions = DEFINITIONS): Promise<Look> => {
        const looked = await over().withSnapshot((snapshot) => look(snapshot, request(definitions), marks, NONE_HELD))
        return { ...looked, marks: JSON.parse(JSON.stringify(looked.marks)) }
      }
    }
    const found = ({ extent, customers }: Look) => ({ extent, customers: [...customers].sort() })
    const changed = (...customers: readonly unknown[]) => ({ extent: 'customers', customers: customers.map(String).sort() })
    const NONE = { extent: 'none', customers: [] }

    /** A transaction that writes as the engine does, with the numbers that the server gives. */
    const begin = async () => {
      const run = await connect(database)
      await run(database.dialect.name === 'mysql' ? 'start transaction' : 'begin')
      return {
        /** Rows of the history about this account, or about this one and the following ones. */
        touch: (account: number, rows = 1) => run(copied(account, rows)),
        run,
        end: async (word: 'commit' | 'rollback') => {
          await run(word)
          await run(null)
        },
      }
    }
    const commitTouch = async (account: number, rows = 1) => {
      const writing = await begin()
      await writing.touch(account, rows)
      await writing.end('commit')
    }

    it('reports each change once, and again as long as the marks are the old ones', async () => {
      const look = startProcess()
      const first = await look(undefined)
      expect(first.extent).toBe('refill')
      expect(found(await look(first.marks))).toEqual(NONE)
      await commitTouch(1)
      await commitTouch(4)
      const second = await look(first.marks)
      expect(found(second)).toEqual(changed(1, 4))
      expect(found(await look(first.marks))).toEqual(changed(1, 4))
      const third = await look(second.marks)
      expect(found(third)).toEqual(NONE)
      await commitTouch(5)
      expect(found(await look(third.marks))).toEqual(changed(5))
      expect(found(await look(first.marks))).toEqual(changed(1, 4, 5))
      expect(found(await look(second.marks))).toEqual(changed(5))
    })

    it('goes on in another process, and finds what was committed late while none ran', async () => {
      const first = await startProcess()(undefined)
      const [early, slow] = [await begin(), await begin()]
      await early.touch(1)
      await slow.touch(2)
      await commitTouch(3)
      const second = await startProcess()(first.marks)
      expect(found(second)).toEqual(changed(3))
      await slow.end('commit')
      const third = await startProcess()(second.marks)
      expect(found(third)).toEqual(changed(2))
      expect(found(await startProcess()(third.marks))).toEqual(NONE)
      await early.end('rollback')
      expect(found(await startProcess()(third.marks))).toEqual(NONE)
    })

    it('finds a row that is committed hours and thousands of rows later', async () => {
      const look = startProcess()
      let { marks } = await look(undefined)
      const slow = await begin()
      await slow.touch(6)
      const sizes: number[] = []
      for (let round = 0; round < 6; round += 1) {
        await commitTouch(7, 2_000)
        wall += LONGEST_TRANSACTION_SECONDS / 8
        marks = (await look(marks)).marks
        sizes.push(sizeOf(marks))
      }
      // The marks hold gaps and places, and no rows.
      expect(Math.max(...sizes)).toBeLessThan(12_000)
      await slow.end('commit')
      const late = await startProcess()(marks)
      expect(found(late)).toEqual(changed(6))
      expect(found(await startProcess()(late.marks))).toEqual(NONE)
      expect(found(await look(marks))).toEqual(changed(6))
    })

    it('finds it among thousands of gaps, at most with its neighbours, and the marks stay small', async () => {
      const look = startProcess()
      let { marks } = await look(undefined)
      const slow = await begin()
      await slow.touch(6)
      const writing = await begin()
      for (let round = 0; round < 4; round += 1) {
        for (let each = 0; each < 300; each += 1) {
          await writing.touch(10 + each)
          // A number that is given up.
          await writing.run('savepoint given_up')
          await writing.touch(7)
          await writing.run('rollback to savepoint given_up')
        }
        await writing.run('commit')
        await writing.run(database.dialect.name === 'mysql' ? 'start transaction' : 'begin')
        wall += HOUR
        marks = (await look(marks)).marks
      }
      await writing.end('commit')
      expect(sizeOf(marks)).toBeLessThan(20_000)
      await slow.end('commit')
      const late = await startProcess()(marks)
      expect(late.extent).toBe('customers')
      expect(late.customers).toContain('6')
      expect(late.customers.length).toBeLessThan(200)
      expect(found(await startProcess()(late.marks))).toEqual(NONE)
    })

    it('settles after days without a process; a clock that was set back, or forward, only delays that', async () => {
      const lowOf = (marks: unknown) => (marks as Marks).logs.watched['account_history']?.low ?? 0
      const first = await startProcess()(undefined)
      await commitTouch(1, 500)
      const second = await startProcess()(first.marks)
      const low = lowOf(second.marks)
      wall -= 10 * LONGEST_TRANSACTION_SECONDS
      const third = await startProcess()(second.marks)
      expect(lowOf(third.marks)).toBe(low)
      expect(found(third)).toEqual(NONE)
      wall += 3 * LONGEST_TRANSACTION_SECONDS
      const fourth = await startProcess()(second.marks)
      expect(lowOf(fourth.marks)).toBe(low)
      wall += 10 * LONGEST_TRANSACTION_SECONDS
      // Open transactions of other tests on the server hold the mark back.
      let fifth = await startProcess()(second.marks)
      for (let look = 0; look < 100 && lowOf(fifth.marks) === low; look += 1) {
        await setTimeout(100)
        fifth = await startProcess()(second.marks)
      }
      expect(lowOf(fifth.marks)).toBeGreaterThan(low)
      await commitTouch(8)
      expect(found(await startProcess()(fifth.marks))).toEqual(changed(8))
      // The time of day jumps while the process runs.
      let jump = 0
      const began = wall
      const look = createLook(SETTINGS, { wall: () => wall + jump, running: () => wall - began, process: 'running' })
      const asked = (marks: unknown) => executor.withSnapshot((snapshot) => look(snapshot, request(), marks, NONE_HELD))
      const before = await asked((await asked(undefined)).marks)
      await commitTouch(1, 500)
      const place = await asked(before.marks)
      jump = 5 * LONGEST_TRANSACTION_SECONDS
      expect(lowOf((await asked(place.marks)).marks)).toBe(lowOf(place.marks))
    })

    it('reports many accounts at once', async () => {
      const look = startProcess()
      const first = await look(undefined)
      await commitTouch(900_000, 30_000)
      const many = await look(first.marks)
      expect(new Set(many.customers).size).toBe(30_000)
      expect(many.customers.length).toBe(30_000)
      expect(sizeOf(many.marks)).toBeLessThan(20_000)
      expect(found(await look(many.marks))).toEqual(NONE)
    })

    it('reports the child whose invoice a parent pays, though only the parent writes', async () => {
      const look = startProcess()
      const { marks } = await look(undefined)
      const [child] = await database.adminQuery(
        'select id, account_id, account_record_id, tenant_record_id from invoices order by record_id limit 1',
      )
      const parent = Number(child?.['account_record_id']) + 1
      await insertRows(database, 'invoice_parent_children', [
        {
          record_id: 1_000,
          id: 'parent-1000',
          parent_invoice_id: 'paid-by-parent',
          child_invoice_id: child?.['id'],
          child_account_id: child?.['account_id'],
          account_record_id: parent,
          tenant_record_id: child?.['tenant_record_id'],
        },
      ])
      expect(found(await look(marks))).toEqual(changed(child?.['account_record_id'], parent))
    })

    /** The executor, and the number of its statements since the last call that read the accounts in use. */
    const observing = (): { over: () => Executor; reads: () => number } => {
      const texts: string[] = []
      const observed: Executor = {
        ...executor,
        withSnapshot: (work, options) =>
          executor.withSnapshot((snapshot) => {
            const query: typeof snapshot.query = (statement) => {
              texts.push(statement.text)
              return snapshot.query(statement)
            }
            return work({ ...snapshot, query })
          }, options),
      }
      const reads = () => texts.splice(0).filter((text) => text.includes('account.reference_time')).length
      return { over: () => observed, reads }
    }
    const inOtherCurrency = async (work: (account: number) => Promise<void>) => {
      const [owner] = await database.adminQuery('select min(account_record_id) as account from subscriptions')
      const account = Number(owner?.['account'])
      const where = `where record_id = ${account}`
      const [old] = await database.adminQuery(`select currency from accounts ${where}`)
      await database.adminQuery(`update accounts set currency = 'CHF' ${where}`)
      await work(account)
      await database.adminQuery(`update accounts set currency = '${old?.['currency']}' ${where}`)
    }

    it('reads the accounts in use again only if a history that can change them has new rows', async () => {
      const { over, reads } = observing()
      const look = startProcess({}, over)
      const first = await look(undefined)
      expect(reads()).toBeGreaterThan(0)
      const field = {
        record_id: 5_000,
        id: 'field-5000',
        object_id: 'any',
        object_type: 'ACCOUNT',
        target_record_id: 1,
        account_record_id: 2,
      }
      await insertRows(database, 'custom_field_history', [field])
      const second = await look(first.marks)
      expect(found(second)).toEqual(changed(2))
      expect(second.session.currencies).toEqual(first.session.currencies)
      expect(reads()).toBe(0)
      await inOtherCurrency(async (account) => {
        await commitTouch(account)
        for (const { marks } of [first, second]) {
          expect((await look(marks)).session.currencies).toContain('CHF')
          expect(reads()).toBeGreaterThan(0)
        }
      })
    })

    it('takes them from the marks of an earlier process, unless a history or a setting can have changed them', async () => {
      const { over, reads } = observing()
      const first = await startProcess({}, over)(undefined)
      expect(reads()).toBeGreaterThan(0)
      const second = await startProcess({}, over)(first.marks)
      expect(found(second)).toEqual(NONE)
      expect(second.session).toMatchObject({ currencies: first.session.currencies, sources: first.session.sources })
      expect([...second.session.inline.values()]).toEqual([...first.session.inline.values()])
      expect(reads()).toBe(0)
      await startProcess({}, over)(first.marks, { ...DEFINITIONS, test_accounts: 'include' })
      expect(reads()).toBeGreaterThan(0)
      await startProcess({ tenant: ['tenant-one'] }, over)(first.marks)
      expect(reads()).toBeGreaterThan(0)
      await inOtherCurrency(async (account) => {
        await commitTouch(account)
        const third = await startProcess({}, over)(first.marks)
        expect(third.session.currencies).toContain('CHF')
        expect(reads()).toBeGreaterThan(0)
        expect((await startProcess({}, over)(third.marks)).session.currencies).toContain('CHF')
        expect(reads()).toBe(0)
      })
    })

    it('names the table of the schema that has gone while no process ran', async () => {
      const { marks } = await startProcess()(undefined)
      await database.adminQuery('alter table tenant_kvs rename to tenant_kvs_away')
      try {
        await expect(startProcess()(marks)).rejects.toMatchObject({
          code: 'unsupported_by_connector',
          message: expect.stringContaining('tenant_kvs'),
        })
      } finally {
        await database.adminQuery('alter table tenant_kvs_away rename to tenant_kvs')
      }
      expect(found(await startProcess()(marks))).toEqual(NONE)
    })

    it('finds a catalog that came while no process ran', async () => {
      const { marks } = await startProcess()(undefined)
      const [row] = await database.adminQuery(`select max(record_id) as catalog from tenant_kvs where tenant_key = 'CATALOG'`)
      const where = `where record_id = ${row?.['catalog']}`
      const [old] = await database.adminQuery(`select tenant_value as text from tenant_kvs ${where}`)
      const text = String(old?.['text'])
      // The accounts of this tenant have euros.
      const dearer = text.replace(/(<currency>EUR<.currency><value>)/g, '$19')
      expect(dearer).not.toBe(text)
      await database.adminQuery(`update tenant_kvs set tenant_value = '${dearer.replaceAll("'", "''")}' ${where}`)
      const priced = await startProcess()(marks)
      expect(priced.extent).toBe('customers')
      expect(priced.customers.length).toBeGreaterThan(0)
      expect(found(await startProcess()(priced.marks))).toEqual(NONE)
      await database.adminQuery(`update tenant_kvs set tenant_value = '${text.replaceAll("'", "''")}' ${where}`)
      const again = await startProcess()(priced.marks)
      expect(found(again)).toEqual(found(priced))
    })

    it('refills for other tenants, settings and definitions, and for marks of another shape', async () => {
      const { marks } = await startProcess()(undefined)
      const extentOf = async (settings: Partial<KillbillSettings>) => (await startProcess(settings)(marks)).extent
      expect(await extentOf({})).toBe('none')
      expect(await extentOf({ tenant: ['tenant-one'] })).toBe('refill')
      expect(await extentOf({ cancel_reason_field: 'why' })).toBe('refill')
      const renamed = await startProcess({ tenant_names: { 'tenant-one': 'One Inc.' } })(marks)
      expect(found(renamed)).toEqual({ extent: 'customers', customers: [] })
      expect(renamed.session.sources.map(({ name }) => name)).toContain('One Inc.')
      const without = await startProcess()(marks, definitionsSchema.parse({ base_currency: 'USD', mrr_usage: 'off' }))
      expect(without).toMatchObject({
        extent: 'refill',
        cause: { reason: 'settings', text: expect.stringContaining('definitions have changed') },
      })
      expect((await startProcess()({ ...(marks as object), shape: 0 })).extent).toBe('refill')
    })

    it('refills for another database of the same shape, for other old rows below the same new ones, and for an older copy', async () => {
      const first = await startProcess()(undefined)
      const other = (await fillDatabase(target, generatedHistory(8, 20))).database.executor()
      expect((await startProcess({}, () => other)(first.marks)).extent).toBe('refill')
      expect((await startProcess()(first.marks)).extent).toBe('none')
      const probes = (first.marks as Marks).logs.watched['account_history']?.probes ?? []
      expect(probes.length).toBeGreaterThan(2)
      await database.adminQuery(`update account_history set id = concat('x', substr(id, 2)) where record_id = ${probes[0]?.[0]}`)
      expect((await startProcess()(first.marks)).extent).toBe('refill')
      const second = await startProcess()(undefined)
      const [row] = await database.adminQuery('select max(record_id) as top from account_history')
      await database.adminQuery(`delete from account_history where record_id = ${Number(row?.['top']) - 3_000}`)
      expect(await startProcess()(second.marks)).toMatchObject({
        extent: 'refill',
        cause: { reason: 'rows_gone', text: expect.stringContaining('are gone') },
      })
      const third = await startProcess()(undefined)
      await database.adminQuery(`delete from account_history where record_id > ${Number(row?.['top']) - 3}`)
      expect((await startProcess()(third.marks)).extent).toBe('refill')
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

const SEQUENCE = 'account_history_numbers'
const NUMBERED = {
  postgres: [
    `create sequence ${SEQUENCE}`,
    `select setval('${SEQUENCE}', (select max(record_id) from account_history))`,
    `alter table account_history alter column record_id set default nextval('${SEQUENCE}')`,
  ],
  mysql: ['alter table account_history modify record_id bigint not null auto_increment'],
}

const request = (definitions = DEFINITIONS) => ({ now: new Date(`${NOW.replace(' ', 'T')}Z`), definitions })

const sizeOf = (marks: unknown) => JSON.stringify(marks).length

/** Copies of the first history row, about accounts from this one on. The server numbers them. */
function copied(account: number, rows: number): string {
  const columns = (readSchema().tables['account_history']?.columns ?? [])
    .map(({ name }) => name)
    .filter((name) => name !== 'record_id')
  const cells = columns.map(
    (name) => ({ id: `concat('c-', random_part.word, '-', one.n)`, target_record_id: `${account} + one.n` })[name] ?? `o.${name}`,
  )
  const digit =
    '(select 0 as d union all select 1 union all select 2 union all select 3 union all select 4 union all select 5 union all select 6 union all select 7 union all select 8 union all select 9)'
  const places = Array.from({ length: String(rows - 1).length }, (_, place) => `p${place}`)
  const number = places.map((name, place) => `${10 ** place} * ${name}.d`).join(' + ')
  const numbers = `(select ${number} as n from ${places.map((name) => `${digit} as ${name}`).join(', ')}) as one`
  const word = `(select '${Math.random().toString(36).slice(2, 12)}' as word) as random_part`
  return `insert into account_history (${columns.join(', ')}) select ${cells.join(', ')} from account_history as o, ${numbers}, ${word}
where o.record_id = (select min(record_id) from account_history) and one.n < ${rows}`
}

/** A connection. Null ends it. */
async function connect({ url, dialect }: TestDatabase): Promise<(text: string | null) => Promise<unknown>> {
  if (dialect.name === 'mysql') {
    const connection = await mysql.createConnection(url)
    return (text) => (text === null ? connection.end() : connection.query(text))
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return (text) => (text === null ? client.end() : client.query(text))
}

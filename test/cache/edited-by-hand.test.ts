import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createSweep } from '../../src/cache/mirror/content.ts'
import { patienceFor } from '../../src/cache/mirror/options.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Row } from '../../src/ports/rows.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { type FilledBilling, STORED_BILLINGS } from '../support/product/stored-billings.ts'

const billing = killbill()

const ONE_ACCOUNT = 'where record_id = (select record_id from (select max(record_id) as record_id from accounts) as one)'

/** Changes and deletions of rows that answers show. */
const EDITS = [
  `update accounts set name = 'By hand' ${ONE_ACCOUNT}`,
  "update accounts set external_key = concat('by-hand-', record_id)",
  "update bundles set external_key = concat('by-hand-', record_id)",
  "update subscriptions set external_key = concat('by-hand-', record_id)",
  `delete from accounts ${ONE_ACCOUNT}`,
]

const WRITTEN = "true, 'by hand', '2024-01-01 00:00:00', 'by hand', '2024-01-01 00:00:00'"
const STAMPS = 'is_active, created_by, created_date, updated_by, updated_date'

/** A custom field and a tag of every second account. */
const ATTRIBUTES = [
  `insert into custom_fields (record_id, id, object_id, object_type, field_name, field_value, account_record_id, tenant_record_id, ${STAMPS})
    select 100000 + record_id, concat('field-', record_id), id, 'ACCOUNT', 'tier', 'gold', record_id, tenant_record_id, ${WRITTEN}
    from accounts where mod(record_id, 2) = 0`,
  `insert into tag_definitions (record_id, id, name, description, applicable_object_types, tenant_record_id, ${STAMPS})
    select 100000 + record_id, concat('definition-', record_id), 'vip', '', 'ACCOUNT', record_id, ${WRITTEN} from tenants`,
  `insert into tags (record_id, id, tag_definition_id, object_id, object_type, account_record_id, tenant_record_id, ${STAMPS})
    select 100000 + record_id, concat('tag-', record_id), concat('definition-', tenant_record_id), id, 'ACCOUNT', record_id, tenant_record_id, ${WRITTEN}
    from accounts where mod(record_id, 2) = 0`,
]

/** Changes and deletions of tags and custom fields, which the customers of an attribute show. */
const ATTRIBUTE_EDITS = [
  "update custom_fields set field_value = concat('hand-', record_id) where object_type = 'ACCOUNT' and field_name = 'tier'",
  "delete from custom_fields where object_type = 'ACCOUNT'",
  "update tag_definitions set name = concat('hand-', record_id)",
  "delete from tags where object_type = 'ACCOUNT'",
]

/** Numbers of invoices, a write-off, its removal, and the deletion of the removed mark. */
const BOOK_EDITS = [
  `insert into custom_fields (record_id, id, object_id, object_type, field_name, field_value, account_record_id, tenant_record_id, ${STAMPS})
    select 200000 + record_id, concat('number-', record_id), id, 'INVOICE', 'INVOICE_SEQUENCE_NUMBER', concat('N-', record_id), account_record_id,
      tenant_record_id, ${WRITTEN} from invoices`,
  "update custom_fields set field_value = concat('hand-', record_id) where object_type = 'INVOICE'",
  `insert into tags (record_id, id, tag_definition_id, object_id, object_type, account_record_id, tenant_record_id, ${STAMPS})
    select 200000 + record_id, concat('off-', record_id), '00000000-0000-0000-0000-000000000004', id, 'INVOICE', account_record_id, tenant_record_id,
      ${WRITTEN} from invoices`,
  "update tags set is_active = false, updated_date = '2024-02-01 00:00:00' where object_type = 'INVOICE'",
  "delete from tags where object_type = 'INVOICE'",
]

/** Milliseconds after which a process has compared all rows, in the tests of a running process. */
const SWEEP_MS = 50

function killbill() {
  const found = STORED_BILLINGS.find(({ type }) => type === 'killbill')
  if (found === undefined) throw new Error('no such billing engine')
  return found
}

firstEngineAndOneOther('rows that somebody edits by hand, without the billing engine', (target) => {
  let filled: FilledBilling
  let direct: Engine
  let directory: string
  const running: Engine[] = []

  beforeAll(async () => {
    filled = await billing.fill(target, 11, 20)
    direct = await billing.direct(filled.database, { now: filled.moments[0].now })
    directory = join(await mkdtemp(join(tmpdir(), 'plumbline-edited-')), 'cache')
  })
  afterEach(async () => {
    for (const engine of running.splice(0)) await engine.close()
    await rm(directory, { recursive: true, force: true })
  })
  afterAll(async () => {
    await direct.close()
    await filled.close()
    await rm(join(directory, '..'), { recursive: true })
  })

  async function begin({ isCommand = false, sweepMs = 300_000, stored = directory as string | null, isReady = true } = {}) {
    const options = { stored, patience: { ...patienceFor(30_000), sweepMs } }
    const { engine, cache } = await billing.cached(
      filled.database,
      { now: filled.moments[0].now },
      { ...options, isRequired: !isCommand },
    )
    if (!isCommand) cache.start()
    running.push(engine)
    if (isReady) await cache.ready()
    return { engine, cache }
  }
  async function end({ engine }: { readonly engine: Engine }) {
    running.splice(running.indexOf(engine), 1)
    await engine.close()
  }

  const listed = async (engine: Engine, list: 'customers' | 'subscriptions') =>
    ((await engine.list(list, { limit: '1000' })).data as { readonly rows: readonly Row[] }).rows
  const answersOf = async (engine: Engine) => [await listed(engine, 'customers'), await listed(engine, 'subscriptions')]
  const admin = (text: string) => filled.database.adminQuery(text)

  /** Text in the files of the cache, their logs included. */
  async function isOnDisk(text: string): Promise<boolean> {
    const names = await readdir(directory).catch(() => [])
    const files = await Promise.all(names.map((name) => readFile(join(directory, name)).catch(() => Buffer.alloc(0))))
    return files.some((file) => file.includes(text))
  }

  /** Gives a customer a name that no compression hides, through the history, and returns its key. */
  async function name(text: string): Promise<number> {
    const [row] = await admin('select max(record_id) as record_id from accounts')
    const key = Number(row?.['record_id'])
    await admin(`update accounts set name = '${text}', email = '${text}@example.org' where record_id = ${key}`)
    return key
  }

  it('are gone after a restart, from answers and from files', async () => {
    const old = 'Erasmus Q. Oldname-3141592653'
    const key = await name(old)
    const first = await begin()
    expect(JSON.stringify(await answersOf(first.engine))).toContain(old)
    await end(first)
    expect(await isOnDisk(old)).toBe(true)
    await admin(`update accounts set name = 'erased', email = null where record_id = ${key}`)
    await admin(`update account_history set name = 'erased', email = null where target_record_id = ${key}`)
    const second = await begin()
    expect(await answersOf(second.engine)).toEqual(await answersOf(direct))
    expect(JSON.stringify(await answersOf(second.engine))).not.toContain(old)
    expect(second.cache.answered()).toBeGreaterThan(0)
    await expect.poll(() => isOnDisk(old), { timeout: 20_000 }).toBe(false)
    expect(second.cache.failures()).toEqual([])
    await end(second)
    expect(await isOnDisk(old)).toBe(false)
    expect(await readdir(directory)).toHaveLength(1)
  })

  it('are found by a command, which leaves no file with them', async () => {
    const old = 'Carla C. Oldname-2718281828'
    const key = await name(old)
    await end(await begin())
    expect(await isOnDisk(old)).toBe(true)
    await admin(`update accounts set name = 'erased', email = null where record_id = ${key}`)
    const command = await begin({ isCommand: true })
    expect(await answersOf(command.engine)).toEqual(await answersOf(direct))
    expect(command.cache.answered()).toBeGreaterThan(0)
    await end(command)
    await expect.poll(() => isOnDisk(old), { timeout: 20_000 }).toBe(false)
  })

  it('are gone at once when the cache is cleared', async () => {
    const old = 'Zoe Z. Oldname-1618033988'
    const key = await name(old)
    const process = await begin()
    expect(JSON.stringify(await answersOf(process.engine))).toContain(old)
    await admin(`update accounts set name = 'erased', email = null where record_id = ${key}`)
    expect(await process.engine.clearCache()).toEqual({ is_filling: true })
    expect(JSON.stringify(await answersOf(process.engine))).not.toContain(old)
    expect(await isOnDisk(old)).toBe(false)
    await process.cache.ready()
    expect(await answersOf(process.engine)).toEqual(await answersOf(direct))
    expect(process.cache.failures()).toEqual([])
    // Without a service, the files are removed.
    await end(process)
    expect(await readdir(directory)).toHaveLength(1)
    const command = await begin({ isCommand: true, isReady: false })
    expect(await command.engine.clearCache()).toEqual({ is_filling: false })
    expect(await readdir(directory)).toEqual([])
  })

  it('are gone too when the cache is cleared while it is filled', async () => {
    const old = 'Ida I. Oldname-5772156649'
    await name(old)
    const process = await begin({ isReady: false })
    expect(process.cache.state().status).toBe('filling')
    await name('erased-while-it-is-filled')
    expect(await process.engine.clearCache()).toEqual({ is_filling: true })
    expect(await isOnDisk(old)).toBe(false)
    await process.cache.ready()
    expect(await answersOf(process.engine)).toEqual(await answersOf(direct))
    expect(JSON.stringify(await listed(process.engine, 'customers'))).toContain('erased-while-it-is-filled')
    expect(await isOnDisk(old)).toBe(false)
    expect(process.cache.failures()).toEqual([])
  })

  it('are followed in a running process, tags and custom fields', async () => {
    for (const text of ATTRIBUTES) await admin(text)
    const process = await begin({ sweepMs: SWEEP_MS, stored: null })
    const byAttribute = async (engine: Engine) => {
      const definitions = (await engine.fields('mrr')).data.attributes.map(({ key }) => key)
      const rows = await Promise.all(definitions.map((key) => engine.query('mrr', {}, { dimensions: [key] })))
      return JSON.stringify([definitions, rows.map(({ data }) => data), await answersOf(engine)])
    }
    expect(await byAttribute(process.engine)).toBe(await byAttribute(direct))
    for (const text of ATTRIBUTE_EDITS) {
      const before = await byAttribute(direct)
      await admin(text)
      const wanted = await byAttribute(direct)
      expect(wanted, text).not.toBe(before)
      await expect.poll(() => byAttribute(process.engine), { timeout: 20_000, message: text }).toBe(wanted)
    }
    expect(process.cache.failures()).toEqual([])
  })

  it('are followed in the books of a running process', async () => {
    const process = await begin({ sweepMs: SWEEP_MS, stored: null })
    const at = filled.moments[0].now.slice(0, 10)
    const books = async (engine: Engine) => {
      const open = await engine.ledgerList('open_invoices', { at, limit: '1000' })
      const movements = await engine.query(
        'ledger',
        { query_type: 'movements', start: '2023-01-01', end: at },
        { dimensions: ['currency'] },
      )
      return JSON.stringify([open.data, movements.data])
    }
    expect(await books(process.engine)).toBe(await books(direct))
    for (const text of BOOK_EDITS) {
      const before = await books(direct)
      await admin(text)
      const wanted = await books(direct)
      expect(wanted, text).not.toBe(before)
      await expect.poll(() => books(process.engine), { timeout: 20_000, message: text }).toBe(wanted)
    }
    expect(process.cache.failures()).toEqual([])
  })

  it('are followed in a running process', async () => {
    const process = await begin({ sweepMs: SWEEP_MS, stored: null })
    expect(await answersOf(process.engine)).toEqual(await answersOf(direct))
    for (const text of EDITS) {
      const before = JSON.stringify(await answersOf(direct))
      await admin(text)
      const wanted = JSON.stringify(await answersOf(direct))
      expect(wanted, text).not.toBe(before)
      const found = async () => JSON.stringify(await answersOf(process.engine))
      await expect.poll(found, { timeout: 20_000, message: text }).toBe(wanted)
    }
    expect(process.cache.failures()).toEqual([])
  })
})

it('compares every customer within its time, in parts by the time that has passed', () => {
  let now = 0
  const sweep = createSweep(300_000, false, () => now)
  const parts: (readonly [number, number])[] = []
  for (; now <= 302_000; now += 500) {
    const range = sweep.due(100_000)
    if (range === null) continue
    parts.push([Number(range.from), Number(range.through)])
    sweep.done(range)
  }
  expect(parts[0]).toEqual([0, 667])
  // Each begins after the one before, and the last one before the end of the time reaches the highest key.
  for (const [index, [from]] of parts.slice(1, 149).entries()) expect(from).toBe((parts[index]?.[1] ?? 0) + 1)
  expect(parts.some(([, through]) => through === 100_000)).toBe(true)
  now += 300_000
  expect(sweep.due(100_000)).toEqual({ from: '0', through: '100000' })
  // A part that was not compared is due again.
  expect(sweep.due(100_000)).toEqual({ from: '0', through: '100000' })
  expect(createSweep(300_000, true).due(7)).toEqual({ from: '0', through: '7' })
})

import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { duckdb } from '../../src/compiler/dialects/duckdb.ts'
import { openDuckdb } from '../../src/databases/duckdb/duckdb.ts'
import { logFailure } from '../../src/facades/http/failure.ts'
import { createLog } from '../../src/facades/http/log.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { ownedIn, STORE_SERVERS, storePlaces } from '../support/databases/store-places.ts'
import { describeTargets } from '../support/databases/targets.ts'

const SECRET = 'sk_live_51Hn\n    at hunter2 (/secret/place.ts:1:1)'
const TRACES = /sk_live|hunter2|secret\/place/

/** The line that a failure leaves; the failure itself must quote the value, or nothing would be shown. */
async function lineOf(work: Promise<unknown>): Promise<{ readonly text: string; readonly causes: Record<string, unknown>[] }> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  const quoted: string[] = []
  for (let cause = error; cause instanceof Error; cause = cause.cause) quoted.push(cause.message, JSON.stringify({ ...cause }))
  expect(quoted.join('\n')).toMatch(TRACES)
  const lines: string[] = []
  const log = createLog((line) => lines.push(line), { level: 'error', format: 'json' })
  logFailure(log, error, 'r1', 'mrr.current')
  const [text = ''] = lines
  return { text, causes: (JSON.parse(text) as { causes: Record<string, unknown>[] }).causes }
}

function ask(executor: Executor, text: string): Promise<unknown> {
  return executor.withSnapshot((snapshot) => snapshot.query({ label: 'probe', text, values: [SECRET] }))
}

describeTargets('a statement that fails over a value', (target) => {
  it('is logged with its code and without the value', async () => {
    const database = await target.createDatabase()
    const isMysql = target.dialect.name === 'mysql'
    const text = isMysql ? 'set session time_zone = ?' : 'select cast($1::text as integer) as n'
    const { text: line, causes } = await lineOf(ask(database.executor(), text))
    expect(line).not.toMatch(TRACES)
    expect(causes).toMatchObject([
      { name: 'InternalError', message: expect.stringContaining('probe') },
      { code: isMysql ? 'ER_UNKNOWN_TIME_ZONE' : '22P02', facts: isMysql ? { sqlState: 'HY000' } : { severity: 'ERROR' } },
    ])
    expect(causes.flatMap(({ frames }) => frames).length).toBeGreaterThan(0)
  })
})

describe('a statement of the cache that fails over a value', () => {
  it('is logged with its kind and without the value', async () => {
    const database = await openDuckdb({ dialect: duckdb, memoryMb: 100, directory: tmpdir() })
    try {
      const { text, causes } = await lineOf(ask(database.reader, 'select cast($1 as integer) as n'))
      expect(text).not.toMatch(TRACES)
      expect(causes[1]).toMatchObject({ name: 'Error', kind: 'Conversion Error' })
    } finally {
      await database.close()
    }
  })
})

describe.each(storePlaces(STORE_SERVERS))('a statement of a store on %s that fails over a value', (_name, makePlace) => {
  it('is logged with its code and without the value', async () => {
    const place = await makePlace()
    const store = createStore({ url: place.url, schema: 'side', baseDirectory: place.baseDirectory })
    try {
      const at = '2026-01-01T00:00:00.000Z'
      const entry = { source_id: 's', customer_id: 'c', key: 'k', type: 'number', value: SECRET } as const
      const definition = { key: 'k', type: 'number', label: SECRET, source: 'api', description: SECRET } as const
      const work = ownedIn(store).attributes.change(async (writer) => {
        await writer.define({ ...definition, created_at: at, updated_at: at })
        await writer.put([entry], 'api', at)
      })
      const { text, causes } = await lineOf(work)
      expect(text).not.toMatch(TRACES)
      expect(causes[1]).toMatchObject({ code: expect.stringMatching(/^(22P02|ER_TRUNCATED_WRONG_VALUE\w*)$/) })
    } finally {
      await store.close()
      await place.remove()
    }
  })
})

import { expect, it } from 'vitest'
import { packOpening, recordOpening, replayOpening, sessionDigest, unpackOpening } from '../../src/cache/lake/opening.ts'
import { trino } from '../../src/compiler/dialects/trino.ts'
import type { Statement } from '../../src/compiler/statement.ts'
import { plainSession } from '../../src/connector-kit/complete-session.ts'
import { createQueryRunner } from '../../src/connector-kit/query-runner.ts'
import { findHidden } from '../../src/connector-kit/rights.ts'
import { AppError } from '../../src/core/errors.ts'
import type { Row } from '../../src/ports/rows.ts'
import type { Snapshot } from '../../src/ports/snapshot.ts'

const ROWS: readonly Row[] = [
  { id: '9007199254740993', name: 'Zoë 😀', is_on: true, count: 3, none: null },
  { id: '2', name: '', is_on: false, count: 0, none: null },
]

function statement(text: string, values: Statement['values'] = []): Statement {
  return { text, values, label: 'test' }
}

function billing(): { readonly snapshot: Snapshot; readonly sent: string[] } {
  const sent: string[] = []
  const query: Snapshot['query'] = async ({ text, values }) => {
    sent.push(text)
    return ROWS.map((row) => ({ ...row, asked: String(values[0] ?? 'nothing') }))
  }
  return {
    sent,
    snapshot: {
      dialect: trino,
      query,
      async *stream(asked) {
        yield* await query(asked)
      },
    },
  }
}

async function recorded() {
  const { snapshot, sent } = billing()
  const recording = recordOpening(snapshot)
  const read = [
    await recording.snapshot.query(statement('select a from t where b = ?', ['x'])),
    await recording.snapshot.query(statement('select a from t where b = ?', ['y'])),
  ]
  const streamed: Row[] = []
  for await (const row of recording.snapshot.stream(statement('select c from t'))) streamed.push(row)
  return { read, streamed, sent, opening: recording.opening() }
}

it('a replay gives the recorded rows by text and values, also after it was packed', async () => {
  const { read, streamed, opening } = await recorded()
  for (const known of [opening, unpackOpening(packOpening(opening))]) {
    const replayed = replayOpening(known, trino)
    expect(await replayed.query(statement('select a from t where b = ?', ['y']))).toEqual(read[1])
    expect(await replayed.query(statement('select a from t where b = ?', ['x']))).toEqual(read[0])
    expect(await replayed.query(statement('select c from t'))).toEqual(streamed)
  }
  expect(read[0]).not.toEqual(read[1])
})

it('any other statement is a fault of the program', async () => {
  const replayed = replayOpening((await recorded()).opening, trino)
  for (const other of [
    statement('select a from t where b = ?', ['z']),
    statement('select a from t'),
    statement('select d from t'),
  ])
    await expect(replayed.query(other)).rejects.toMatchObject({ name: 'InternalError', message: expect.stringContaining('test') })
})

it('a repeated statement is sent again, and its last rows stay', async () => {
  let count = 0
  const { snapshot } = billing()
  const recording = recordOpening({ ...snapshot, query: async () => [{ n: ++count }] })
  await recording.snapshot.query(statement('select n from t'))
  await recording.snapshot.query(statement('select n from t'))
  const { reads } = recording.opening()
  expect(reads.map(({ rows }) => rows)).toEqual([[{ n: 2 }]])
})

it('a connector is told that it must send every statement', async () => {
  const { opening } = await recorded()
  expect(recordOpening(billing().snapshot).snapshot.isRecorded).toBe(true)
  expect(replayOpening(opening, trino).isRecorded).toBe(true)
})

it('a packed opening is plain text, shorter than its documents', () => {
  const document = '<catalog><plan name="gold"/></catalog>'.repeat(5_000)
  const packed = packOpening({ reads: [{ text: 'select 1', values: [], rows: [{ document }] }] })
  expect(packed).toMatch(/^[A-Za-z0-9+/=]+$/)
  expect(packed.length).toBeLessThan(document.length / 10)
})

it('a refusal is replayed with its code, so that a probe for a missing column finds it missing again', async () => {
  const { snapshot } = billing()
  const missing = new AppError('unsupported_by_connector', 'no column', { cause: { code: 'COLUMN_NOT_FOUND' } })
  const recording = recordOpening({ ...snapshot, query: () => Promise.reject(missing) })
  const names = ['subscription_events.quantity']
  expect(await findHidden(createQueryRunner(recording.snapshot), 'test', names)).toEqual([])
  const replayed = replayOpening(unpackOpening(packOpening(recording.opening())), trino)
  expect(await findHidden(createQueryRunner(replayed), 'test', names)).toEqual([])
})

it('a digest tells sessions apart whose plans come from other files', () => {
  const session = (...plans: readonly string[]) => {
    const columns = [
      { name: 'plan_key', type: 'integer' as const },
      { name: 'plan_id', type: 'text' as const },
    ]
    const rows = plans.map((plan, at) => [at + 1, plan])
    return { ...plainSession({ sources: [], currencies: ['USD'] }), inline: new Map([['plan', { name: 'plan', columns, rows }]]) }
  }
  expect(sessionDigest(session('pro', 'max'))).toBe(sessionDigest(session('pro', 'max')))
  expect(sessionDigest(session('pro', 'max'))).not.toBe(sessionDigest(session('basic', 'pro', 'max')))
})

import { expect, it } from 'vitest'
import { trino } from '../../src/compiler/dialects/trino.ts'
import type { Statement } from '../../src/compiler/statement.ts'
import { packOpening, recordOpening, replayOpening, unpackOpening } from '../../src/lake/opening.ts'
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

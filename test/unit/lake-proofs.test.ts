import { expect, it } from 'vitest'
import { prove } from '../../src/cache/lake/proofs.ts'
import type { PublishedTables } from '../../src/cache/lake/steps-as-tables.ts'
import { trino } from '../../src/compiler/dialects/trino.ts'
import type { Row } from '../../src/ports/rows.ts'

const TABLES: PublishedTables = {
  id: 'p1_aaaa',
  place: { catalog: 'lake', schema: 'plumbline' },
  dialect: trino,
  keyType: 'integer',
  held: ['movement', 'subscription_span'].map((relation) => ({ relation, table: '', columns: [] })),
}
const WRITTEN = new Map([
  ['p1_aaaa_held_movement', 10],
  ['p1_aaaa_held_subscription_span', 4],
])
const COUNTS: readonly Row[] = [
  { relation: 'movement', entries: '10', different: '10' },
  { relation: 'subscription_span', entries: '4', different: '4' },
]

function proof({
  counts = COUNTS,
  levels = [],
  held = TABLES.held,
}: Partial<Record<'counts' | 'levels', readonly Row[]>> & Partial<PublishedTables>) {
  const texts: string[] = []
  const query = async ({ text, label }: { readonly text: string; readonly label: string }) => {
    texts.push(text)
    return label.startsWith('lake.counts') ? counts : levels
  }
  const snapshot = {
    dialect: trino,
    query,
    async *stream(): AsyncGenerator<Row> {
      yield* []
    },
  }
  return { texts, result: prove(snapshot, { ...TABLES, held }, '2026-01-01 00:00:00.999999', WRITTEN) }
}

it('tables that agree give their rows', async () => {
  const { texts, result } = proof({})
  expect(await result).toEqual({ movement: 10, subscription_span: 4 })
  expect(texts[0]).toContain(
    'select distinct subscription_id, movement_source, occurred_at from lake.plumbline.p1_aaaa_held_movement',
  )
})

it.each([
  [
    'two rows are the same',
    { counts: [{ relation: 'movement', entries: '10', different: '9' }] },
    /movement has 10 rows, and only 9 different/,
  ],
  [
    'rows are lost',
    { counts: [{ relation: 'movement', entries: '9', different: '9' }] },
    /movement has 9 rows, and 10 were written/,
  ],
  [
    'the movements are not the level',
    { levels: [{ currency: 'EUR', level_cents: '500', moved_cents: '400' }] },
    /MRR in EUR is 500 cents, and its movements add up to 400/,
  ],
])('a publication is refused if %s', async (_name, answers, expected) => {
  const error = await proof(answers).result.catch((reason: unknown) => reason)
  expect(error).toMatchObject({ name: 'UnprovenPublication', faults: [expect.stringMatching(expected)] })
})

it('the level is not asked of a connector without movements', async () => {
  const { texts, result } = proof({ held: TABLES.held.slice(1), counts: COUNTS.slice(1) })
  expect(await result).toEqual({ subscription_span: 4 })
  expect(texts).toHaveLength(1)
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileFragment } from '../../src/compiler/compile.ts'
import { sqlite } from '../../src/compiler/dialects/sqlite.ts'
import { type BoundValue, type Fragment, fn, relation, sql, value } from '../../src/compiler/fragment.ts'
import type { InlineRelation } from '../../src/compiler/inline.ts'
import type { Row } from '../../src/ports/rows.ts'
import type { Store } from '../../src/ports/store.ts'
import { DIALECT_CASES, spelled } from '../support/data/dialect-cases.ts'
import { drawnConversions } from '../support/data/drawn-conversions.ts'
import { embeddedPlace, type StorePlace } from '../support/databases/store-places.ts'
import { CATALOG } from '../support/product/example-engine.ts'
import { storeAt } from '../support/product/store-with-books.ts'

/** SQLite has no decimals, and its numbers arrive as JavaScript's. */
const BEYOND = ['text of a decimal', 'integer of 2^53 + 1', 'int_div of 2^53 + 1', 'int_div of 2^63 - 1', 'int_div of -2^63 + 1']
const BEYOND_TOO = ['int_div of a decimal above 2^63', 'converted, more than a double holds', 'microseconds_between the last one']

let place: StorePlace
let store: Store
beforeAll(async () => {
  place = await embeddedPlace()
  store = storeAt(place)
})
afterAll(async () => {
  await store.close()
  await place.remove()
})

function run(fragment: Fragment, inline: readonly InlineRelation[] = []): Promise<readonly Row[]> {
  const relations = new Map(inline.map((each) => [each.name, each]))
  const statement = compileFragment({ fragment, catalog: CATALOG, inline: relations, params: {}, dialect: sqlite, label: 'test' })
  return store.withSnapshot?.((snapshot) => snapshot.query(statement)) ?? Promise.reject(new Error('no snapshots'))
}

describe('functions of SQLite', () => {
  it.each(DIALECT_CASES.filter(([name]) => ![...BEYOND, ...BEYOND_TOO].includes(name)))('%s', async (_name, call, expected) => {
    const [row] = await run(sql`select ${call} as answer`)
    expect(spelled(row?.['answer'], call)).toBe(expected)
  })

  it('text is compared letter by letter and with its trailing blanks', async () => {
    const text = (bound: string) => fn('exact_text', value(bound, 'text'))
    const [row] = await run(sql`select ${text('a')} = ${text('A')} as folded, ${text('a')} = ${text('a ')} as padded`)
    expect(row).toEqual({ folded: 0, padded: 0 })
  })

  it('converted is the exact product, whatever the cents and the rate', async () => {
    const { statement, relation: pairs, expected } = drawnConversions(7)
    const converted = await run(statement, [pairs])
    expect(converted.map((row) => Number(row['answer']))).toEqual(expected)
  })
})

describe('inline relations of SQLite', () => {
  const columns: InlineRelation['columns'] = [
    { name: 'place', type: 'integer' },
    { name: 'word', type: 'text' },
    { name: 'amount', type: 'decimal' },
    { name: 'day', type: 'date' },
    { name: 'flag', type: 'boolean' },
  ]
  const hostile = `Rob'); drop table "x" -- \\ \n ? $1 :a /* 😀`

  it.each([0, 2, 20, 21, 5_000])('%i rows keep every value', async (count) => {
    const rows = Array.from({ length: count }, (_, index): readonly BoundValue[] =>
      index === 1 ? [2, null, null, null, null] : [index + 1, hostile, '12345678901234567.123456789012', '2024-02-29', true],
    )
    const read = await run(sql`select thing.* from ${relation('thing')} as thing order by thing.place`, [
      { name: 'thing', columns, rows },
    ])
    const cell = (bound: BoundValue | undefined) => (bound === true ? 1 : bound)
    expect(read).toEqual(rows.map(([at, word, amount, day, flag]) => ({ place: at, word, amount, day, flag: cell(flag) })))
  })
})

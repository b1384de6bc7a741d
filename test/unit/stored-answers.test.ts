import { describe, expect, it } from 'vitest'
import { createAnswers } from '../../src/cache/mirror/answers.ts'
import { duckdb } from '../../src/compiler/dialects/duckdb.ts'
import type { Row } from '../../src/ports/rows.ts'
import type { Snapshot } from '../../src/ports/snapshot.ts'

/** A snapshot that answers each statement with these rows, behind stored answers. */
function answering(rowsOf: (text: string) => readonly Row[]) {
  let asked: string[] = []
  const snapshot: Snapshot = {
    dialect: duckdb,
    async query({ text }) {
      asked.push(text)
      return rowsOf(text)
    },
    async *stream() {},
  }
  const answers = createAnswers()
  return {
    ask: (text: string) => answers.over(snapshot).query({ text, values: [], label: 'test' }),
    /** The statements that have reached the snapshot since the last call. */
    asked() {
      const all = asked
      asked = []
      return all
    },
  }
}

const wide = (rows: number, columns: number): readonly Row[] => {
  const row = Object.fromEntries(Array.from({ length: columns }, (_, index) => [`c${index}`, 1]))
  return Array.from({ length: rows }, () => row)
}
const texts = (from: number, count: number) => Array.from({ length: count }, (_, index) => `select ${from + index}`)

describe('the stored answers of a cache', () => {
  it('have at most two million cells in all, and drop the longest unused first', async () => {
    const large = wide(2_000, 100)
    const { ask, asked } = answering(() => large)
    const first = texts(0, 10)
    for (const text of first) await ask(text)
    for (const text of first) expect(await ask(text)).toBe(large)
    expect(asked()).toEqual(first)
    // The first one is used again, so the second one is the longest unused.
    await ask('select 0')
    await ask('select 10')
    expect(asked()).toEqual(['select 10'])
    for (const text of ['select 0', ...texts(2, 9)]) await ask(text)
    expect(asked()).toEqual([])
    await ask('select 1')
    expect(asked()).toEqual(['select 1'])
  })

  it('have at most 500 statements, however small, and no answer of more than 2,000 rows', async () => {
    const { ask, asked } = answering((text) => (text === 'many' ? wide(2_001, 1) : wide(1, 1)))
    for (const text of texts(0, 501)) await ask(text)
    for (const text of texts(1, 500)) await ask(text)
    expect(asked()).toEqual(texts(0, 501))
    await ask('many')
    await ask('many')
    await ask('select 0')
    expect(asked()).toEqual(['many', 'many', 'select 0'])
  })
})

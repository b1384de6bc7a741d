import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createPace,
  eachInSlices,
  flatMapInSlices,
  inSlices,
  mapInSlices,
  SLICE_MS,
  sortInSlices,
} from '../../src/core/slices.ts'
import { writeLargeBody } from '../../src/facades/http/large-answers.ts'
import { piecesOf, renderCsv, renderJson } from '../../src/facades/presentation/render.ts'

const spin = (milliseconds: number) => {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

describe('long work in slices', () => {
  it('comes to what it would come to at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.nat()), { maxLength: 3_000, size: 'max' }),
        async (items) => {
          const compare = (a: readonly number[], b: readonly number[]) => (a[0] ?? 0) - (b[0] ?? 0)
          expect(await sortInSlices(items, compare)).toEqual(items.toSorted(compare))
          expect(await mapInSlices(items, ([a], index) => a + index)).toEqual(items.map(([a], index) => a + index))
          expect(await flatMapInSlices(items, (item) => item)).toEqual(items.flat())
          const seen: unknown[] = []
          for await (const item of inSlices(items)) seen.push(item)
          expect(seen).toEqual(items)
        },
      ),
      { numRuns: 20 },
    )
  })

  it('lets others have the thread, one slice of all works a turn', async () => {
    let turns = 0
    let isDone = false
    const watch = () => {
      turns += 1
      if (!isDone) setImmediate(watch)
    }
    watch()
    const works = 6
    const items = Array.from({ length: 320 })
    await Promise.all(Array.from({ length: works }, () => eachInSlices(items, () => spin(SLICE_MS / 16))))
    isDone = true
    // A slice is over once it has taken its time: 32 items of a sixteenth are two of them.
    const least = (works * items.length) / 32
    expect(turns).toBeGreaterThan(least / 2)
  })

  it('waits for nothing as long as it is short', () => {
    expect(createPace()()).toBeUndefined()
  })
})

describe('a body in pieces', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.constant(null),
    fc.boolean(),
    fc.array(fc.string(), { maxLength: 2 }),
    fc.constant('=x'),
  )
  const rows = fc
    .tuple(fc.array(fc.record({ a: cell, b: cell }), { maxLength: 4 }), fc.integer({ min: 0, max: 500 }))
    .map(([some, times]) => Array.from({ length: times }, () => some).flat())

  it('has the bytes of the whole', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom('rows', 'page'), async (data, kind) => {
        const answer = {
          data: kind === 'rows' ? data : { total: data.length, limit: 1, none: undefined, rows: data, after: 'x' },
          kind,
          columns: ['a', 'b'],
        } as const
        const texts = { json: renderJson(answer.data), csv: renderCsv(answer as never) }
        for (const format of ['json', 'csv'] as const) {
          const body = await writeLargeBody(piecesOf(answer as never, format))
          let ends = 0
          const sent = await new Response(body.stream(() => (ends += 1))).arrayBuffer()
          expect(Buffer.from(sent).equals(Buffer.from(texts[format]))).toBe(true)
          expect([sent.byteLength, ends]).toEqual([body.bytes, 1])
        }
      }),
      { numRuns: 30 },
    )
  })

  it.each([
    [{ data: {}, kind: 'object' }],
    [{ data: 5, kind: 'scalar' }],
    [{ data: {}, kind: 'page' }],
    [{ data: [], kind: 'rows' }],
  ])('%j too', async (given) => {
    const answer = { ...given, columns: ['value'] } as never
    const pieces: string[] = []
    for await (const piece of piecesOf(answer, 'json')) pieces.push(piece)
    expect(pieces.join('')).toBe(JSON.stringify(given.data))
  })
})

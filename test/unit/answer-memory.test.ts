import { describe, expect, it } from 'vitest'
import type { Answer } from '../../src/execution/answer/answer.ts'
import { bodiesOf } from '../../src/execution/answer/bodies.ts'
import { createAnswerMemory, type MadeFrom } from '../../src/execution/answer/memory.ts'
import { watched } from '../../src/execution/session/watched-store.ts'

const MARK = { from: '2026-03-31 12:00:00.999999', to: '2026-04-10 00:00:00' }
const FROM: MadeFrom = {
  mark: MARK,
  now: new Date('2026-03-31T12:00:00Z'),
  store: 'first',
  data_through: '2026-03-31T12:00:00.000Z',
  lagging: [],
}

function answerOf(data: unknown, columns: readonly string[] = ['value']): Answer {
  const amounts = { unit: 'cents', currency: 'USD' } as const
  const meta = { definitions: 'd', warnings: [], base_currency: 'USD', fields: [], amounts, data_through: FROM.data_through }
  return { data, kind: Array.isArray(data) ? 'rows' : 'object', columns, meta }
}

function held(readsStore = false, data: unknown = { value: 1 }) {
  const memory = createAnswerMemory()
  memory.keep('question', { ...FROM, answer: answerOf(data), readsStore })
  return memory
}

describe('the memory of answers', () => {
  it.each([
    ['the same state', FROM, true],
    ['a later second', { ...FROM, now: new Date('2026-03-31T13:00:00Z') }, true],
    ['a second before the mark', { ...FROM, now: new Date('2026-03-31T11:59:59Z') }, false],
    ['the last second of the day', { ...FROM, now: new Date('2026-03-31T23:59:59Z') }, false],
    ['the next day', { ...FROM, now: new Date('2026-04-01T00:00:00Z') }, false],
    ['another mark of the same time', { ...FROM, mark: { ...MARK } }, false],
    ['another store, which it did not read', { ...FROM, store: 'second' }, true],
  ])('knows an answer in %s: %#', (_, from, isKnown) => {
    expect(held().recall('question', from) !== undefined).toBe(isKnown)
  })

  it.each([
    ['first', true],
    ['second', false],
    [undefined, false],
  ])('knows an answer that read the store only in the same state of it: %s', (store, isKnown) => {
    expect(held(true).recall('question', { ...FROM, store }) !== undefined).toBe(isKnown)
  })

  it('does not keep an answer from a state before its mark', () => {
    const memory = createAnswerMemory()
    memory.keep('question', { ...FROM, now: new Date('2026-03-31T11:00:00Z'), answer: answerOf(1), readsStore: false })
    expect(memory.recall('question', FROM)).toBeUndefined()
  })

  it('gives each request its own warnings about the replica, and its own data_through', () => {
    const lagging = [{ code: 'replica_lagging', message: 'behind' }] as const
    const data_through = '2026-03-31T12:00:05.000Z'
    const memory = held(false, { value: 1, data_through: FROM.data_through })
    const answer = memory.recall('question', { ...FROM, lagging, data_through })
    expect(answer?.data).toEqual({ value: 1, data_through })
    expect(answer?.meta).toMatchObject({ warnings: lagging, data_through })
    // Its body is another one.
    expect(answer && bodiesOf(answer)).toBeUndefined()
    expect(memory.recall('question', FROM)?.data).toEqual({ value: 1, data_through: FROM.data_through })
  })

  it('holds no more than its bytes, with the bodies, and no large answers', () => {
    const memory = createAnswerMemory(100_000)
    const rows = Array.from({ length: 100 }, (_, value) => ({ value }))
    for (let index = 0; index < 50; index += 1) {
      memory.keep(`question ${index}`, { ...FROM, answer: answerOf(rows), readsStore: false })
      const answer = memory.recall(`question ${index}`, FROM)
      if (answer) bodiesOf(answer)?.set('json', { bytes: new Uint8Array(20_000), etag: '"e"' })
      expect(memory.bytes()).toBeLessThanOrEqual(100_000)
    }
    expect(memory.recall('question 0', FROM)).toBeUndefined()
    expect(memory.recall('question 49', FROM)).toBeDefined()
    const many = Array.from({ length: 5_001 }, (_, value) => ({ value }))
    memory.keep('large', { ...FROM, answer: answerOf(many), readsStore: false })
    expect(memory.recall('large', FROM)).toBeUndefined()
  })
})

describe('a watched object', () => {
  it('tells of asynchronous calls at any depth, and of no others', async () => {
    let used = 0
    const plain = { enabled: true, rates: { list: async () => [1] }, inWorkspace: (name: string) => ({ read: async () => name }) }
    const store = watched(plain, () => {
      used += 1
    })
    expect([store.enabled, used]).toEqual([true, 0])
    const { read } = { ...store.inWorkspace('alpha') }
    expect(used).toBe(0)
    expect([await read(), used]).toEqual(['alpha', 1])
    expect([await store.rates.list(), used]).toEqual([[1], 2])
  })
})

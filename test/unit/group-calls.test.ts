import { expect, it } from 'vitest'
import { groupCalls } from '../../src/core/batches.ts'

it('runs together what comes while a batch runs, and each call once', async () => {
  const batches: number[][] = []
  const call = groupCalls<number>(async (items) => {
    batches.push([...items])
    await new Promise((wake) => setTimeout(wake, 5))
  }, 3)
  await Promise.all([1, 2, 3, 4, 5, 6].map(call))
  expect(batches).toEqual([[1], [2, 3, 4], [5, 6]])
  await call(7)
  expect(batches.at(-1)).toEqual([7])
})

it('gives each call the error of its own item only', async () => {
  const done: number[] = []
  const call = groupCalls<number>(async (items) => {
    if (items.includes(2)) throw new Error('two')
    done.push(...items)
  }, 10)
  const results = await Promise.allSettled([0, 1, 2, 3].map(call))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(done).toEqual([0, 1, 3])
})

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { inParallel } from '../../src/cache/lake/in-parallel.ts'

const WORKS = [
  { table: 'a', after: [] },
  { table: 'b', after: ['a'] },
  { table: 'c', after: [] },
  { table: 'd', after: ['b', 'c'] },
  { table: 'e', after: [] },
]

it('does each work once, after those that it needs, and no more at a time than allowed', async () => {
  for (const most of [1, 2, 10]) {
    const done: string[] = []
    let [running, highest] = [0, 0]
    await inParallel(WORKS, most, async ({ table, after }) => {
      expect(after.filter((needed) => !done.includes(needed))).toEqual([])
      running += 1
      highest = Math.max(highest, running)
      await sleep(2)
      running -= 1
      done.push(table)
    })
    expect([...done].sort()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(highest).toBe(Math.min(most, 3))
  }
})

it('ends with the first failure, when the works that run have ended, and begins no other', async () => {
  const seen: string[] = []
  const work = async ({ table }: { readonly table: string }) => {
    seen.push(`${table} begins`)
    await sleep(table === 'a' ? 1 : 20)
    if (table === 'a') throw new Error('a fails')
    seen.push(`${table} ends`)
  }
  await expect(inParallel(WORKS, 2, work)).rejects.toThrow('a fails')
  expect(seen).toEqual(['a begins', 'c begins', 'c ends'])
})

import { expect, it } from 'vitest'
import { createLinkVisits } from '../../src/facades/http/link-visits.ts'

const MINUTE = 60_000

it('counts the openings of each link for a minute', () => {
  let now = 0
  const visits = createLinkVisits(() => now)
  for (let times = 0; times < 60; times++) visits.count('a')
  expect(() => visits.count('a')).toThrow('60 times a minute')
  expect(() => visits.count('b')).not.toThrow()
  now = MINUTE
  expect(() => visits.count('a')).not.toThrow()
})

it('asks once a minute for the same question, and again for another one', async () => {
  let now = 0
  let asked = 0
  const visits = createLinkVisits(() => now)
  const answer = (id: string, question: string) => visits.answer(id, question, async () => ++asked)
  expect(await Promise.all([answer('a', 'x'), answer('a', 'x')])).toEqual([1, 1])
  expect(await answer('b', 'x')).toBe(2)
  now = MINUTE - 1
  expect(await answer('a', 'x')).toBe(1)
  expect(await answer('a', 'y')).toBe(3)
  now = 2 * MINUTE
  expect(await answer('a', 'y')).toBe(4)
})

it('keeps no failure', async () => {
  const visits = createLinkVisits(() => 0)
  await expect(visits.answer('a', 'x', () => Promise.reject(new Error('down')))).rejects.toThrow('down')
  expect(await visits.answer('a', 'x', async () => 'up')).toBe('up')
})

it('remembers only as many links as it may', async () => {
  const visits = createLinkVisits(() => 0)
  let asked = 0
  for (let link = 0; link <= 1_000; link++) await visits.answer(String(link), 'x', async () => ++asked)
  // The oldest is forgotten, the newest is not.
  expect(await visits.answer('1000', 'x', async () => 'again')).toBe(1_001)
  expect(await visits.answer('0', 'x', async () => 'again')).toBe('again')
})

import { expect, it } from 'vitest'
import { originText } from '../../src/facades/cli/origin-text.ts'

it('names both reasons for an answer of the database, and one reason once', () => {
  const alone = 'no service has a cache for this configuration'
  expect(originText({ source: 'replica', alone, isStored: false, unstored: 'it is more than a day old' })).toBe(
    `Answered straight from the database; no service answered: ${alone}; the cache on disk was not used: it is more than a day old.`,
  )
  const none = 'cache.directory is none'
  expect(originText({ source: 'replica', alone: none, isStored: false, unstored: none })).toBe(
    `Answered straight from the database; no service answered: ${none}.`,
  )
})

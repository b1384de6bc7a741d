import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shapeFault } from '../../src/core/json.ts'
import { serviceOver } from '../http/recording-engine.ts'

const faultOf = (text: string) => shapeFault(new TextEncoder().encode(text))
const names = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join()}}`

describe('the shape of a JSON body', () => {
  it.each([
    ['depth', `${'['.repeat(65)}1${']'.repeat(65)}`, 'The body is nested deeper than 64 levels.'],
    ['names', `{"spec":${names(1_001)},"x":1}`, 'An object of the body has 1001 names; the limit is 1000.'],
    ['values', `[${'1,'.repeat(30_000)}1]`, 'The body has 30002 values; the limit is 30000.'],
    ['lists', `[${'[],'.repeat(20_000)}1]`, 'The body has 40002 values; the limit is 30000.'],
  ])('has a limit: %s', (_, text, fault) => {
    JSON.parse(text)
    expect(faultOf(text)).toBe(fault)
  })

  it.each([
    ['depth', `${'['.repeat(64)}1${']'.repeat(64)}`],
    ['names', `[${names(1_000)},${names(1_000)}]`],
    ['values', `[${'1,'.repeat(20_000)}1]`],
    ['text', JSON.stringify({ name: `${'['.repeat(100)}"\\${'{,:'.repeat(30_000)}` })],
  ])('may be as large as the limit: %s', (_, text) => {
    JSON.parse(text)
    expect(faultOf(text)).toBeUndefined()
  })

  it('is no fault of any small value', () => {
    fc.assert(fc.property(fc.json({ maxDepth: 8 }), (text) => faultOf(text) === undefined))
  })

  it.each([
    ['brackets', '['.repeat(500_000)],
    ['objects', '{"spec":'.repeat(100_000)],
    ['names', `{"spec":${names(50_000)},`],
    ['values', `{"spec":{"dimensions":[${'"p",'.repeat(90_000)}`],
  ])('is judged before anything is made of it, so also of half a body: %s', async (_, body) => {
    const { app } = serviceOver({})
    const response = await app.request('/api/metrics/mrr', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect([response.status, await response.json()]).toMatchObject([422, { code: 'validation_failed' }])
  })
})

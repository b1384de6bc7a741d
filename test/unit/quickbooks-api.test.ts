import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isReconnectNeeded } from '../../src/ports/accounting.ts'
import { backfilled, connected, PATIENT } from '../support/product/intuit/connected-platform.ts'
import type { Trouble } from '../support/product/intuit/faults.ts'
import { type Intuit, startIntuit } from '../support/product/intuit/server.ts'

const BILL = { entity: 'Bill', entity_id: '25', operation: 'update' }
const READ = /\/bill\/25/

let intuit: Intuit
beforeEach(async () => {
  intuit = await startIntuit()
  intuit.company('4620').put('Bill', { Id: '25', TxnDate: '2026-01-02', TotalAmt: 10, Balance: 10, Line: [] })
})
afterEach(() => intuit.stop())

const reads = () => intuit.requests.filter((path) => READ.test(path)).length

describe('a passing trouble is tried again', () => {
  it.each<[string, Trouble]>([
    ['500', { kind: 'status', status: 500 }],
    ['503', { kind: 'status', status: 503 }],
    ['429 that says when', { kind: 'status', status: 429, headers: { 'retry-after': '0' } }],
    ['429 that does not', { kind: 'status', status: 429 }],
    ['an answer that is cut off', { kind: 'cut' }],
    ['a connection that ends', { kind: 'drop' }],
    ['a page of a proxy', { kind: 'page' }],
    ['an answer that takes too long', { kind: 'slow', milliseconds: 5000 }],
  ])('%s', async (_name, trouble) => {
    const { connector } = await connected(intuit, { pacing: { requestMs: 200 } })
    intuit.troubles.add(trouble, { matching: READ, times: 2 })
    expect(await connector.fetchAndTranslate(BILL, PATIENT)).toMatchObject([{ external_id: '25', total_cents: 1000 }])
    expect(reads()).toBe(3)
  })

  it('but not for ever, and the error says what it was', async () => {
    const { connector } = await connected(intuit, { pacing: { retries: 2 } })
    intuit.troubles.add({ kind: 'status', status: 502 }, { matching: READ, times: 9 })
    await expect(connector.fetchAndTranslate(BILL, PATIENT)).rejects.toMatchObject({
      code: 'connector_unavailable',
      message: 'QuickBooks did not answer: status 502.',
    })
    expect(reads()).toBe(3)
  })

  it('and not once the caller has left', async () => {
    const { connector } = await connected(intuit)
    intuit.troubles.add({ kind: 'slow', milliseconds: 5000 }, { matching: READ, times: 9 })
    await expect(connector.fetchAndTranslate(BILL, AbortSignal.timeout(100))).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(reads()).toBe(1)
  })
})

describe('a refusal', () => {
  it('of the token is answered by a new one, once', async () => {
    const { connector } = await connected(intuit)
    await connector.fetchAndTranslate(BILL, PATIENT)
    intuit.troubles.add({ kind: 'status', status: 401 }, { matching: READ, times: 2 })
    const error = await connector.fetchAndTranslate(BILL, PATIENT).catch((failure: unknown) => failure)
    expect(error).toMatchObject({ message: 'QuickBooks refuses the access token, also a new one.' })
    expect(isReconnectNeeded(error)).toBe(false)
    expect(reads()).toBe(3)
    expect(await connector.fetchAndTranslate(BILL, PATIENT)).toHaveLength(1)
  })

  it('for good is not tried again and cites Intuit’s words', async () => {
    const { connector } = await connected(intuit)
    intuit.troubles.add({ kind: 'status', status: 403 }, { matching: READ })
    await expect(connector.fetchAndTranslate(BILL, PATIENT)).rejects.toMatchObject({
      message: 'QuickBooks refused a request with status 403 (intuit_tid 1-double).',
    })
    expect(reads()).toBe(1)
    await expect(
      connector.backfill({ since: "2026' or", progress: null, signal: PATIENT })[Symbol.asyncIterator]().next(),
    ).rejects.toMatchObject({
      code: 'invalid_value',
    })
  })

  it('because the record is gone (610) says that it was deleted', async () => {
    intuit.company('4620').remove('Bill', '25')
    const { connector } = await connected(intuit)
    const [gone] = await connector.fetchAndTranslate({ ...BILL, operation: 'delete' }, PATIENT)
    expect(gone).toEqual({ kind: 'bill', external_id: '25', updated_at: expect.stringMatching(/^\d{4}-.*Z$/) })
  })

  it('because the record is not there (610) says nothing where it was not said to be deleted', async () => {
    intuit.company('4620').remove('Bill', '25')
    const { connector } = await connected(intuit)
    for (const operation of ['create', 'update', 'void', 'merge'])
      expect(await connector.fetchAndTranslate({ ...BILL, operation }, PATIENT)).toEqual([])
  })

  it('kinds of record that are not kept are not asked for', async () => {
    const { connector } = await connected(intuit)
    const before = [...intuit.requests]
    expect(await connector.fetchAndTranslate({ ...BILL, entity: 'Invoice' }, PATIENT)).toEqual([])
    expect(intuit.requests).toEqual(before)
  })
})

describe('Intuit’s limits', () => {
  it('ten at a time', async () => {
    const slow = await startIntuit({ answerMs: 20 })
    try {
      slow.company('4620').put('Bill', { Id: '25', TxnDate: '2026-01-02', TotalAmt: 10, Balance: 10 })
      const { connector } = await connected(slow)
      await Promise.all(Array.from({ length: 60 }, () => connector.fetchAndTranslate(BILL, PATIENT)))
      expect(slow.mostAtOnce()).toBeLessThanOrEqual(10)
      expect(slow.mostAtOnce()).toBeGreaterThan(5)
      // Nothing was refused: 60 reads, and at most as many questions for the company as began together.
      expect(slow.requests.filter((path) => READ.test(path))).toHaveLength(60)
    } finally {
      await slow.stop()
    }
  })

  it('so many within any window, shared by all connections to a company', async () => {
    const { connector, platform, source } = await connected(intuit, { pacing: { perWindow: 10, windowMs: 400 } })
    const other = platform.connect(source)
    const begun = performance.now()
    await Promise.all(
      Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? connector : other).fetchAndTranslate(BILL, PATIENT)),
    )
    expect(performance.now() - begun).toBeGreaterThan(700)
  })

  it('429 lets the whole company wait', async () => {
    const { connector } = await connected(intuit, { pacing: { throttledMs: 300, longestThrottleMs: 300 } })
    await connector.fetchAndTranslate(BILL, PATIENT)
    intuit.troubles.add({ kind: 'status', status: 429 }, { matching: READ })
    const begun = performance.now()
    await connector.fetchAndTranslate(BILL, PATIENT)
    expect(performance.now() - begun).toBeGreaterThan(290)
  })

  it('a wait because of 429 ends as soon as its caller leaves', async () => {
    const { connector } = await connected(intuit, { pacing: { throttledMs: 60_000, longestThrottleMs: 60_000 } })
    intuit.troubles.add({ kind: 'status', status: 429 }, { matching: READ })
    const begun = performance.now()
    await expect(connector.fetchAndTranslate(BILL, AbortSignal.timeout(200))).rejects.toThrow()
    expect(performance.now() - begun).toBeLessThan(5000)
    expect(reads()).toBe(1)
  })

  it('every request names the minor version', async () => {
    const { connector } = await connected(intuit)
    await backfilled(connector)
    expect(intuit.requests.length).toBeGreaterThan(7)
    expect(intuit.requests.filter((path) => !path.includes('minorversion=75'))).toEqual([])
  })
})

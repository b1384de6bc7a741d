import { describe, expect, it } from 'vitest'
import { fillLine, fillLog } from '../../src/app/fill-report.ts'
import type { CacheState } from '../../src/ports/read-through.ts'

const filling = (accounts: number, seconds_left: number | null = null): CacheState => ({
  status: 'filling',
  accounts,
  progress: { rows: accounts * 40, accounts_total: 1_000, share: accounts / 1_000, seconds_left },
})
const READY: CacheState = { status: 'ready', accounts: 1_000 }

describe('the log of a filling', () => {
  it('has a line after two seconds, one every ten seconds, and the end with its time', () => {
    let now = 0
    const lines: unknown[] = []
    const report = fillLog(
      (level, message, fields) => lines.push([level, message.slice(0, 17), fields]),
      () => now,
    )
    const at = (seconds: number, state: CacheState) => {
      now = seconds * 1_000
      report(state)
    }
    at(0, { status: 'filling', accounts: 0 })
    at(1.9, filling(50))
    expect(lines).toEqual([])
    at(2, filling(100))
    at(11, filling(400))
    at(12.5, filling(500, 12))
    at(24.6, READY)
    at(30, READY)
    const fields = (accounts: number, seconds_left?: number) => ({
      accounts,
      accounts_total: 1_000,
      rows: accounts * 40,
      percent: accounts / 10,
      seconds_left,
    })
    expect(lines).toEqual([
      ['info', 'Filling the cache', fields(100)],
      ['info', 'Filling the cache', fields(500, 12)],
      ['info', 'The cache is fill', { accounts: 1_000, seconds: 25 }],
    ])
  })

  it('ends without a line if the filling fails, because the failure has its own', () => {
    const lines: unknown[] = []
    const report = fillLog((...line) => lines.push(line))
    for (const state of [filling(1), { status: 'failed', accounts: 0 } as const, READY]) report(state)
    expect(lines).toEqual([])
  })
})

describe('the line of a filling on a terminal', () => {
  it('is written again and again, and ends with the number of accounts', () => {
    let text = ''
    const show = fillLine((part) => (text += part))
    for (const state of [{ status: 'idle', accounts: 0 } as const, { status: 'filling', accounts: 0 } as const]) show(state)
    for (const state of [filling(430, 9), READY]) show(state)
    expect(text.split('\r\u001b[K')).toEqual([
      '',
      'Filling the cache: 0 accounts',
      'Filling the cache: 430 of 1,000 accounts, 43 %, about 9 s left',
      'Cache ready: 1,000 accounts\n',
    ])
  })

  it('ends with the reason if the filling fails, or names the log', () => {
    let text = ''
    const show = fillLine((part) => (text += part))
    const failed: CacheState = { status: 'failed', accounts: 0 }
    for (const state of [filling(430), failed, { ...failed, reason: 'The disk of the cache is full.' }]) show(state)
    expect(text.split('\r\u001b[K').slice(2)).toEqual([
      'The cache is not used; the log says why.\n',
      'The cache is not used: The disk of the cache is full.\n',
    ])
  })
})

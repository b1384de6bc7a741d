import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { reconnectNeeded } from '../../src/ports/accounting.ts'
import { noChanges } from '../../src/ports/expense-store.ts'
import type { StoredSource, SyncRun } from '../../src/ports/source-store.ts'
import { outcomeOf } from '../../src/workspace/expenses/sources/attempt.ts'
import { dueRun } from '../../src/workspace/expenses/sources/due.ts'

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString()
const DAY = 1_440
const HOURLY = { syncMinutes: 60, changesReachDays: 30 }
const ALL = { kind: 'backfill', since: null }
const CHANGES = { kind: 'changes', since: null }

function source(readTo: string | null, status: StoredSource['status'] = 'connected'): StoredSource {
  const created_at = ago(90 * DAY)
  return { id: 'a', type: 'toy', name: 'a', config: {}, status, created_at, last_synced_at: readTo, cursor: readTo }
}

function run(fields: Partial<SyncRun>): SyncRun {
  const base = { id: 'r', source_id: 'a', kind: 'changes', since: null, status: 'succeeded', started_at: ago(60) } as const
  return {
    ...base,
    finished_at: ago(59),
    counts: noChanges(),
    error: null,
    progress: null,
    held_until: null,
    claim: 'c',
    ...fields,
  }
}

const due = (...[of, last, platform = HOURLY]: [StoredSource, SyncRun?, typeof HOURLY?]) => {
  const found = dueRun(of, last, platform, NOW)
  return found === undefined ? undefined : { kind: found.kind, since: found.since }
}

describe('which run is due', () => {
  it('everything of a source that was never read, changes after the interval, nothing before', () => {
    expect(due(source(null))).toEqual(ALL)
    expect(due(source(ago(59)), run({}))).toBeUndefined()
    expect(due(source(ago(60)), run({}))).toEqual(CHANGES)
    expect(due(source(ago(28 * DAY)))).toEqual(CHANGES)
  })

  it('everything again where changes are listed no longer that far back', () => {
    expect(due(source(ago(29 * DAY)))).toEqual(ALL)
    expect(due(source(ago(300 * DAY)))).toEqual(ALL)
  })

  it('nothing of a source that is not connected, or that another process reads', () => {
    expect(due(source(null, 'needs_reconnect'))).toBeUndefined()
    expect(due(source(null, 'disconnected'))).toBeUndefined()
    expect(due(source(ago(300)), run({ status: 'running', held_until: ago(-1) }))).toBeUndefined()
  })

  it('a reading that was cut off, at once and with the same beginning, even where nothing is read by the clock', () => {
    const cutOff = run({ kind: 'backfill', since: '2026-01-01', status: 'running', held_until: ago(1) })
    expect(due(source(null), cutOff)).toEqual({ kind: 'backfill', since: '2026-01-01' })
    expect(due(source(null), cutOff, { ...HOURLY, syncMinutes: 0 })).toEqual({ kind: 'backfill', since: '2026-01-01' })
    expect(due(source(null), undefined, { ...HOURLY, syncMinutes: 0 })).toBeUndefined()
  })

  it('a failed reading, after a pause', () => {
    const failed = (minutes: number) => run({ status: 'failed', finished_at: ago(minutes) })
    expect(due(source(ago(120)), failed(9))).toBeUndefined()
    expect(due(source(ago(120)), failed(10))).toEqual(CHANGES)
  })
})

describe('the outcome of a failed attempt', () => {
  const failure = new AppError('connector_unavailable', 'no answer')

  it('waits longer and longer, then is a dead letter', () => {
    const waits = [0, 1, 2, 3, 4].map((attempts) => {
      const outcome = outcomeOf(failure, attempts)
      if (outcome.kind !== 'later') throw new Error(outcome.kind)
      expect(outcome.error).toBe('connector_unavailable: no answer')
      return Math.round((Date.parse(outcome.at) - Date.now()) / 60_000)
    })
    expect(waits).toEqual([1, 5, 30, 120, 720])
    expect(outcomeOf(failure, 5)).toEqual({ kind: 'dead', error: 'connector_unavailable: no answer' })
  })

  it('is given up at once where nothing can change, and waits uncounted for a new consent', () => {
    expect(outcomeOf(new AppError('canonical_enum_violation', 'x'), 0).kind).toBe('dead')
    expect(outcomeOf(reconnectNeeded('x'), 5)).toEqual({ kind: 'released' })
  })

  it('keeps no text of a foreign error', () => {
    expect(JSON.stringify(outcomeOf(new Error('password hunter2'), 0))).not.toContain('hunter2')
  })
})

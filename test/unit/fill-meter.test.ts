import { describe, expect, it } from 'vitest'
import { createFillMeter } from '../../src/mirror/fill-meter.ts'

describe('the meter of a filling', () => {
  it('knows nothing at first', () => {
    expect(createFillMeter().read()).toEqual({ rows: 0, accounts_total: null, share: null, seconds_left: null })
  })

  it('adds up rows, and estimates the rest from the share that is done', () => {
    let now = 5_000
    const meter = createFillMeter(() => now)
    meter.total(400)
    meter.rows(1_000)
    meter.rows(500)
    meter.done(0.25)
    expect(meter.read()).toEqual({ rows: 1_500, accounts_total: 400, share: 0.25, seconds_left: null })
    now += 4_000
    expect(meter.read().seconds_left).toBe(12)
    meter.done(0.5)
    expect(meter.read().seconds_left).toBe(4)
    meter.done(1)
    expect(meter.read().seconds_left).toBe(0)
  })

  it('never runs backwards and never beyond the end', () => {
    const meter = createFillMeter()
    meter.done(0.5)
    meter.done(0.2)
    expect(meter.read().share).toBe(0.5)
    meter.done(7)
    expect(meter.read().share).toBe(1)
  })
})

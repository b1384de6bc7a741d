import { describe, expect, it } from 'vitest'
import { createFillMeter } from '../../src/cache/mirror/fill-meter.ts'

describe('the meter of a filling', () => {
  it('knows no share before the customers are counted, and without customers', () => {
    const measure = createFillMeter()
    const unknown = { share: null, seconds_left: null }
    expect(measure({ customers: 0, of: null, rows: 10 })).toEqual({ rows: 10, accounts_total: null, ...unknown })
    expect(measure({ customers: 0, of: 0, rows: 0 })).toEqual({ rows: 0, accounts_total: 0, ...unknown })
  })

  it('takes a share that is given, and estimates nothing from it', () => {
    let now = 0
    const measure = createFillMeter(() => now)
    now += 10_000
    expect(measure({ customers: 0, of: 400, rows: 70, share: 0.5 })).toEqual({
      rows: 70,
      accounts_total: 400,
      share: 0.5,
      seconds_left: null,
    })
  })

  it('estimates the rest from the share that is done, as soon as that is no guess', () => {
    let now = 5_000
    const measure = createFillMeter(() => now)
    const after = (customers: number) => measure({ customers, of: 400, rows: 0 })
    expect(after(100)).toMatchObject({ share: 0.25, seconds_left: null })
    now += 4_000
    expect(after(4)).toMatchObject({ share: 0.01, seconds_left: null })
    expect(after(100)).toMatchObject({ share: 0.25, seconds_left: 12 })
    expect(after(200)).toMatchObject({ share: 0.5, seconds_left: 4 })
    expect(after(400)).toMatchObject({ share: 1, seconds_left: 0 })
    // A customer may appear while the cache is filled.
    expect(after(401)).toMatchObject({ share: 1, seconds_left: 0 })
  })
})

import { expect, it } from 'vitest'
import { fixedClock } from '../../src/core/clock.ts'
import { viewerOfOwn } from '../../src/core/workspace.ts'
import { dashboardAccess } from '../../src/workspace/dashboards/bodies.ts'

const clock = fixedClock(new Date('2026-01-01T00:00:00Z'))
const writeClock = fixedClock(new Date('2026-01-02T12:00:00Z'))
const nowOf = (clocks: { readonly writeClock?: typeof clock }) =>
  dashboardAccess(
    { store: null, connector: {} as never, clock, ...clocks },
    () => Promise.reject(new Error('not asked')),
    viewerOfOwn('user'),
  ).now()

it('times of written rows are those of the clock, or of the machine if answers are as of another instant', () => {
  expect(nowOf({})).toBe('2026-01-01T00:00:00.000Z')
  expect(nowOf({ writeClock })).toBe('2026-01-02T12:00:00.000Z')
})

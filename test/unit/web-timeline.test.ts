import { expect, it } from 'vitest'
import { leftOutOf } from '../../src/web/pages/timeline-limits.ts'

it.each([
  [{ listed: 1 }, { listed: 1, total: 1 }, undefined],
  [{ listed: 1 }, { listed: 0 }, undefined],
  [{ listed: 2 }, { listed: 2, total: 2 }, 'Showing only the 2 largest movements.'],
  [{ listed: 1 }, { listed: 2, total: 3 }, 'Showing only the 2 newest of 3 invoices.'],
  [{ listed: 2 }, { listed: 2, total: 40 }, 'Showing only the 2 largest movements and the 2 newest of 40 invoices.'],
])('a timeline of at most two says what it leaves out: %j %j', (movements, invoices, told) => {
  expect(leftOutOf(2, movements, invoices)).toBe(told)
})

import { expect, it } from 'vitest'
import { foldTables } from '../support/fold-tables.ts'
import { GENERATED_RATES, generatedHistory } from '../support/generated-history.ts'

it('generated histories hold every status, reason, type of movement and billing period', () => {
  const rows = generatedHistory(20260101, 100)
  const tables = (name: string) => rows[name] ?? []
  const customers = foldTables(tables, { now: '2025-01-15 00:00:00', base_currency: 'USD', rates: GENERATED_RATES })
  const spans = customers.flatMap((customer) => customer.spans)
  const movements = customers.flatMap((customer) => customer.movements)
  const distinct = (cells: readonly unknown[]) => [...new Set(cells)].sort()
  expect(distinct(spans.map((span) => span.status))).toEqual(['active', 'paused', 'trialing'])
  expect(distinct(spans.map((span) => span.start_reason))).toEqual([
    'bundle_transfer',
    'overdue',
    'pause',
    'phase',
    'plan',
    'price',
    'quantity',
    'resume',
    'start',
    'usage',
  ])
  const ends = spans.flatMap((span) => span.end_reason ?? [])
  expect(distinct(ends)).toEqual(['base_end', 'bundle_transfer', 'cancel', 'expiry'])
  const types = movements.map((movement) => movement.movement_type)
  expect(distinct(types)).toEqual(['churn', 'contraction', 'expansion', 'new', 'reactivation'])
  expect(movements.filter((movement) => movement.is_swap).length).toBeGreaterThan(0)
  expect(spans.filter((span) => span.is_unpriced).length).toBeGreaterThan(10)
  expect(new Set(spans.map((span) => span.plan).filter((plan) => /^p-[a-z]+$/.test(plan))).size).toBe(16)
  expect(distinct(spans.map((span) => span.plan).filter((plan) => /\d$/.test(plan)))).toEqual([
    'p-monthly-1',
    'p-monthly:1',
    'phased-2',
    'year-2024',
  ])
})

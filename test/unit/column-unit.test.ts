import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { isAmount } from '../../src/core/amount.ts'
import { NO_AMOUNTS, unitOf } from '../../src/core/column-unit.ts'
import { BUILT_IN_METRICS } from '../../src/metrics/built-in.ts'
import { measureOf } from '../../src/metrics/columns.ts'

const FRACTIONS = [
  'conversion_rate',
  'decided_conversion_rate',
  'gross_margin',
  'gross_retention_rate',
  'grr',
  'logo_churn_rate',
  'net_retention_rate',
  'nrr',
  'operating_margin',
  'retention_rate',
  'revenue_churn_rate',
  'trial_conversion_rate',
]

describe('the unit of a column', () => {
  it('is known for every measure that is neither an amount nor a count', () => {
    const shapes = BUILT_IN_METRICS.flatMap(({ queries }) =>
      Object.values(queries).flatMap(({ plain, row, series_row }) => [plain, row, series_row]),
    )
    const columns = shapes.flatMap((shape) => (shape instanceof z.ZodObject ? Object.entries(shape.shape) : []))
    const numbers = columns.filter(([, schema]) => measureOf(schema as z.ZodType) !== undefined && !isAmount(schema as z.ZodType))
    const others = [...new Set(numbers.map(([name]) => name))].sort()
    expect(others.length).toBeGreaterThan(20)
    const of = (unit: string) => others.filter((name) => unitOf(name, NO_AMOUNTS) === unit)
    expect(of('fraction')).toEqual(FRACTIONS)
    expect(of('ratio')).toEqual(['quick_ratio'])
  })

  it('of a comparison is that of its measure', () => {
    expect(unitOf('previous_quick_ratio', NO_AMOUNTS)).toBe('ratio')
    expect(unitOf('change_logo_churn_rate', NO_AMOUNTS)).toBe('fraction')
    expect(unitOf('change_gross_margin', NO_AMOUNTS)).toBe('fraction')
    expect(unitOf('change_rate', NO_AMOUNTS)).toBe('fraction')
    expect(unitOf('change_churn_count', NO_AMOUNTS)).toBe('count')
    expect(unitOf('attr.win_rate', NO_AMOUNTS)).toBe('count')
  })
})

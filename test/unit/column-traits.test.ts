import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { traitsOf } from '../../src/core/column.ts'
import { BUILT_IN_METRICS } from '../../src/metrics/built-in.ts'
import { measureOf } from '../../src/metrics/columns.ts'
import { unitOf } from '../../src/web/format/traits.ts'

const FRACTIONS = [
  'conversion_rate',
  'decided_conversion_rate',
  'gross_margin',
  'gross_retention_rate',
  'grr',
  'grr_12_months',
  'involuntary_mrr_share',
  'involuntary_share',
  'logo_churn_rate',
  'net_retention_rate',
  'nrr',
  'nrr_12_months',
  'operating_margin',
  'recovery_rate',
  'retention_rate',
  'revenue_churn_rate',
  'trial_conversion_rate',
]

/** The measures of all queries, by name. */
const measures = BUILT_IN_METRICS.flatMap(({ queries }) =>
  Object.values(queries).flatMap(({ plain, row, series_row }) =>
    [plain, row, series_row].flatMap((shape) =>
      shape instanceof z.ZodObject
        ? Object.entries(shape.shape).flatMap(([name, schema]) =>
            measureOf(schema as z.ZodType) === undefined ? [] : [{ name, ...traitsOf(schema as z.ZodType) }],
          )
        : [],
    ),
  ),
)

describe('the unit of a column', () => {
  it('is declared for every measure, and the same in every answer', () => {
    expect(measures.filter(({ unit }) => unit === undefined)).toEqual([])
    expect(measures.length).toBeGreaterThan(100)
    const namesOf = (own: string) => [...new Set(measures.flatMap(({ name, unit }) => (unit === own ? [name] : [])))].sort()
    expect(namesOf('fraction')).toEqual(FRACTIONS)
    expect(namesOf('ratio')).toEqual(['quick_ratio'])
    expect(measures.filter(({ name, unit }) => unitOf(name) !== unit)).toEqual([])
  })

  it('of a comparison is that of its measure', () => {
    expect(unitOf('previous_quick_ratio')).toBe('ratio')
    expect(unitOf('change_logo_churn_rate')).toBe('fraction')
    expect(unitOf('change_gross_margin')).toBe('fraction')
    expect(unitOf('change_rate')).toBe('fraction')
    expect(unitOf('change_churn_count')).toBe('count')
    expect(unitOf('attr.win_rate')).toBe('count')
  })
})

describe('the sum of a column', () => {
  it('is declared for every measure', () => {
    expect(measures.filter(({ adds }) => adds === undefined)).toEqual([])
  })

  it('never exists for quotients, and never for shared sums', () => {
    const adding = (name: string) => new Set(measures.flatMap((one) => (one.name === name ? [one.adds] : [])))
    expect(measures.filter(({ unit, adds }) => (unit === 'fraction' || unit === 'ratio') && adds !== 'never')).toEqual([])
    expect(adding('active_at_start')).toEqual(new Set(['never']))
    expect(adding('amount_base')).toEqual(new Set(['groups_and_periods']))
    // A later period counts the same MRR again.
    expect(adding('mrr')).toEqual(new Set(['groups']))
    // Groups by a reason share the MRR at the start, groups of the start cohort do not.
    expect(adding('start_mrr')).toEqual(new Set(['groups', 'never']))
  })

  it('is one for each name: the page knows a column by its name, and takes the strictest rule', () => {
    const rules = new Map<string, Set<unknown>>()
    for (const { name, adds } of measures) rules.set(name, new Set([...(rules.get(name) ?? []), adds]))
    const several = [...rules].flatMap(([name, { size }]) => (size > 1 ? [name] : []))
    expect(several.sort()).toEqual(['active_customers', 'adjusted', 'start_mrr'])
  })
})

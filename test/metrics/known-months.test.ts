import { describe, expect, it } from 'vitest'
import { fullMonths } from '../../src/metrics/readings/fraction.ts'
import { knownMonths } from '../../src/metrics/readings/periods.ts'
import { rangeOf } from '../../src/query/timeframe.ts'
import { emptyEmbedded, exampleEngine } from '../support/product/example-engine.ts'

const NOW = new Date('2025-06-05T10:00:00Z')
const range = (start: string) => rangeOf(start, '9999-12-31', undefined, NOW)

describe('a range that begins before all facts', () => {
  it('has no more months than one that begins in 1900', () => {
    expect(knownMonths(range('0001-01-01'))).toEqual(knownMonths(range('1900-01-01')))
    expect(fullMonths(range('0001-01-01'), NOW)).toEqual(fullMonths(range('1900-01-01'), NOW))
    expect(fullMonths(range('1900-01-01'), NOW)).toHaveLength(125 * 12 + 5)
    expect(knownMonths(range('2025-05-17')).map(({ period, from }) => [period, from.toISOString()])).toEqual([
      ['2025-05-01', '2025-05-17T00:00:00.000Z'],
      ['2025-06-01', '2025-06-01T00:00:00.000Z'],
    ])
    expect(knownMonths(rangeOf('0001-01-01', '1899-12-31', undefined, NOW))).toEqual([])
  })

  it.each(['retention.cohort_matrix', 'ltv.simple', 'summary.headline'])('has the same answer: %s', async (name) => {
    const { executor } = await emptyEmbedded()
    const engine = exampleEngine(executor())
    const [metric = '', query_type = ''] = name.split('.')
    const answers = ['0001-01-01', '1900-01-01'].map(
      async (start) => (await engine.query(metric, { query_type, start, end: '9999-12-31' }, {})).data,
    )
    const [first, second] = await Promise.all(answers)
    // The summary says which days it is about.
    const figures = (data: unknown) => JSON.stringify(data).replaceAll('0001-01-01', '1900-01-01')
    expect(figures(first)).toBe(figures(second))
  })
})

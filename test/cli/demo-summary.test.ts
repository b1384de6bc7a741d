import { describe, expect, it } from 'vitest'
import { summaryText } from '../../src/facades/cli/demo-summary.ts'
import { answer, run } from './recording-product.ts'

const series = answer(
  [
    { period: '2025-04-01', mrr: 500_000, amount_base: 500_000 },
    { period: '2025-05-01', mrr: 1_000_000, amount_base: 500_000 },
  ],
  ['period', 'mrr', 'amount_base'],
)
const breakdown = answer(
  [
    { movement_type: 'new', amount_base: 600_000, event_count: 3 },
    { movement_type: 'churn', amount_base: -100_000, event_count: 1 },
  ],
  ['movement_type', 'amount_base', 'event_count'],
)

describe('the summary of the demo', () => {
  it('shows the level, twelve months with bars and the movements', () => {
    const answers = { today: '2025-05-31', mrr: answer(1_000_000, ['mrr']), series, breakdown }
    expect(summaryText(answers, false)).toBe(
      [
        'MRR on 2025-05-31: 10,000.00 USD',
        '',
        'The last twelve months',
        'month    mrr (USD)',
        `2025-04   5,000.00  ${'█'.repeat(16)}`,
        `2025-05  10,000.00  ${'█'.repeat(32)}`,
        '',
        'Movements in 2025-05',
        'movement  amount (USD)  events',
        'new           6,000.00       3',
        'churn        -1,000.00       1',
        '',
      ].join('\n'),
    )
  })

  it('an empty history divides by nothing', () => {
    const empty = { today: '2025-05-31', mrr: answer(0, ['mrr']), series: answer([], []), breakdown: answer([], []) }
    expect(summaryText(empty, false)).toContain('MRR on 2025-05-31: 0.00 USD')
  })

  it('demo --once asks three questions, prints and ends', async () => {
    const outcome = await run(['demo', '--once'], {
      query: (_, params) =>
        Promise.resolve(
          params?.['query_type'] === 'current' ? answer(1, ['mrr']) : params?.['query_type'] === 'series' ? series : breakdown,
        ),
    })
    expect(outcome.code).toBe(0)
    expect(outcome.stdout).toContain('The last twelve months')
    expect(outcome.calls).toEqual([
      ['openDemo', { host: undefined, port: undefined }],
      ['query', 'mrr', { query_type: 'current', at: '2025-05-31' }, undefined],
      ['query', 'mrr', { query_type: 'series', start: '2024-06-01', end: '2025-05-31', interval: 'month' }, undefined],
      ['query', 'mrr', { query_type: 'breakdown', start: '2025-05-01', end: '2025-05-31' }, undefined],
      ['close'],
    ])
  })
})

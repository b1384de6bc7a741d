import { describe, expect, it } from 'vitest'
import { answerText } from '../../src/facades/cli/answer-text.ts'
import { figuresText } from '../../src/facades/cli/commands/summary.ts'
import { answer } from './recording-product.ts'

const lines = (...text: readonly string[]) => `${text.join('\n')}\n`

describe('answers for people', () => {
  it('a single figure has its unit', () => {
    expect(answerText(answer(5572167.5, ['ltv']), false)).toBe('55,721.68 USD\n')
    expect(answerText(answer(0.4, ['logo_churn_rate']), false)).toBe('40.00%\n')
    expect(answerText(answer(1.020809, ['retention_rate']), false)).toBe('102.08%\n')
  })

  it('names the zone of its days unless it is UTC', () => {
    const found = answer([{ period: '2026-10-01', mrr: 100 }], ['period', 'mrr'])
    const text = answerText(found, false)
    expect(text).not.toContain('days of')
    const elsewhere = { ...found, meta: { ...found.meta, time_zone: 'Asia/Kolkata' } }
    expect(answerText(elsewhere, false)).toBe(`${text}(days of Asia/Kolkata)\n`)
    const one = answer(5572167.5, ['ltv'])
    expect(answerText({ ...one, meta: { ...one.meta, time_zone: 'Asia/Kolkata' } }, false)).toBe(
      '55,721.68 USD\n(days of Asia/Kolkata)\n',
    )
  })

  it('the answer says which columns are amounts, whatever their names', () => {
    const fields = [{ name: 'pipeline', label: 'Pipeline', holds: 'amount' as const, description: '' }]
    expect(answerText(answer(123456, ['pipeline'], { fields }), false)).toBe('1,234.56 USD\n')
    expect(answerText(answer(123456, ['mrr'], { fields: [] }), false)).toBe('123,456\n')
  })

  it('rows wider than the terminal have one value a line, and a pipe has no width', () => {
    const rows = [
      { plan_id: 'basic', mrr: 123456, event_count: 3 },
      { plan_id: 'pro', mrr: -5, event_count: 0 },
    ]
    const found = answer(rows, ['plan_id', 'mrr', 'event_count'])
    const table = lines('plan_id  mrr (USD)  event_count', 'basic     1,234.56            3', 'pro          -0.05            0')
    expect(answerText(found, false, 31)).toBe(table)
    expect(answerText(found, false)).toBe(table)
    expect(answerText(found, false, 30)).toBe(
      lines(
        'plan_id      basic',
        'mrr (USD)    1,234.56',
        'event_count  3',
        '',
        'plan_id      pro',
        'mrr (USD)    -0.05',
        'event_count  0',
      ),
    )
  })

  it('columns stay in line whatever names are written in, and none turns its neighbours around', () => {
    const names = ['Ana', '株式会社', 'Zoe\u0301', '🙂 Ltd', 'חברה', 'a\u202eb']
    const rows = names.map((customer_name) => ({ customer_name, mrr: 100 }))
    expect(answerText(answer(rows, ['customer_name', 'mrr']), false)).toBe(
      lines(
        'customer_name  mrr (USD)',
        'Ana                 1.00',
        '株式会社            1.00',
        'Zoe\u0301                 1.00',
        '🙂 Ltd              1.00',
        '\u2068חברה\u2069                1.00',
        'ab                  1.00',
      ),
    )
  })

  it('a series leaves its bars out where they do not fit, and a grouped one has one value a line', () => {
    const series = answer(
      [1, 2].map((mrr) => ({ period: `2026-0${mrr}-01`, mrr: mrr * 100 })),
      ['period', 'mrr'],
    )
    expect(answerText(series, true, 80)).toMatch(/^2026-02-01 +2\.00 {2}█{24}$/m)
    expect(answerText(series, false, 80), 'without colours').toMatch(/^2026-02-01 +2\.00 {2}█{24}$/m)
    expect(answerText(series, true, 40)).not.toContain('█')
    expect(answerText(series, true, 40)).toMatch(/^2026-02-01 +2\.00$/m)
    const groups = ['EUR', 'USD'].flatMap((plan_id) =>
      [1, 2].map((month) => ({ period: `2026-0${month}-01`, plan_id, mrr: month * 1e8 })),
    )
    const grouped = answer(groups, ['period', 'plan_id', 'mrr'])
    const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length))
    expect(answerText(grouped, false, 80)).toMatch(/^period +EUR +USD$/m)
    expect(answerText(grouped, false, 36)).toMatch(/^period +plan_id +mrr \(USD\)$/m)
    for (const width of [20, 34, 36]) expect(widest(answerText(grouped, false, width))).toBeLessThanOrEqual(Math.max(width, 23))
  })

  it('an object is a list of figures', () => {
    const funnel = { started: 1234, converted: 2, expired: 1, pending: 1, conversion_rate: null }
    expect(answerText(answer(funnel, Object.keys(funnel)), false)).toBe(
      lines(
        'started          1,234',
        'converted            2',
        'expired              1',
        'pending              1',
        'conversion_rate      –',
      ),
    )
    const parts = { subscription_mrr: 4467420, usage_mrr: 462 }
    expect(answerText(answer(parts, Object.keys(parts)), false)).toBe(
      lines('subscription_mrr  44,674.20  USD', 'usage_mrr              4.62  USD'),
    )
  })

  it('amounts are units of the currency, so no column is called cents; yes and no are words', () => {
    const rows = [
      { customer_name: 'A', fully_churned: true, churned_mrr_cents: 12345, quick_ratio: 1.857557 },
      { customer_name: null, fully_churned: false, churned_mrr_cents: 0, quick_ratio: null },
    ]
    expect(answerText(answer(rows, ['customer_name', 'fully_churned', 'churned_mrr_cents', 'quick_ratio']), false)).toBe(
      lines(
        'customer_name  fully_churned  churned_mrr (USD)  quick_ratio',
        'A              yes                       123.45         1.86',
        '–              no                          0.00            –',
      ),
    )
  })

  it('amounts of several currencies name none in the header, and have the decimals of their own', () => {
    const rows = [
      { currency: 'EUR', total_cents: 1200, total_base_cents: 1300 },
      { currency: 'JPY', total_cents: 123400, total_base_cents: 800 },
      { currency: 'KWD', total_cents: 1234, total_base_cents: 4000 },
    ]
    expect(answerText(answer(rows, ['currency', 'total_cents', 'total_base_cents']), false)).toBe(
      lines(
        'currency   total  total_base',
        'EUR        12.00       13.00',
        'JPY        1,234        8.00',
        'KWD       12.340       40.00',
      ),
    )
  })

  it('a base currency without decimals has none', () => {
    const amounts = { unit: 'cents' as const, currency: 'JPY' }
    expect(answerText(answer(4895000050, ['mrr'], { base_currency: 'JPY', amounts }), false)).toBe('48,950,001 JPY\n')
  })
})

describe('a cohort matrix for people', () => {
  const columns = ['cohort_month', 'active_month', 'months_since', 'cohort_size', 'active_count', 'retention_rate', 'is_complete']
  const cell = (cohort_month: string, months_since: number, cohort_size: number, retention_rate: number, is_complete = true) => ({
    cohort_month,
    active_month: '2025-09-01',
    months_since,
    cohort_size,
    active_count: cohort_size * retention_rate,
    retention_rate,
    is_complete,
  })

  it('is a triangle whose open months are marked', () => {
    const rows = [
      cell('2025-01-01', 0, 12, 1),
      cell('2025-01-01', 1, 12, 0.75),
      cell('2025-01-01', 2, 12, 0.5, false),
      cell('2025-02-01', 0, 4, 1),
      cell('2025-02-01', 1, 4, 0.25, false),
    ]
    expect(answerText(answer(rows, columns), false)).toBe(
      lines(
        'cohort_month  cohort_size        0        1        2',
        '2025-01-01             12  100.00%   75.00%   50.00%*',
        '2025-02-01              4  100.00%   25.00%*',
        '* the month is not over',
      ),
    )
  })

  it('has a line per cohort and group', () => {
    const rows = [
      { ...cell('2025-01-01', 0, 3, 1), customer_country: 'DE' },
      { ...cell('2025-01-01', 0, 5, 1), customer_country: null },
    ]
    const grouped = [...columns.slice(0, 2), 'customer_country', ...columns.slice(2)]
    expect(answerText(answer(rows, grouped), false)).toBe(
      lines(
        'cohort_month  customer_country  cohort_size        0',
        '2025-01-01    DE                          3  100.00%',
        '2025-01-01    –                           5  100.00%',
      ),
    )
  })

  it('without cohorts says so', () => {
    expect(answerText(answer([], columns), false)).toBe('(no rows)\n')
  })
})

it('a summary states the day or the window of each figure', () => {
  const figures = {
    mrr: 5114837,
    arr: 61378044,
    arpu: 23144.06,
    active_customers: 1221,
    active_subscriptions: 1294,
    nrr_12_months: 1.0512,
    grr_12_months: 0.9,
    net_new_mrr_so_far: 12345,
    net_new_mrr: -275792,
    logo_churn_rate: 0.013699,
    revenue_churn_rate: 0.013177,
    nrr: 1.998121,
    grr: 0.943566,
    ltv: null,
    trial_conversion_rate: 0.93617,
    quick_ratio: 35.266,
    as_of: '2025-05-20',
    year_window: { start: '2024-05-21', end: '2025-05-20' },
    month_window: { start: '2025-05-01', end: '2025-05-20' },
    rate_window: { start: '2025-04-01', end: '2025-04-30' },
    trailing_window: { start: '2024-05-21', end: '2025-05-20' },
    data_through: '2025-05-20T12:00:00.000Z',
    base_currency: 'USD',
    unsupported: [],
  }
  expect(figuresText(answer(figures, Object.keys(figures)), false)).toBe(
    lines(
      'At the end of 2025-05-20',
      'mrr                     51,148.37  USD',
      'arr                    613,780.44  USD',
      'arpu                       231.44  USD',
      'active_customers            1,221',
      'active_subscriptions        1,294',
      '',
      'The 12 months from 2024-05-21 to 2025-05-20',
      'nrr_12_months             105.12%',
      'grr_12_months              90.00%',
      '',
      'The month so far, from 2025-05-01 to 2025-05-20',
      'net_new_mrr_so_far         123.45  USD',
      '',
      'From 2025-04-01 to 2025-04-30',
      'net_new_mrr             -2,757.92  USD',
      'logo_churn_rate             1.37%',
      'revenue_churn_rate          1.32%',
      'nrr                       199.81%',
      'grr                        94.36%',
      '',
      'From 2024-05-21 to 2025-05-20',
      'ltv                             –',
      'trial_conversion_rate      93.62%',
      'quick_ratio                 35.27',
    ),
  )
})

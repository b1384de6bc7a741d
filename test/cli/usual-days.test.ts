import { describe, expect, it } from 'vitest'
import { answer, run } from './recording-product.ts'

// The clock of the recording product shows 2025-05-31.
const days = { start: '2025-04-01', end: '2025-04-30' }
const engine = { query: () => Promise.resolve(answer(0.05, ['logo_churn_rate'], { days })) }
const ask = (line: string) => run(line.split(' '), engine)

/** The parameters of the only query. */
function paramsOf({ calls }: Awaited<ReturnType<typeof run>>): unknown {
  return calls.find(([name]) => name === 'query')?.[2]
}

describe('a command without dates', () => {
  it.each([
    // Rates of a month: the rate window of the summary.
    ['churn', { range: 'last-month' }],
    ['churn --type revenue --dimension plan_id', { range: 'last-month', type: 'revenue' }],
    ['why', { range: 'last-month', query_type: 'why' }],
    ['mrr why', { range: 'last-month', query_type: 'why' }],
    ['mrr breakdown', { range: 'last-month', query_type: 'breakdown' }],
    ['retention --query-type nrr', { range: 'last-365-days', query_type: 'nrr' }],
    ['retention --query-type grr', { range: 'last-365-days', query_type: 'grr' }],
    // The trailing window of the summary.
    ['ltv', { range: 'last-365-days' }],
    ['ltv --at 2025-05-01', { range: 'last-365-days', at: '2025-05-01' }],
    ['trials', { range: 'last-365-days' }],
    ['trials funnel', { range: 'last-365-days', query_type: 'funnel' }],
    // Cohorts and series.
    ['retention', { range: 'last-12-months' }],
    ['waterfall', { range: 'last-12-months', query_type: 'waterfall' }],
    ['ltv cohort', { range: 'last-12-months', query_type: 'cohort' }],
    ['trials series', { range: 'last-12-months', query_type: 'series' }],
    ['usage-revenue', { range: 'last-12-months' }],
    ['expenses by-vendor', { range: 'last-12-months', query_type: 'by_vendor' }],
    ['churn --granularity month', { range: 'last-12-months', granularity: 'month' }],
    ['retention --query-type nrr --granularity quarter', { range: 'last-12-months', query_type: 'nrr', granularity: 'quarter' }],
    ['mrr --granularity month', { range: 'last-12-months', granularity: 'month' }],
    // A point needs no dates.
    ['mrr', {}],
    ['mrr --at 2025-01-31 --granularity month', { at: '2025-01-31', granularity: 'month' }],
    ['ltv arpu', { query_type: 'arpu' }],
    ['expenses', {}],
    // Dates of the command line stay.
    ['churn --ytd', { range: 'ytd' }],
    ['churn --last 3m', { range: 'last-3-months' }],
    ['churn --start 2025-01-01 --end 2025-01-31', { start: '2025-01-01', end: '2025-01-31' }],
    ['churn --end 2025-01-31', { end: '2025-01-31' }],
    // The start alone ends today.
    ['churn --start 2025-02-01', { start: '2025-02-01', end: '2025-05-31' }],
    ['churn --start 2025-05-31', { start: '2025-05-31', end: '2025-05-31' }],
    ['mrr --start 2025-02-01 --interval month', { start: '2025-02-01', end: '2025-05-31', interval: 'month' }],
    ['churn --start 2025-06-01', { start: '2025-06-01' }],
  ])('%s', async (line, params) => {
    expect(paramsOf(await ask(line))).toEqual(params)
  })

  it.each([
    ['rows churn', { range: 'last-month' }],
    ['rows churn --query-type logo', { range: 'last-month', query_type: 'logo' }],
    ['rows churn --type revenue --measure revenue_lost', { range: 'last-month', type: 'revenue', measure: 'revenue_lost' }],
    ['rows retention --query-type nrr --measure churn', { range: 'last-365-days', query_type: 'nrr', measure: 'churn' }],
    ['rows retention', { range: 'last-12-months' }],
    ['rows usage-revenue', { range: 'last-12-months' }],
    [
      'rows mrr --query-type breakdown --movement-type new',
      { range: 'last-month', query_type: 'breakdown', movement_type: 'new' },
    ],
    ['rows churn --granularity month --period all', { range: 'last-12-months', granularity: 'month', period: 'all' }],
    ['rows churn --start 2025-05-01', { start: '2025-05-01', end: '2025-05-31' }],
    ['rows churn --last 3m', { range: 'last-3-months' }],
    ['rows mrr --granularity month --period all', { range: 'last-12-months', granularity: 'month', period: 'all' }],
    ['rows mrr', {}],
    ['rows mrr --definitions killbill-analytics', { definitions: 'killbill-analytics' }],
    ['rows retention --query-type nothing', { query_type: 'nothing' }],
    ['bridge ltv --from a --to b', { range: 'last-365-days', from: 'a', to: 'b' }],
    ['bridge retention --from a --to b --query-type grr', { range: 'last-365-days', from: 'a', to: 'b', query_type: 'grr' }],
    ['bridge mrr --from a --to b', { from: 'a', to: 'b' }],
  ])('%s', async (line, params) => {
    const { code, calls } = await ask(line)
    expect(code).toBe(0)
    expect(calls.find(([name]) => name === 'metricRows' || name === 'bridge')?.[2]).toEqual(params)
  })

  it('says on standard error which dates it takes, and only there', async () => {
    expect(await ask('churn --format json')).toMatchObject({
      code: 0,
      stdout: '0.05\n',
      stderr: 'Range: 2025-04-01 to 2025-04-30 (last full month); change it with --range\n',
    })
    expect((await ask('retention')).stderr).toContain('(last 12 months); change it with --range\n')
    expect((await ask('churn --start 2025-02-01')).stderr).toContain('(up to today); change it with --end\n')
    expect((await ask('churn --range last-month')).stderr).toBe('')
    expect((await ask('mrr')).stderr).toBe('')
  })

  it('has its dates in the help', async () => {
    expect((await ask('churn --help')).stdout.replaceAll(/\s+/g, ' ')).toContain(
      'DATES Without dates: the last full month. With --granularity: the last 12 months. --start alone ends today. DIMENSIONS',
    )
    const retention = (await ask('retention --help')).stdout.replaceAll(/\s+/g, ' ')
    expect(retention).toContain('Without dates: the last 12 months. For nrr and grr: the last 365 days.')
    for (const any of ['rows', 'bridge'])
      expect((await ask(`${any} --help`)).stdout.replaceAll(/\s+/g, ' ')).toContain(
        'the range that the command of the metric takes',
      )
    expect((await ask('mrr --help')).stdout).not.toContain('Without dates')
  })

  it('the summary takes its start alone, too', async () => {
    const { calls } = await run(['summary', '--start', '2025-02-01'])
    expect(calls.find(([name]) => name === 'summary')?.[1]).toEqual({ start: '2025-02-01', end: '2025-05-31' })
  })
})

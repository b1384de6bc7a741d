import { describe, expect, it } from 'vitest'
import { UsageError } from '../../src/cli/command.ts'
import { AppError, ConfigurationError, errorFromIssues } from '../../src/core/errors.ts'
import { renderCsv, renderJson } from '../../src/engine/facade/render.ts'
import { answer, run } from './recording-product.ts'

const ask = (line: string, ...rest: Parameters<typeof run> extends [unknown, ...infer R] ? R : never) =>
  run(line.split(' '), ...rest)

describe('a metric command is one engine query', () => {
  it.each([
    ['mrr', 'mrr', {}, {}],
    ['mrr --at 2025-05-31', 'mrr', { at: '2025-05-31' }, {}],
    [
      'mrr --start 2025-01-01 --end 2025-05-31 --interval week',
      'mrr',
      { start: '2025-01-01', end: '2025-05-31', interval: 'week' },
      {},
    ],
    ['arr', 'mrr', { query_type: 'arr' }, {}],
    ['mrr components --at 2025-05-31', 'mrr', { query_type: 'components', at: '2025-05-31' }, {}],
    [
      'mrr breakdown --start a --end b --granularity month',
      'mrr',
      { query_type: 'breakdown', start: 'a', end: 'b', granularity: 'month' },
      {},
    ],
    [
      'mrr waterfall --interval quarter --start a --end b',
      'mrr',
      { query_type: 'waterfall', interval: 'quarter', start: 'a', end: 'b' },
      {},
    ],
    ['churn --start a --end b', 'churn', { start: 'a', end: 'b' }, {}],
    ['churn --type revenue --start a --end b', 'churn', { type: 'revenue', start: 'a', end: 'b' }, {}],
    ['retention --granularity month --start a --end b', 'retention', { granularity: 'month', start: 'a', end: 'b' }, {}],
    ['retention --query-type grr --start a --end b', 'retention', { query_type: 'grr', start: 'a', end: 'b' }, {}],
    ['ltv --start a --end b --at c', 'ltv', { start: 'a', end: 'b', at: 'c' }, {}],
    ['ltv arpu --at a', 'ltv', { query_type: 'arpu', at: 'a' }, {}],
    ['ltv cohort --start a --end b', 'ltv', { query_type: 'cohort', start: 'a', end: 'b' }, {}],
    ['trials --start a --end b', 'trials', { start: 'a', end: 'b' }, {}],
    ['trials funnel --start a --end b', 'trials', { query_type: 'funnel', start: 'a', end: 'b' }, {}],
    [
      'trials series --interval week --start a --end b',
      'trials',
      { query_type: 'series', interval: 'week', start: 'a', end: 'b' },
      {},
    ],
    [
      'usage-revenue --dimension plan_id --start a --end b',
      'usage_revenue',
      { start: 'a', end: 'b' },
      { dimensions: ['plan_id'] },
    ],
    ['usage-revenue series --start a --end b', 'usage_revenue', { query_type: 'series', start: 'a', end: 'b' }, {}],
    ['usage-revenue by-customer --start a --end b', 'usage_revenue', { query_type: 'by_customer', start: 'a', end: 'b' }, {}],
    ['waterfall --start a --end b', 'mrr', { query_type: 'waterfall', start: 'a', end: 'b' }, {}],
    ['mrr --dimension plan_id,currency --dimension source', 'mrr', {}, { dimensions: ['plan_id', 'currency', 'source'] }],
    [
      'mrr --filter plan_id=a=b --filter currency=EUR --filter currency=USD',
      'mrr',
      {},
      { filters: { plan_id: 'a=b', currency: ['EUR', 'USD'] } },
    ],
  ])('%s', async (line, metric, params, spec) => {
    const outcome = await ask(line)
    expect(outcome.calls).toEqual([['open', { config: undefined }], ['query', metric, params, spec], ['close']])
    expect(outcome).toMatchObject({ code: 0, stdout: '171.33 USD\n', stderr: '' })
  })

  it('hands the configuration file on', async () => {
    const { calls } = await ask('mrr --config other.toml')
    expect(calls[0]).toEqual(['open', { config: 'other.toml' }])
  })
})

describe('forms of a result', () => {
  const rows = [
    { period: '2025-01-01', plan_name: 'Big, "new"', mrr: 1234567, amount_base: -5 },
    { period: '2025-02-01', plan_name: null, mrr: 0, amount_base: 0 },
  ]
  const found = answer(rows, ['period', 'plan_name', 'mrr', 'amount_base'], {
    warnings: [{ code: 'future_clamped', message: 'A date after today was answered as of now.' }],
  })
  const engine = { query: () => Promise.resolve(found) }

  it('JSON and CSV are the HTTP body; warnings go to stderr', async () => {
    const json = await ask('mrr --format json', engine)
    expect(json.stdout).toBe(renderJson(rows))
    expect(json.stderr).toBe('warning: A date after today was answered as of now.\n')
    const csv = await ask('mrr --format csv', engine)
    expect(csv.stdout).toBe(renderCsv(found))
  })

  it('text is an aligned table without colour codes when piped', async () => {
    const { stdout } = await ask('mrr', engine)
    expect(stdout).toBe(
      [
        'period      plan_name   mrr (USD)  amount_base (USD)',
        '2025-01-01  Big, "new"  12,345.67              -0.05',
        '2025-02-01  –                0.00               0.00',
        '',
      ].join('\n'),
    )
  })

  it('control characters from the data do not reach the terminal', async () => {
    const hostile = {
      query: () => Promise.resolve(answer([{ customer_name: '\u001b[31mred\u0007', mrr: 1 }], ['customer_name', 'mrr'])),
    }
    const { stdout } = await ask('mrr', hostile)
    expect(stdout).not.toMatch(/[^\P{Cc}\n]/u)
  })

  it('an answer of no rows says so', async () => {
    const { stdout } = await ask('mrr', { query: () => Promise.resolve(answer([], ['period', 'mrr'])) })
    expect(stdout).toBe('(no rows)\n')
  })

  it('null is a dash', async () => {
    const { stdout } = await ask('mrr', { query: () => Promise.resolve({ ...answer(null, ['arpu']) }) })
    expect(stdout).toBe('–\n')
  })
})

describe('refusals and failures', () => {
  const failing = (error: Error) => ({ query: () => Promise.reject(error) })
  const issues = [
    { code: 'invalid_value' as const, where: 'params.at', value: 'x', message: '"at" is a date.', did_you_mean: [] },
    {
      code: 'unknown_dimension' as const,
      where: 'spec.dimensions',
      value: 'plan',
      message: 'Unknown dimension "plan".',
      did_you_mean: ['plan_id'],
    },
  ]

  it('a 4xx is exit 3, with every issue in the words of the command line', async () => {
    const outcome = await ask('mrr --at x', failing(errorFromIssues(issues, { available_dimensions: ['plan_id', 'source'] })))
    expect(outcome).toMatchObject({ code: 3, stdout: '' })
    expect(outcome.stderr).toBe(
      [
        'error: --at: "at" is a date.',
        'error: --dimension: Unknown dimension "plan". Did you mean plan_id?',
        '  available_dimensions: plan_id, source',
        '',
      ].join('\n'),
    )
    expect(outcome.calls.at(-1)).toEqual(['close'])
  })

  it('with --format json the error body of the service goes to stderr', async () => {
    const outcome = await ask('mrr --format json', failing(errorFromIssues(issues)))
    expect(outcome).toMatchObject({ code: 3, stdout: '' })
    expect(JSON.parse(outcome.stderr)).toEqual({
      detail: 'Unknown dimension "plan".',
      code: 'unknown_dimension',
      request_id: expect.any(String),
      issues: [
        { ...issues[0], where: 'query.at' },
        { ...issues[1], where: 'query.dimensions' },
      ],
    })
  })

  it.each([
    [new AppError('connector_unavailable', 'The database cannot be reached.'), 4, 'The database cannot be reached.'],
    [new AppError('query_timeout', 'Too slow.'), 4, 'Too slow.'],
    [new AppError('unpriced_plan', 'No price.'), 3, 'No price.'],
    [new ConfigurationError(['database.url: is required']), 2, 'database.url: is required'],
    [new UsageError(['cannot read x.csv']), 2, 'cannot read x.csv'],
    [new TypeError('boom'), 1, 'internal error'],
  ])('%s', async (error, code, text) => {
    const outcome = await ask('mrr', failing(error))
    expect(outcome).toMatchObject({ code, stdout: '' })
    expect(outcome.stderr).toContain(text)
  })

  it('a malformed filter and format are reported beside what the engine finds', async () => {
    const outcome = await ask('mrr --filter nonsense --format xml', failing(errorFromIssues(issues)))
    expect(outcome.code).toBe(3)
    expect(outcome.stderr).toContain('--filter: A filter is written key=value.')
    expect(outcome.stderr).toContain('--format: The format is text, json or csv.')
    expect(outcome.stderr).toContain('--at: "at" is a date.')
  })

  it('a malformed filter alone is refused too, and nothing is printed', async () => {
    expect(await ask('mrr --filter nonsense')).toMatchObject({ code: 3, stdout: '' })
  })

  it('a usage error is exit 2 and asks nothing', async () => {
    const outcome = await ask('mrr --bogus')
    expect(outcome).toMatchObject({ code: 2, stdout: '', calls: [] })
    expect(outcome.stderr).toMatch(/^error: unknown option --bogus; allowed: --at, .*--version\nSee plumbline mrr --help\n$/)
  })

  it('an interrupted query is exit 130', async () => {
    expect((await ask('mrr', failing(new Error('cancelled')), {}, AbortSignal.abort())).code).toBe(130)
  })
})

describe('other commands', () => {
  it('metrics', async () => {
    expect((await ask('metrics')).stdout).toBe('churn\nmrr\n')
    expect((await ask('metrics --format json')).stdout).toBe('["churn","mrr"]')
    expect((await ask('metrics --format csv')).stdout).toBe('metric\r\nchurn\r\nmrr\r\n')
    expect(await ask('metrics --format xml')).toMatchObject({ code: 3, stdout: '' })
  })

  it('fields', async () => {
    const fields = {
      dimensions: [{ key: 'plan_id', label: 'Plan id', type: 'string' as const, queries: ['current', 'arr'] }],
      time_dimensions: [{ key: 'occurred_at', label: 'Occurred at' }],
      attributes: [],
      filters: [{ key: 'plan_id', label: 'Plan id', type: 'string' as const, operators: ['=', '!='] }],
      query_types: ['arr', 'current'],
    }
    const warnings = [{ code: 'partial' as const, message: 'The store is down.' }]
    const engine = { fields: () => Promise.resolve({ data: fields, meta: { warnings } }) }
    const json = await ask('fields mrr --format json', engine)
    expect(json).toMatchObject({ stdout: renderJson(fields), stderr: 'warning: The store is down.\n' })
    const { stdout } = await ask('fields mrr', engine)
    expect(stdout).toContain('plan_id  Plan id  string  current, arr')
    expect(stdout).toContain('attributes\n(no rows)')
  })

  it('summary is one engine call', async () => {
    const outcome = await ask('summary --start a --end b --filter source=acme --format json')
    expect(outcome.calls).toContainEqual(['summary', { start: 'a', end: 'b' }, { filters: { source: 'acme' } }])
    expect(outcome).toMatchObject({ code: 0, stdout: '{"mrr":17133}' })
    const compared = await ask('summary --segment a --compare b --compare c --format json')
    expect(compared.calls).toContainEqual(['summary', {}, { segment: 'a', compare: ['b', 'c'] }])
    const refused = await ask('summary --filter nonsense')
    expect(refused).toMatchObject({ code: 3, stdout: '' })
    expect(refused.stderr).toContain('--filter: A filter is written key=value.')
  })

  it('fx import and fx list', async () => {
    const imported = await ask('fx import rates.csv --format json')
    expect(imported.calls).toContainEqual(['importFx', 'rates.csv'])
    expect(imported.stdout).toBe('{"rows_read":2,"rows_upserted":1,"rows_rejected":[{"row":2,"reason":"bad date"}]}')
    expect((await ask('fx import rates.csv')).stdout).toContain('2 rows read, 1 stored, 1 rejected')
    expect((await ask('fx list --format csv')).stdout).toBe('date,from,to,rate\r\n2025-01-01,EUR,USD,1.0837\r\n')
  })

  it('check of a database that cannot be asked is exit 4', async () => {
    const unreachable = new AppError('connector_unavailable', 'The database cannot be reached.')
    const outcome = await ask('check', { check: () => Promise.reject(unreachable) })
    expect(outcome).toMatchObject({ code: 4, stdout: '', stderr: 'error: The database cannot be reached.\n' })
  })

  it('check prints a line per finding and exits 5 on a failure only', async () => {
    const findings = [
      { name: 'connection', level: 'ok' as const, message: 'PostgreSQL 15' },
      { name: 'rights', level: 'warning' as const, message: 'may write' },
    ]
    const fine = await ask('check', { check: () => Promise.resolve(findings) })
    expect(fine).toMatchObject({ code: 0, stdout: 'ok       connection  PostgreSQL 15\nwarning  rights      may write\n' })
    const failure = { name: 'schema', level: 'failure' as const, message: 'no tables' }
    const failed = await ask('check --format json', { check: () => Promise.resolve([...findings, failure]) })
    expect(failed.code).toBe(5)
    expect(JSON.parse(failed.stdout)).toEqual([...findings, failure])
  })

  it('init', async () => {
    const outcome = await ask('init --force --config a.toml')
    expect(outcome).toMatchObject({ code: 0, stdout: 'wrote plumbline.toml\n' })
    expect(outcome.calls).toEqual([['init', { config: 'a.toml', force: true }]])
  })

  it('serve listens until it is stopped, then closes', async () => {
    const controller = new AbortController()
    const serve = () => {
      setTimeout(() => controller.abort(), 20)
      return Promise.resolve({ url: 'http://127.0.0.1:9000', stop: () => Promise.resolve() })
    }
    const outcome = await run(['serve', '--port', '9000', '--host', '::1'], {}, { serve }, controller.signal)
    expect(outcome).toMatchObject({ code: 0, stdout: '' })
    expect(outcome.stderr).toContain('http://127.0.0.1:9000')
    expect(outcome.calls).toEqual([['open', { config: undefined, host: '::1', port: '9000' }], ['close']])
  })

  it('--version and --help go to stdout', async () => {
    expect(await ask('--version')).toMatchObject({ code: 0, stdout: '0.1.0\n', calls: [] })
    const help = await ask('mrr --help')
    expect(help).toMatchObject({ code: 0, stderr: '', calls: [] })
    expect(help.stdout).toContain('USAGE plumbline mrr [OPTIONS] components|breakdown|waterfall')
    expect(help.stdout).not.toContain('\u001b')
  })
})

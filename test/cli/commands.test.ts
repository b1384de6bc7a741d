import { describe, expect, it } from 'vitest'
import { makeOutline } from '../../src/app/bin/outline.ts'
import { AppError, ConfigurationError, errorFromIssues } from '../../src/core/errors.ts'
import { LISTS } from '../../src/engine/shapes.ts'
import { readCommandLine } from '../../src/facades/cli/args.ts'
import { UsageError } from '../../src/facades/cli/command.ts'
import { runCli } from '../../src/facades/cli/main.ts'
import { renderCsv, renderJson } from '../../src/facades/presentation/render.ts'
import { builtInRegistry } from '../../src/metrics/built-in.ts'
import { sheetsOf } from '../support/product/workbook-sheets.ts'
import { answer, recordingProduct, run } from './recording-product.ts'

const ask = (line: string, ...rest: Parameters<typeof run> extends [unknown, ...infer R] ? R : never) =>
  run(line.split(' '), ...rest)

it('says on stderr that an answer straight from the database may take too long, and once', async () => {
  const { stdout, stderr } = await ask('mrr --format json', {
    query: async (_metric, _params, _spec, options) => {
      for (let time = 0; time < 2; time += 1) options?.onStraight?.('A level reads much.')
      return answer(17133, ['mrr'])
    },
  })
  expect([stdout, stderr]).toEqual(['17133\n', 'A level reads much.\n'])
})

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
    ['churn --range last-quarter', 'churn', { range: 'last-quarter' }, {}],
    ['mrr --last 12m', 'mrr', { range: 'last-12-months' }, {}],
    ['trials --last 30d --ytd', 'trials', { range: ['last-30-days', 'ytd'] }, {}],
    ['mrr breakdown --ytd', 'mrr', { query_type: 'breakdown', range: 'ytd' }, {}],
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
    expect(json.stdout).toBe(`${renderJson(rows)}\n`)
    expect(json.stderr).toBe('warning: A date after today was answered as of now.\n')
    const csv = await ask('mrr --format csv', engine)
    expect(csv.stdout).toBe(renderCsv(found))
  })

  it('a workbook goes to a file, with the command in it, and not to a terminal', async () => {
    const written = async (isTTY: boolean) => {
      const pieces: unknown[] = []
      const stderr: string[] = []
      const stdout = { write: (piece: unknown) => pieces.push(piece), isTTY }
      const io = { stdout, stderr: { write: (text: unknown) => stderr.push(String(text)) }, stop: new AbortController().signal }
      const cut = ['--limit', '3', '--rest', '--filter', "customer_name=O'Hara & co"]
      const argv = ['mrr', '--dimension', 'plan_id', '--money', 'units', '--format', 'xlsx', ...cut]
      return { code: await runCli(argv, io, recordingProduct([], engine)), pieces, stderr: stderr.join('') }
    }
    const { code, pieces } = await written(false)
    expect([code, pieces.length]).toEqual([0, 1])
    const sheets = sheetsOf(pieces[0] as Uint8Array)
    expect(sheets.get('Answer')?.[1]?.map((cell) => cell?.value)).toEqual(['2025-01-01', 'Big, "new"', '1234567', '-5'])
    const filter = String.raw`'customer_name=O'\''Hara & co'`
    const call = `plumbline mrr --dimension plan_id --money units --format xlsx --limit 3 --filter ${filter} --rest`
    expect(sheets.get('Question')?.[0]?.map((cell) => cell?.value)).toEqual(['Question', call])
    const refused = await written(true)
    expect([refused.code, refused.pieces]).toEqual([2, []])
    expect(refused.stderr).toContain('> answer.xlsx')
  })

  it('--money is for programs: people are shown units anyway', async () => {
    const { calls } = await ask('mrr --money units')
    expect(calls[1]).toEqual(['query', 'mrr', {}, {}])
    expect((await ask('mrr --money units --format json')).calls[1]).toEqual(['query', 'mrr', { money: 'units' }, {}])
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

  it('a refusal lists as many issues as the configuration says, as text and as JSON', async () => {
    const engine = failing(errorFromIssues(issues))
    const text = await ask('mrr --at x', engine, { maxIssues: 1 })
    expect(text.stderr.match(/^error: /gm)).toHaveLength(1)
    expect(text.stderr).toContain('and 1 more')
    const json = await ask('mrr --at x --format json', engine, { maxIssues: 1 })
    expect(JSON.parse(json.stderr)).toMatchObject({ issues: [{ where: 'query.at' }], issues_total: 2 })
  })

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
      issues_total: 2,
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

  it('a malformed filter and format are reported with the findings of the engine', async () => {
    const outcome = await ask('mrr --filter nonsense --format xml', failing(errorFromIssues(issues)))
    expect(outcome.code).toBe(3)
    expect(outcome.stderr).toContain('--filter: "filter" must be written key=value; got "nonsense".')
    expect(outcome.stderr).toContain('--format: "format" must be text, json, csv or xlsx; got "xml".')
    expect(outcome.stderr).toContain('--at: "at" is a date.')
  })

  it('a malformed filter alone is refused too, and nothing is printed', async () => {
    expect(await ask('mrr --filter nonsense')).toMatchObject({ code: 3, stdout: '' })
  })

  it('a usage error is exit 2 and asks nothing', async () => {
    const outcome = await ask('mrr --bogus')
    expect(outcome).toMatchObject({ code: 2, stdout: '', calls: [] })
    expect(outcome.stderr).toBe('error: unknown option --bogus\nSee plumbline mrr --help\n')
  })

  it('an interrupted query is exit 130', async () => {
    expect((await ask('mrr', failing(new Error('cancelled')), {}, AbortSignal.abort())).code).toBe(130)
  })
})

describe('other commands', () => {
  it('metrics', async () => {
    const names = [...builtInRegistry().names]
    const text = await ask('metrics')
    expect(text).toMatchObject({ code: 0, calls: [] })
    expect(text.stdout.split('\n').flatMap((line) => /^\w+/.exec(line)?.[0] ?? [])).toEqual(names)
    expect((await ask('metrics --json')).stdout).toBe(`${JSON.stringify(names)}\n`)
    expect((await ask('metrics --format csv')).stdout).toBe(['metric', ...names, ''].join('\r\n'))
    expect(await ask('metrics --format xml')).toMatchObject({ code: 3, stdout: '' })
  })

  it.each([
    ['nrr', 'retention --query-type nrr', 'retention'],
    ['ARR', 'arr', 'mrr'],
    ['arpu', 'ltv arpu', 'ltv'],
    ['quick ratio', 'summary', 'summary'],
    ['net-revenue-retention', 'retention --query-type nrr', 'retention'],
    ['revenue churn', 'churn --type revenue', 'churn'],
  ])('explain knows the word %s, without a database', async (word, command, metric) => {
    const outcome = await ask(`explain ${word}`)
    expect(outcome).toMatchObject({ code: 0, calls: [] })
    expect(outcome.stdout).toContain(`Command: plumbline ${command}\n\n${metric}\n`)
    expect(JSON.parse((await ask(`explain ${word} --json`)).stdout)).toMatchObject({ metric })
  })

  it('explain offers near words for one that it does not know', async () => {
    const outcome = await ask('explain net revenue retenton')
    expect(outcome).toMatchObject({ code: 3, stdout: '' })
    expect(outcome.stderr).toContain('Did you mean net_revenue_retention')
    expect(outcome.stderr).toContain('  available: churn, expenses, ')
  })

  it('fields', async () => {
    const fields = {
      dimensions: [{ key: 'plan_id', label: 'Plan id', type: 'string' as const, queries: ['current', 'arr'] }],
      time_dimensions: [{ key: 'occurred_at', label: 'Occurred at' }],
      attributes: [],
      filters: [{ key: 'plan_id', label: 'Plan id', type: 'string' as const, operators: ['=', '!='] }],
      query_types: ['arr', 'current'],
      numbers: [{ query_type: 'current', dates: 'day' as const }],
      figures: [],
    }
    const warnings = [{ code: 'partial' as const, message: 'The store is down.' }]
    const engine = { fields: () => Promise.resolve({ data: fields, meta: { warnings } }) }
    const json = await ask('fields mrr --format json', engine)
    expect(json).toMatchObject({ stdout: `${renderJson(fields)}\n`, stderr: 'warning: The store is down.\n' })
    const { stdout } = await ask('fields mrr', engine)
    expect(stdout).toContain('plan_id  Plan id  string  current, arr')
    expect(stdout).toMatch(/current +day/)
    expect(stdout).toContain('attributes\n(no rows)')
  })

  it('a list is one engine call, its fields and parameters are options', async () => {
    const outcome = await ask(
      'invoices --status open --status void --currency EUR --open-for-days 30 --order=-balance_cents --limit 5',
    )
    expect(outcome.calls).toContainEqual([
      'list',
      'invoices',
      { status: ['open', 'void'], currency: 'EUR', open_for_days: '30', order: '-balance_cents', limit: '5' },
      {},
    ])
    const others = await ask(
      'subscriptions --plan-id pro --product-name Pro --customer-id c --source-id s --search x --segment y',
    )
    const { product_name, ...params } = { plan_id: 'pro', product_name: 'Pro', customer_id: 'c', source_id: 's', search: 'x' }
    expect(others.calls).toContainEqual(['list', 'subscriptions', { ...params, product_name }, { segment: 'y' }])
    for (const [name, { fields }] of Object.entries(LISTS)) {
      const { stdout } = await ask(`${name} --help`)
      // `--tenant` is an option of `init` alone: lists narrow to a tenant by `--filter tenant=…`.
      for (const { key } of fields.filter(({ key }) => key !== 'tenant'))
        expect(stdout).toContain(`--${key.replaceAll('_', '-')}=`)
    }
  })

  it('a page says what it leaves out, and how many there are', async () => {
    const rows = [
      {
        id: 'c1',
        external_key: null,
        name: 'Acme',
        country: 'DE',
        status: 'active',
        live_subscriptions: 1,
        mrr_base_cents: 1234,
      },
    ]
    const page = answer({ total: 9, limit: 1, offset: 3, rows }, [])
    const { stdout } = await ask('customers --limit 1 --offset 3', { list: () => Promise.resolve({ ...page, kind: 'page' }) })
    expect(stdout).toBe(
      [
        'id  external_key  name  country  status  live_subscriptions  mrr (USD)',
        'c1             –  Acme  DE       active                   1      12.34',
        '4 to 4 of 9',
        '',
      ].join('\n'),
    )
  })

  it('why answers in sentences', async () => {
    const data = { change: 1, movers: [{ text: 'Acme\u001b left.' }], sentences: ['MRR rose.', 'Expansion added 0.01 USD.'] }
    const found = { ...answer(data, ['change', 'movers', 'sentences']), kind: 'object' as const }
    const outcome = await ask('why --start a --end b --limit 3', { query: () => Promise.resolve(found) })
    expect(outcome.calls).toContainEqual(['query', 'mrr', { query_type: 'why', start: 'a', end: 'b', limit: '3' }, {}])
    expect(outcome.stdout).toBe('MRR rose.\nExpansion added 0.01 USD.\n\nAcme  left.\n')
  })

  it('summary is one engine call', async () => {
    const outcome = await ask('summary --start a --end b --filter source=acme --format json')
    expect(outcome.calls).toContainEqual(['summary', { start: 'a', end: 'b' }, { filters: { source: 'acme' } }])
    expect(outcome).toMatchObject({ code: 0, stdout: '{"mrr":17133}\n' })
    const compared = await ask('summary --segment a --compare b --compare c --format json')
    expect(compared.calls).toContainEqual(['summary', {}, { segment: 'a', compare: ['b', 'c'] }])
    const refused = await ask('summary --filter nonsense')
    expect(refused).toMatchObject({ code: 3, stdout: '' })
    expect(refused.stderr).toContain('--filter: "filter" must be written key=value; got "nonsense".')
  })

  it('fx import and fx list', async () => {
    const imported = await ask('fx import rates.csv --format json')
    expect(imported.calls).toContainEqual(['importFx', 'rates.csv', { into: undefined, since: undefined }])
    expect(imported.code).toBe(3)
    expect(imported.stdout).toBe(
      '{"rows_read":2,"rows_upserted":1,"rows_rejected":[{"row":2,"reason":"bad date"}],"rows_rejected_total":1}\n',
    )
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
    expect(outcome.stdout).toMatch(/^wrote plumbline.toml\nNext:\n/)
    // The lines to type next are commands that there are.
    const lines = outcome.stdout.match(/plumbline (?:grants|init|check|serve|demo)[^#\n]*/g) ?? []
    expect(lines.map((line) => line.split(' ')[1])).toEqual(['grants', 'init', 'check', 'serve', 'demo'])
    const outline = await makeOutline()
    for (const line of lines) expect(readCommandLine(line.trim().split(' ').slice(1), outline).kind, line).toBe('run')
    const asked = { url: undefined, tenant: undefined, baseCurrency: undefined, full: false, dryRun: false }
    expect(outcome.calls).toEqual([['init', { ...asked, config: 'a.toml', force: true }]])
    const looked = await ask('mysql://me@replica/shop --tenant a,b --base-currency eur')
    const look = { ...asked, url: 'mysql://me@replica/shop', tenant: 'a,b', baseCurrency: 'EUR', dryRun: true }
    expect(looked.calls).toEqual([['init', { ...look, config: undefined, force: false }]])
    expect(await ask('init a b')).toMatchObject({ code: 2, calls: [] })
  })

  it('--demo asks the sample data, at any place in the command, and takes no configuration', async () => {
    const options = { config: undefined }
    for (const line of ['--demo mrr', 'mrr --demo']) expect((await ask(line)).calls[0]).toEqual(['openDemo', options])
    expect((await ask('--demo fx list')).calls).toEqual([['openDemoStore'], ['listFx', { latest: false }], ['close']])
    expect((await ask('--demo segments list')).calls[0]).toEqual(['openDemo', options])
    expect(await ask('--demo mrr --config a.toml')).toMatchObject({ code: 2, calls: [] })
    expect(await ask('--demo init')).toMatchObject({ code: 2, calls: [] })
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

import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import Ajv from 'ajv'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { type AppDependencies, createApp } from '../../src/facades/http/app.ts'
import { type RunningServer, startServer } from '../../src/facades/http/server.ts'
import { ALL_PARAMETERS } from '../../src/query/parameters.ts'
import { serviceOver } from '../http/recording-engine.ts'
import { HOSTILE_TEXTS, NOT_STORABLE } from '../support/data/hostile-texts.ts'
import { sampleOf } from '../support/databases/rotation.ts'
import { describeTargets } from '../support/databases/targets.ts'
import { type RealService, realService } from '../support/product/recorded-service.ts'

const RANGE = { start: '2026-01-01', end: '2026-06-30' }
const TOOLS = [
  'summary',
  'query_metric',
  'bridge',
  'metric_rows',
  'list_metrics',
  'metric_fields',
  'explain_definition',
  'list_customers',
  'list_subscriptions',
  'list_invoices',
  'list_renewals',
  'forecast_billings',
  'get_customer',
  'billing_health',
  'list_billing_findings',
  'list_billing_notices',
  'ledger_revenue',
  'receivables',
  'trial_balance',
  'list_segments',
  'verify',
]

interface Listening {
  readonly url: string
  readonly logged: string[]
  readonly client: Client
  call(name: string, given?: Record<string, unknown>): Promise<{ readonly text: string; readonly isError: boolean }>
  stop(): Promise<void>
}

/** The two ways in which clients say which revision of the protocol they speak: once with `initialize`, or in each message. */
const REVISIONS = {
  '2025-11-25': { versionNegotiation: { mode: 'legacy' } },
  '2026-07-28': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
} as const satisfies Record<string, ClientOptions>
type Revision = keyof typeof REVISIONS

/** A client of the tools at an address. */
async function connected(url: string, revision: Revision): Promise<Client> {
  const client = new Client({ name: 'test', version: '0' }, REVISIONS[revision])
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)))
  return client
}

/** The service on a port, and a client of its tools. */
async function listen(
  engine: Engine,
  options: Partial<Pick<AppDependencies, 'web' | 'basePath' | 'publicOrigin'>> = {},
): Promise<Listening> {
  const logged: string[] = []
  const limits = { body_bytes: 1_000_000 }
  const app = createApp({ engine, version: '0.1.0', corsOrigins: [], limits, log: (line) => logged.push(line), ...options })
  const server: RunningServer = await startServer(app, { host: '127.0.0.1', port: 0, graceMs: 200 })
  const url = `${server.url}${options.basePath ?? ''}`
  const client = await connected(url, '2025-11-25')
  return {
    url,
    logged,
    client,
    async call(name, given = {}) {
      const { content, isError } = await client.callTool({ name, arguments: given })
      const [first, ...others] = content as readonly { readonly type: string; readonly text: string }[]
      expect(others).toEqual([])
      expect(first?.type).toBe('text')
      return { text: first?.text ?? '', isError: isError === true }
    },
    async stop() {
      await client.close()
      await server.stop()
    },
  }
}

describeTargets(
  'tools over HTTP',
  (target) => {
    let service: RealService
    let served: Listening
    beforeAll(async () => {
      service = await realService(target)
      served = await listen(service.engine)
    })
    afterAll(async () => {
      await served.stop()
      await service.close()
    })
    const ask = async (name: string, given: Record<string, unknown> = {}) => {
      const { text, isError } = await served.call(name, given)
      expect(isError, text).toBe(false)
      return text
    }
    const refused = async (name: string, given: Record<string, unknown>) => {
      const { text, isError } = await served.call(name, given)
      expect(isError, text).toBe(true)
      return text
    }
    /** Lines between the heading and the count, as records. */
    const rowsOf = (text: string) => {
      const [, head = '', ...lines] = text.split('\n')
      const columns = head.split(' | ')
      const end = lines.findIndex((line) => / in all\./.test(line))
      return lines.slice(0, end).map((line) => {
        const cells = line.split(' | ')
        return Object.fromEntries(columns.map((column, index) => [column, cells[index]]))
      })
    }

    it('are listed with the parameters of the API, and say that they only read', async () => {
      const { tools } = await served.client.listTools()
      expect(tools.map(({ name }) => name)).toEqual(TOOLS)
      const ajv = addFormats.default(new Ajv.default({ strict: false }))
      for (const { name, annotations, inputSchema, description } of tools) {
        expect(annotations, name).toMatchObject({ readOnlyHint: true, destructiveHint: false })
        expect(ajv.compile(inputSchema)({}), name).toBe((inputSchema.required ?? []).length === 0)
        expect(description?.length, name).toBeGreaterThan(40)
        for (const [argument, schema] of Object.entries(inputSchema.properties ?? {}))
          expect((schema as { description?: string }).description, `${name} ${argument}`).toBeTruthy()
      }
      const known = ALL_PARAMETERS.filter(({ known_to }) => known_to !== 'records' && known_to !== 'cells').map(
        ({ name }) => name,
      )
      const { properties = {} } = tools.find(({ name }) => name === 'query_metric')?.inputSchema ?? {}
      expect(Object.keys(properties)).toEqual(['metric', ...known.filter((name) => name !== 'format' && name !== 'money')])
      expect(served.client.getServerVersion()).toMatchObject({ name: 'plumbline', version: '0.1.0' })
      expect(served.client.getInstructions()).toContain('never written to')
    })

    it('name amounts in units without cents, also in lists and inside objects', async () => {
      const text = await ask('list_customers', { order: '-mrr_base', limit: 2 })
      expect(text.split('\n')[1]).toMatch(/\bmrr_base\b/)
      const id = (await ask('list_customers', { limit: 1, ids: true })).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/)?.[0]
      const answers = await Promise.all([
        text,
        ask('get_customer', { id }),
        ask('list_subscriptions', { limit: 2 }),
        ask('list_invoices', { limit: 2 }),
        ask('list_renewals', { start: '2026-11-22', end: '2026-12-31', limit: 2 }),
        ask('forecast_billings', { next: '1m', limit: 2 }),
        ask('metric_rows', { metric: 'mrr', at: '2026-06-30', limit: 2 }),
        ask('billing_health', { start: '2026-10-01', end: '2026-10-31' }),
        ask('list_billing_findings', { start: '2026-10-01', end: '2026-10-31', limit: 2 }),
        ask('list_billing_notices', { limit: 2 }),
        ask('ledger_revenue', RANGE),
        ask('receivables', { at: '2026-10-31' }),
        ask('trial_balance', { at: '2026-10-31' }),
      ])
      for (const answer of answers) expect(answer).not.toMatch(/_cents|not cents/)
    })

    it('lead from a figure to its metric', async () => {
      expect(await refused('query_metric', { metric: 'nrr', ...RANGE })).toMatch(
        /Unknown metric "nrr"\. Use the metric "retention" with the query_type "nrr"\. Did you mean retention\?/,
      )
      expect(await refused('query_metric', { metric: 'mrr', query_type: 'nrr', ...RANGE })).toMatch(
        /query_type.* Use the metric "retention" with the query_type "nrr"\.\n/,
      )
      expect(await refused('metric_rows', { metric: 'net revenue retention', ...RANGE })).toContain('with the query_type "nrr"')
    })

    it('answer what the API answers, in units', async () => {
      const { body: mrr } = await service.ask('GET', 'metrics/mrr?at=2026-06-30&money=units')
      expect(mrr).toMatch(/^\d+\.\d\d$/)
      expect(await ask('query_metric', { metric: 'mrr', at: '2026-06-30' })).toMatch(
        new RegExp(`^mrr, 2026-06-30\nmrr: ${mrr}\nIn USD: mrr\\.\nData through 2026-11-21`),
      )

      const path = 'metrics/mrr/breakdown?start=2026-01-01&end=2026-06-30&dimensions=plan_id&order=-amount_base&money=units'
      const { body: groups } = await service.ask('GET', `${path}&filter=currency=EUR`)
      const breakdown = { metric: 'mrr', query_type: 'breakdown', ...RANGE, dimensions: ['plan_id'], order: '-amount_base' }
      const text = await ask('query_metric', { ...breakdown, filter: { currency: 'EUR' } })
      expect(groups.length).toBeGreaterThan(5)
      const written = groups.map((row: object) =>
        Object.fromEntries(Object.entries(row).map(([key, value]) => [key, String(value)])),
      )
      expect(rowsOf(text)).toEqual(written.slice(0, 50))
      expect(text).toContain('In USD: amount_base.')

      const spec = { filters: { currency: { in: ['EUR', 'USD'] }, tenure_months: { '>=': 3 } } }
      const { body: figure } = await service.ask('POST', 'metrics/mrr', { params: { at: '2026-06-30', money: 'units' }, spec })
      expect(await ask('query_metric', { metric: 'mrr', at: '2026-06-30', filter: spec.filters })).toContain(`\nmrr: ${figure}\n`)

      const year = await ask('query_metric', { metric: 'mrr', at: '2026-06-30', compare_to: 'year' })
      expect(year).toMatch(/value: [\d.]+\nprevious: [\d.]+\nchange: -?[\d.]+\nchange_rate: -?[\d.]+/)
      expect(year).toContain('Compared with 2025-06-30.')
      expect(await ask('query_metric', { metric: 'churn', ...RANGE })).toContain('Fractions (0.05 is 5 %): ')
      expect(await ask('query_metric', { metric: 'mrr', at: '2026-06-30', dimensions: ['currency'] })).toContain(
        'In the currency that the row names: mrr.',
      )
      expect(await ask('query_metric', { metric: 'mrr', query_type: 'why', ...RANGE })).toMatch(
        /by_plan:\nplan_id \| amount_base\n[^|]+ \| -?[\d.]+\n[\s\S]*sentences:\n- MRR rose by /,
      )

      const { body: summary } = await service.ask('GET', 'metrics/summary?end=2026-06-30&money=units')
      const headline = await ask('summary', { end: '2026-06-30' })
      for (const name of ['mrr', 'arr', 'active_customers', 'quick_ratio'])
        expect(headline).toContain(`\n${name}: ${summary[name]}\n`)
    })

    it('narrow by segments, and compare them, by name', async () => {
      const definition = (value: string) => ({ root: { op: 'and', conditions: [{ field: 'currency', op: '=', value }] } })
      for (const value of ['EUR', 'USD'])
        await service.ask('POST', 'segments', { name: `pays | ${value}`, description: null, definition: definition(value) })
      const segments = await ask('list_segments')
      expect(segments).toContain('\n"pays | EUR" | ')
      expect(segments).toContain('2 rows in all.')
      expect(await ask('list_segments', { search: 'usd' })).toMatch(/USD[\s\S]*1 row in all\./)
      expect(await ask('list_segments', { search: 'gbp' })).toBe('0 rows in all.')
      const at = { metric: 'mrr', at: '2026-06-30' }
      const { body: euro } = await service.ask('GET', 'metrics/mrr?at=2026-06-30&filter=currency=EUR&money=units')
      expect(await ask('query_metric', { ...at, segment: 'pays | EUR' })).toContain(`\nmrr: ${euro}\n`)
      const compared = await ask('query_metric', { ...at, compare_segments: ['pays | EUR', 'pays | USD'] })
      expect(compared).toMatch(new RegExp(`"pays \\| EUR" \\| ${euro}\n.*"pays \\| USD" \\| \\d`))
      expect(await refused('query_metric', { ...at, segment: 'pays' })).toMatch(/^Refused \(unknown_segment\):\n- segment: /)
    })

    it('show at most 50 rows, how many there are, and the way to the rest', async () => {
      const { body } = await service.ask('GET', 'customers?limit=1000&order=id')
      const ids = body.rows.map(({ id }: { id: string }) => id)
      expect(ids.length).toBeGreaterThan(100)
      const seen: (string | undefined)[] = []
      let offset = '0'
      for (;;) {
        const text = await ask('list_customers', { limit: 50, offset: Number(offset), order: 'id', ids: true })
        const rows = rowsOf(text)
        expect(rows.length).toBeLessThanOrEqual(50)
        expect(text).toContain(`of ${ids.length} in all.`)
        seen.push(...rows.map((row) => row['id']))
        const next = /For more rows, use offset (\d+)\./.exec(text)?.[1]
        if (next === undefined) break
        offset = next
      }
      expect(seen).toEqual(ids)
      expect(rowsOf(await ask('list_customers'))).toHaveLength(20)
      expect(rowsOf(await ask('list_customers', { limit: 1_000 }))).toHaveLength(50)
      expect(rowsOf(await ask('list_customers', { limit: 2, status: ['churned', 'paused'] }))).toHaveLength(2)

      const days = { metric: 'mrr', query_type: 'series', ...RANGE, interval: 'day' }
      const series = await ask('query_metric', days)
      expect(series).toMatch(/\nRows 1 to 50 shown of 181 in all\. For fewer rows, use a shorter range, a longer interval/)
      const groups = { metric: 'mrr', at: '2026-06-30', dimensions: ['customer_id'], order: '-mrr,customer_id' }
      const [first, second] = [await ask('query_metric', groups), await ask('query_metric', { ...groups, offset: 50 })]
      expect(first).toMatch(/Rows 1 to 50 shown of \d+ in all\. For more rows, use offset 50\./)
      expect(second).toMatch(/Rows 51 to 100 shown of \d+ in all\. For more rows, use offset 100\./)
      expect(rowsOf(first)[49]).not.toEqual(rowsOf(second)[0])
      const rest = await ask('query_metric', { ...groups, limit: 3, rest: true })
      expect(rest).toMatch(/Rows 1 to 3 shown of \d+ in all\. For more rows, use offset 3\./)
      expect(rest).toContain('\ntrue | ')
      expect(Buffer.byteLength(first)).toBeLessThan(8_000)
    })

    it('tell what there is and what it means', async () => {
      const metrics = await ask('list_metrics')
      for (const name of service.engine.metrics()) expect(metrics).toContain(`${name}: `)
      expect(metrics).toContain('- breakdown: MRR movements in a range, by type')
      const { data } = await service.engine.fields('mrr')
      const plan = await ask('metric_fields', { metric: 'mrr', search: 'plan_id' })
      expect(plan).toMatch(/field \| type \| groups \| operators\nplan_id \| string \| .*breakdown.* \| = != in not in/)
      const page = await ask('metric_fields', { metric: 'mrr', offset: 1 })
      expect(page).toContain(`of ${data.filters.length} in all.`)
      expect(await ask('metric_fields', { metric: 'mrr', search: 'attr.tier' })).toContain('attr.tier | string | ')
      expect(await ask('explain_definition', { word: 'Net revenue retention' })).toMatch(/^nrr: .*\nretention: .*\nFormula: /)
      expect(await refused('explain_definition', { word: 'chrun' })).toMatch(
        /Unknown metric or figure "chrun".*Did you mean churn/s,
      )
      const customer = await ask('get_customer', { id: 'alpha-acc-0001' })
      expect(customer).toMatch(/^customer alpha-acc-0001\nid: [0-9a-f-]{36}\n[\s\S]*\nsubscriptions:\nid \| /)
      expect(await refused('get_customer', { id: 'nobody' })).toContain('Refused (not_found)')
    })

    it('find a customer by its name, and ask which one is meant if several have the text', async () => {
      const [named] = rowsOf(await ask('list_customers', { limit: 1, ids: true, search: 'alpha customer 231' }))
      const { name = '', id = '' } = named ?? {}
      expect(name).toBe('alpha customer 231')
      expect(await ask('get_customer', { id: 'Alpha Customer 231' })).toContain(`\nid: ${id}\n`)
      const several = await ask('get_customer', { id: 'alpha customer 32' })
      // One customer has exactly this name, so it is meant, although others contain it.
      expect(several).toContain('\nname: alpha customer 32\n')
      const unclear = rowsOf(await ask('get_customer', { id: 'customer 23' }))
      expect(unclear.length).toBeGreaterThan(1)
      for (const row of unclear) expect(row['name']).toContain('customer 23')
    })

    it('list what people know a row by, and the rest only on request', async () => {
      const columnsOf = async (name: string, given: object = {}) =>
        Object.keys(rowsOf(await ask(name, { limit: 3, ...given }))[0] ?? {})
      for (const name of ['list_customers', 'list_subscriptions', 'list_invoices']) {
        const brief = await columnsOf(name)
        const all = await columnsOf(name, { ids: true })
        expect(all).toEqual(expect.arrayContaining(['id', 'source_id', ...brief]))
        expect(brief.filter((column) => column !== 'plan_id' && /(^|_)ids?$/.test(column))).toEqual([])
      }
      expect(await columnsOf('list_renewals')).toEqual(expect.arrayContaining(['customer_name', 'plan_id', 'renews_on']))
    })

    it('have the books: revenue, receivables of a day and the trial balance', async () => {
      const at = { at: '2026-10-31' }
      for (const [tool, path, given] of [
        ['ledger_revenue', 'revenue', { start: '2026-08-01', end: '2026-10-31' }],
        ['receivables', 'receivables', { ...at, net_terms: '30' }],
        ['receivables', 'receivables', { ...at, dimensions: 'customer_name', order: '-balance', limit: '5' }],
        ['trial_balance', 'trial-balance', at],
        ['trial_balance', 'trial-balance', { start: '2026-10-01', end: '2026-10-31', dimensions: 'currency' }],
      ] as const) {
        const query = new URLSearchParams({ ...given, money: 'units' })
        const { body } = await service.ask('GET', `metrics/ledger/${path}?${query}`)
        expect(body.length, tool).toBeGreaterThan(2)
        const { net_terms, limit, dimensions, ...others }: Record<string, string> = given
        const numbers = { ...(net_terms && { net_terms: Number(net_terms) }), ...(limit && { limit: Number(limit) }) }
        const text = await ask(tool, { ...others, ...numbers, ...(dimensions && { dimensions: [dimensions] }) })
        const written = body.map((row: object) =>
          Object.fromEntries(Object.entries(row).map(([key, value]) => [key, String(value)])),
        )
        expect(rowsOf(text), `${tool} ${query}`).toEqual(written)
        expect(text, tool).toMatch(/^(Recognized and deferred revenue|Receivables by age|Trial balance), 2026-/)
      }
      expect(await ask('receivables')).toContain('\ncurrent | ')
      expect(await refused('ledger_revenue', {})).toContain('Refused (invalid_range)')
      expect(await refused('trial_balance', { ...at, dimensions: ['plan_name'] })).toContain('Refused (unknown_dimension)')
      expect(await refused('receivables', { ...at, query_type: 'cash' })).toContain('Unknown field "query_type"')
    })

    it('leave out monthly plans among renewals', async () => {
      const days = { start: '2026-11-22', end: '2027-03-31', limit: 50 }
      const all = await ask('list_renewals', days)
      const contracts = rowsOf(await ask('list_renewals', { ...days, term: 'contract' }))
      expect(contracts.length).toBeGreaterThan(0)
      expect(contracts.every((row) => row['term'] === 'contract')).toBe(true)
      expect(all).toContain('| monthly |')
    })

    it('are refused with everything that is wrong, what is near and what is allowed', async () => {
      const wrong = { metric: 'mrr', at: 'yesterday', dimensions: ['plan'], filter: { currency: { '~': 1 } } }
      const text = await refused('query_metric', wrong)
      expect(text.split('\n')).toEqual([
        'Refused (unknown_dimension):',
        '- at: "at" must be a date (YYYY-MM-DD); got "yesterday".',
        expect.stringMatching(/^- dimensions: Unknown dimension "plan"\. Did you mean plan_id/),
        expect.stringMatching(/^- filter\.currency: .*~/),
        expect.stringMatching(/^available_dimensions: .*plan_id, /),
        expect.stringMatching(/^available_filters: /),
      ])
      expect(await refused('query_metric', { metric: 'mrr', query_type: 'series' })).toContain('Refused (invalid_range)')
      expect(await refused('query_metric', { metric: 'ledger', query_type: 'deferred', end: '2026-09-30' })).toBe(
        'Refused (invalid_range):\n- end: This query is about one month: name it in "period".',
      )
      const metrics = '"metric" must be churn, expenses, involuntary_churn, ledger, ltv, mrr, retention, trials or usage_revenue'
      expect(await refused('query_metric', {})).toBe(`Refused (validation_failed):\n- metric: ${metrics}; got nothing.`)
      expect(await refused('query_metric', { metric: 'mrrr' })).toBe(
        'Refused (unknown_metric):\n- metric: Unknown metric "mrrr". Did you mean mrr?\navailable: churn, expenses, involuntary_churn, ledger, ltv, mrr, retention, trials, usage_revenue',
      )
      expect(await refused('query_metric', { metric: 'mrr', format: 'csv', intervall: 'day' })).toMatch(
        /- format: Unknown field "format"[\s\S]*- intervall: Unknown field "intervall"\. Did you mean interval/,
      )
      expect(await refused('list_segments', { offset: -1, search: 1 })).toBe(
        'Refused (validation_failed):\n- search: "search" must be text; got 1.\n- offset: "offset" must be a whole number, 0 or more; got -1.',
      )
      expect(await refused('list_invoices', { status: 'payed' })).toMatch(/- status: .*Did you mean paid\?/)
      // A null or empty argument counts as absent.
      expect(await ask('query_metric', { metric: 'mrr', at: '', segment: null })).toContain('mrr: ')
      await expect(served.call('drop_everything')).rejects.toThrow(/Unknown tool. Available tools: summary, query_metric/)
    })

    it('verify the named checks in the given time', async () => {
      const days = { start: '2026-01-01', end: '2026-10-31' }
      const two = await ask('verify', { ...days, check: ['trials_add_up', 'rates_complete'], time_limit_s: 600 })
      const [, , ...lines] = two.split('\n')
      expect(two).toMatch(/^No check failed, 2026-01-01 to 2026-10-31\.\ncheck \| result \| message \| first\n/)
      expect(lines.map((line) => line.split(' | ')[0])).toEqual(['rates_complete', 'trials_add_up'])
      // How far a second suffices depends on the machine.
      const one = await ask('verify', { ...days, check: 'groups_add_up', time_limit_s: 1 })
      expect(one).toMatch(
        /^No check failed, .* Not all was checked\.\n.*\ngroups_add_up \| (ok in part \| [^\n]*fitted into the time|not checked \| not checked: the time was over)[^\n]*$/,
      )
      const wrong = { check: 'trials_ad_up', time_limit_s: 601, chek: 'trials_add_up' }
      expect(await refused('verify', wrong)).toMatch(
        /- chek: Unknown field "chek"\. Did you mean check\?\n- time_limit_s: "time_limit_s" must be a whole number from 1 to 600; got 601\./,
      )
      expect(await refused('verify', { check: 'trials_ad_up' })).toMatch(
        /- check: "check" must be .*; got "trials_ad_up"\. Did you mean trials_add_up\?/,
      )
    })

    it('are the same to clients that describe themselves in each message', async () => {
      const client = await connected(served.url, '2026-07-28')
      expect([client.getNegotiatedProtocolVersion(), served.client.getNegotiatedProtocolVersion()]).toEqual([
        '2026-07-28',
        '2025-11-25',
      ])
      expect((await client.listTools()).tools).toEqual((await served.client.listTools()).tools)
      const question = { name: 'query_metric', arguments: { metric: 'mrr', at: '2026-06-30' } }
      const { content } = await served.client.callTool(question)
      expect(await client.callTool(question)).toMatchObject({ content })
      expect(await client.callTool({ name: 'query_metric', arguments: { metric: 'x' } })).toMatchObject({ isError: true })
      await expect(client.callTool({ name: 'drop_everything' })).rejects.toThrow(/Unknown tool\. Available tools: summary/)
      await client.close()
    })

    it('take nothing of what a text says for an order', async () => {
      served.logged.length = 0
      for (const text of [...sampleOf(target, HOSTILE_TEXTS), ...NOT_STORABLE]) {
        const tried: readonly (readonly [string, Record<string, unknown>])[] = [
          ['query_metric', { metric: 'mrr', filter: { plan_id: text, [text]: 'x' }, segment: text, order: text }],
          ['query_metric', { metric: 'mrr', filter: { plan_id: text } }],
          ['list_customers', { search: text, limit: 5 }],
          ['get_customer', { id: text }],
          ['explain_definition', { word: text }],
          ['list_segments', { search: text }],
          ['metric_fields', { metric: 'mrr', search: text }],
        ]
        for (const [name, given] of tried) expect((await served.call(name, given)).text).not.toContain('(internal)')
      }
      for (const given of [
        { filter: [] },
        { dimensions: 'plan_id' },
        { limit: 'all' },
        { at: { '>': 1 } },
        { filter: { a: { b: {} } } },
      ])
        expect(await refused('query_metric', { metric: 'mrr', ...given })).toMatch(/\n- /)
      expect(served.logged).toEqual([])
    })

    it('lead to the page where there is one', async () => {
      expect(await ask('query_metric', { metric: 'mrr' })).not.toContain('http')
      const withPage = await listen(service.engine, { web: { page: '', assets: new Map() }, basePath: '/numbers' })
      const given = {
        metric: 'churn',
        range: 'last-month',
        dimensions: ['customer_country'],
        filter: { currency: ['EUR', 'USD'] },
      }
      const { text } = await withPage.call('query_metric', given)
      const query = 'range=last-month&dimensions=customer_country&filter=currency%3DEUR&filter=currency%3DUSD'
      expect(text.split('\n').at(-1)).toBe(`Dashboard: ${withPage.url}/churn?${query}`)
      expect((await withPage.call('summary')).text).toContain(`Dashboard: ${withPage.url}/`)
      expect((await withPage.call('list_invoices', { limit: 1 })).text).not.toContain('Dashboard:')
      const { text: customer } = await withPage.call('get_customer', { id: 'alpha-acc-0001' })
      expect(customer).toContain(`Dashboard: ${withPage.url}/customers/alpha-acc-0001`)
      await withPage.stop()
      const behindProxy = { web: { page: '', assets: new Map() }, publicOrigin: 'https://plumbline.example.com' }
      const proxied = await listen(service.engine, behindProxy)
      expect((await proxied.call('summary')).text).toMatch(/Dashboard: https:\/\/plumbline\.example\.com\/$/)
      await proxied.stop()
    })
  },
  { only: ['postgres'] },
)

describe('/mcp', () => {
  const BODY = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const CANCELLATION = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
  /** A message that describes its client, and the headers that go with it. */
  const described = (method: string, params: object = {}, version = '2026-07-28') => {
    const own = 'io.modelcontextprotocol'
    const _meta = {
      [`${own}/protocolVersion`]: version,
      [`${own}/clientInfo`]: { name: 'test', version: '0' },
      [`${own}/clientCapabilities`]: {},
    }
    const name = 'name' in params ? { 'mcp-name': String(params.name) } : {}
    return {
      body: { ...BODY, method, params: { ...params, _meta } },
      headers: { 'mcp-protocol-version': version, 'mcp-method': method, ...name },
    }
  }
  const post = (body: unknown, headers: Record<string, string> = {}, options: Parameters<typeof serviceOver>[1] = {}) =>
    serviceOver({}, options).app.request('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  it('keeps nothing between two messages', async () => {
    const response = await post(BODY)
    expect([response.status, response.headers.get('mcp-session-id')]).toEqual([200, null])
    expect(await response.json()).toMatchObject({ id: 1, result: { tools: expect.any(Array) } })
    const note = await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([note.status, await note.text()]).toEqual([202, ''])
    const both = (await (await post([BODY, { ...BODY, id: 'b', method: 'ping' }])).json()) as { id: unknown }[]
    expect(both.map(({ id }) => id).sort()).toEqual([1, 'b'])
    expect((await post([CANCELLATION])).status).toBe(202)
  })

  it.each([[[]], ['mrr'], [7], [true]])('says what a tool takes that is given %j for arguments', async (given) => {
    const asked = async (name: string) => {
      const response = await post({ ...BODY, method: 'tools/call', params: { name, arguments: given } })
      return ((await response.json()) as { error: unknown }).error
    }
    const message = 'Arguments must be an object of values by name: '
    expect(await asked('get_customer')).toEqual({
      code: -32602,
      message: `${message}get_customer has the arguments id, source_id.`,
    })
    expect(await asked('list_metrics')).toEqual({ code: -32602, message: `${message}list_metrics has no arguments.` })
  })

  it('refuses to clients that describe themselves as the protocol does', async () => {
    const listed = described('tools/list')
    const answered = async ({ body, headers }: { body: object; headers: Record<string, string> }) => {
      const response = await post(body, headers)
      return { status: response.status, body: (await response.json()) as object }
    }
    expect(await answered(listed)).toMatchObject({ status: 200, body: { id: 1, result: { tools: expect.any(Array) } } })
    expect(await answered(described('tools/list', {}, '2099-01-01'))).toMatchObject({
      status: 400,
      body: { id: 1, error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2099-01-01' } } },
    })
    expect(await answered({ ...listed, headers: { 'mcp-protocol-version': '2026-07-28' } })).toMatchObject({
      status: 400,
      body: { id: 1, error: { code: -32020 } },
    })
    expect(await answered(described('ping'))).toMatchObject({ status: 404, body: { id: 1, error: { code: -32601 } } })
    const listening = { notifications: { toolsListChanged: true } }
    expect(await answered(described('subscriptions/listen', listening))).toMatchObject({ status: 200, body: { error: {} } })
  })

  it.each<readonly [what: string, body: unknown, headers: Record<string, string>, status: number, code: string]>([
    ['a page of another origin', BODY, { origin: 'https://evil.example' }, 403, 'forbidden'],
    ['another name of this machine', BODY, { host: 'evil.example' }, 403, 'forbidden_host'],
    ['a form', BODY, { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['no JSON', '{', {}, 400, 'invalid_json'],
    ['absurd nesting', `${'['.repeat(10_000)}${']'.repeat(10_000)}`, {}, 422, 'validation_failed'],
    ['no message', { a: 1 }, {}, 422, 'validation_failed'],
    ['an empty list', [], {}, 422, 'validation_failed'],
    ['two requests of one id', [BODY, { ...BODY, method: 'ping' }], {}, 422, 'validation_failed'],
    ['a version of the protocol that nobody knows', BODY, { 'mcp-protocol-version': '1999-01-01' }, 400, 'invalid_value'],
    ['more than a body may have', JSON.stringify('x'.repeat(2_000_000)), {}, 413, 'payload_too_large'],
  ])('refuses %s', async (_what, body, headers, status, code) => {
    const response = await post(body, headers)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ code })
  })

  it.each(['GET', 'DELETE', 'PUT'])('does not answer %s', async (method) => {
    const response = await serviceOver().app.request('/mcp', { method })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('tells nobody but the log what failed', async () => {
    const { app, logged } = serviceOver({ query: () => Promise.reject(new Error('a secret')) })
    const params = { name: 'query_metric', arguments: { metric: 'mrr' } }
    const body = JSON.stringify({ ...BODY, method: 'tools/call', params })
    const response = await app.request('/mcp', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result } = (await response.json()) as { result: { content: { text: string }[]; isError: boolean } }
    expect(result).toMatchObject({ isError: true })
    expect(result.content[0]?.text).toBe('Refused (internal): The service could not answer because of an internal error.')
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ message: 'failure', query: 'mcp.query_metric' }])
    expect(logged.join()).not.toContain('a secret')
  })

  const question = { name: 'query_metric', arguments: { metric: 'mrr' } }
  it.each([
    ['began with initialize', { body: { ...BODY, method: 'tools/call', params: question }, headers: {} }],
    ['describes itself', described('tools/call', question)],
  ])('ends what was asked when a client that %s leaves', async (_which, sent) => {
    let cancelled: () => void = () => {}
    const hasEnded = new Promise<void>((resolve) => {
      cancelled = resolve
    })
    const leaving = new AbortController()
    const { app, logged } = serviceOver({
      query: (_metric, _params, _spec, options) =>
        new Promise((_resolve, reject) => {
          options?.signal?.addEventListener('abort', () => {
            cancelled()
            reject(new Error('cancelled'))
          })
          setTimeout(() => leaving.abort(), 20)
        }),
    })
    const server = await startServer(app, { host: '127.0.0.1', port: 0, graceMs: 200 })
    const headers = { 'content-type': 'application/json', ...sent.headers }
    const init = { method: 'POST', headers, body: JSON.stringify(sent.body), signal: leaving.signal }
    await expect(fetch(`${server.url}/mcp`, init)).rejects.toThrow()
    await hasEnded
    await server.stop()
    expect(logged).toEqual([])
  })
})

import { prepareSampleData } from '../../../../src/app/demo/sample-data.ts'
import type { Examples } from '../../../../src/facades/http/openapi/show-examples.ts'
import type { MetricDefinition } from '../../../../src/metrics/define-metric.ts'
import { startRatePublisher } from '../rate-publisher.ts'
import { metricExamples } from './metric-examples.ts'
import { recordLinks } from './record-links.ts'
import { createRecorder } from './recorder.ts'
import { openSampleService } from './sample-service.ts'

const BOOKS = `id,date,vendor,account,account_type,amount,currency,kind,status
E-17,2026-10-05,Acme Hosting,Hosting,cogs,120.50,USD,,
B-4,2026-10-10,Lewis & Partner,Legal,expense,1000,USD,bill,open
`
const GERMANY = { root: { op: 'and', conditions: [{ field: 'customer_country', op: '=', value: 'DE' }] } }
const MONTH = { start: '2026-10-01', end: '2026-10-31' }

/** An example of every operation that speaks JSON: what somebody asks who goes through the service over the sample data. */
export async function recordExamples(): Promise<Examples> {
  const publisher = await startRatePublisher()
  const service = await openSampleService({
    isCached: false,
    prepare: prepareSampleData,
    configure: (config) => ({ ...config, fx: { ecb_url: publisher.url } }),
  })
  const { app, engine, now, toy } = service
  const document = JSON.parse(await (await app.request('/openapi.json')).text())
  const recorder = createRecorder(app, document, now)
  const { ask, call, examples } = recorder
  try {
    await askAll(recorder, {
      now,
      metrics: engine.metrics().flatMap((name) => engine.metric(name) ?? []),
      // Of what was changed at one instant the drawn ids decide the order.
      async keepSegment(kept) {
        for (const { id } of await engine.segments.list()) if (id !== kept) await engine.segments.delete(id)
      },
      flush: () => engine.auth.flush(),
      askSources,
    })
    return { ...examples(), ...(await recordLinks()) }
  } finally {
    await service.close()
    await publisher.close()
  }

  async function askSources() {
    await ask('add_source', { body: { type: 'toy', config: { company: '7' } } })
    const path = { type: 'toy' }
    const { body: consent, cookie } = await ask('start_consent', { path })
    const sent = await fetch(consent.authorize_url, { redirect: 'manual' })
    const { searchParams } = new URL(sent.headers.get('location') ?? '')
    call(searchParams.get('state') ?? '', 'what-ties-it-to-this-browser')
    call(searchParams.get('code') ?? '', 'what-the-platform-gave')
    call(toy.url, 'https://books.example.com')
    await ask('end_consent', { path, query: Object.fromEntries(searchParams), headers: { cookie } })
    const body = { events: [{ company: '7', entity: 'Bill', id: '12', operation: 'update' }] }
    const signature = toy.sign(JSON.stringify(body))
    await ask('webhook', { path: { address: 'toy' }, body, headers: { 'x-webhook-signature': signature } })
    await service.giveUp('The platform answers 500.')
    const of = { id: 'toy-7' }
    const { body: letters } = await ask('dead_letters', { path: of })
    call(letters.rows[0].id, '5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c003')
    await ask('dead_letters', { path: of })
    await ask('retry_dead_letters', { path: of, body: { ids: 'all' } })
    await service.giveUp('The platform answers 500.')
    await ask('drop_dead_letter', { path: { ...of, letter: letters.rows[0].id } })
    await ask('sources')
    const { body: started } = await ask('backfill_source', { path: of, body: { since: '2026-01-01' } })
    call(started.run_id, '5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c004')
    await ask('disconnect_source', { path: of })
  }
}

/** The service and the data that the questions depend on. */
interface Asked {
  readonly now: string
  readonly metrics: readonly MetricDefinition[]
  /** Deletes all segments but one. */
  keepSegment(id: string): Promise<void>
  /** Waits until the audit log is written. */
  flush(): Promise<void>
  /** Connects a company of an accounting platform. */
  askSources(): Promise<void>
}

/** Asks everything that speaks JSON. */
export async function askAll(
  { ask, call }: Pick<ReturnType<typeof createRecorder>, 'ask' | 'call'>,
  asked: Asked,
): Promise<void> {
  await ask('healthz')
  await ask('readyz')
  await ask('checks')
  // A check that reads the same rows however fast the machine is.
  await ask('verify', { query: { ...MONTH, check: 'rates_complete' } })
  await ask('verify_checks')
  await ask('metrics')
  await ask('metric_fields', { path: { metric: 'mrr' } })
  await ask('field_values', { path: { metric: 'churn', field: 'cancel_reason' }, query: { search: 'exp' } })
  await ask('tenants')
  await ask('definitions')
  await ask('metric_bridge', { path: { metric: 'mrr' }, query: { from: 'plumbline', to: 'default', at: MONTH.end } })
  await ask('metric_rows', { path: { metric: 'mrr' }, query: { at: MONTH.end, limit: '1' } })
  await askBooks()
  await askRates()
  await askMetrics()
  await askRecords()
  await askSegments()
  await askNotes()
  await askAttributes()
  await askDashboards()
  await askDeliveries()
  await askMcp()
  await asked.askSources()
  await askAuth()

  async function askMetrics() {
    await ask('summary', { query: { end: MONTH.end } })
    for (const definition of asked.metrics)
      for (const route of definition.routes)
        for (const sent of metricExamples(definition, route, new Date(asked.now))) {
          const operationId = route.path.replaceAll(/[/-]/g, '_')
          await ask(operationId, sent)
        }
    await ask('query_metric', {
      path: { metric: 'mrr' },
      body: {
        params: { query_type: 'breakdown', ...MONTH },
        spec: { dimensions: ['plan_id'], filters: { currency: ['USD', 'EUR'], plan_interval: { '!=': 'year' } } },
      },
    })
    await ask('mrr', { name: 'forecast', query: { range: 'next-3-months', forecast: 'true' } })
    await ask('mrr', { name: 'refused', query: { dimensions: 'plan' } })
  }

  async function askRecords() {
    const { body } = await ask('customers', { query: { limit: '2' } })
    await ask('customer', { path: { id: body.rows[0].external_key } })
    await ask('subscriptions', { query: { filter: 'status=active', limit: '2' } })
    await ask('invoices', { query: { filter: 'status=open', limit: '2' } })
    await ask('renewals', { query: { range: 'next-3-months', limit: '2' } })
    await ask('billings', { query: { next: '1m', limit: '2' } })
    const open = await ask('ledger_open_invoices', { query: { at: '2026-06-30', limit: '2' } })
    await ask('ledger_schedule', { query: { invoice_id: open.body.rows[0].invoice_id, limit: '2' } })
    await ask('ledger_journal', { query: { start: '2026-06-01', end: '2026-06-30' } })
    await ask('invoice_ages', { query: { filter: 'customer_country=DE' } })
    const { body: found } = await ask('billing_findings', { query: { limit: '2' } })
    const { class: kind, subscription_id, source_id } = found.rows[0]
    const state = { state: 'no_error', note: 'Billed by hand until June' }
    const { body: mark } = await ask('create_billing_mark', { body: { kind, source_id, subscription_id, ...state } })
    call(mark.id, '5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c009')
    await ask('billing_marks')
    await ask('billing_health', { query: {} })
    await ask('delete_billing_mark', { path: { id: mark.id } })
    await ask('billing_notices', { query: { limit: '2' } })
  }

  async function askSegments() {
    const { body: saved } = await ask('create_segment', { body: { name: 'Germany', definition: GERMANY } })
    call(saved.id, '5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c001')
    await asked.keepSegment(saved.id)
    await ask('segment_fields')
    await ask('validate_segment', { body: GERMANY })
    await ask('segment', { path: { id: saved.id } })
    await ask('update_segment', { path: { id: saved.id }, body: { description: 'Customers in Germany' } })
    await ask('segments')
    await ask('segment_fields')
    await ask('delete_segment', { path: { id: saved.id } })
  }

  async function askNotes() {
    const { body: note } = await ask('create_note', { body: { day: '2026-10-05', text: 'New prices for new customers' } })
    call(note.id, '5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c009')
    await ask('update_note', { path: { id: note.id }, body: { metric: 'mrr' } })
    await ask('note', { path: { id: note.id } })
    await ask('notes', { query: MONTH })
    await ask('delete_note', { path: { id: note.id } })
    const { body: goal } = await ask('create_goal', { body: { metric: 'mrr', period: '2026-12', value: 6_000_000 } })
    call(goal.id, '5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c010')
    await ask('update_goal', { path: { id: goal.id }, body: { value: 6_500_000 } })
    await ask('goal', { path: { id: goal.id } })
    await ask('goals')
    await ask('import_goals', {
      form: { dry_run: 'true', file: 'metric,period,value\nmrr,2026-12,60000\ncustomers,2026-Q4,120\nlogo_churn,2026-12,2%\n' },
    })
    await ask('delete_goal', { path: { id: goal.id } })
  }

  async function askAttributes() {
    await ask('declare_attribute', { body: { key: 'region', type: 'string', label: 'Region' } })
    await ask('update_attribute', { path: { key: 'region' }, body: { description: 'Where we sell' } })
    const id = 'alpha-acc-0001'
    await ask('set_attributes', { path: { id }, body: { attributes: { region: 'north' } } })
    await ask('import_attributes', { form: { file: 'external,region\nalpha-acc-0002,south\n' } })
    await ask('attributes')
    await ask('attribute_values', { path: { key: 'region' } })
    await ask('customer_attributes', { query: { key: 'region' } })
    await ask('delete_attribute_value', { path: { id, key: 'region' } })
  }

  async function askMcp() {
    const params = { name: 'query_metric', arguments: { metric: 'mrr', at: MONTH.end, compare_to: 'previous' } }
    await ask('mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } })
  }

  async function askDashboards() {
    const { body: chart } = await ask('create_chart', {
      body: { name: 'MRR by plan', config: { path: 'mrr/breakdown', chart: 'bar' } },
    })
    call(chart.id, '5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c005')
    await ask('update_chart', { path: { id: chart.id }, body: { name: 'Recurring revenue by plan' } })
    await ask('charts')
    const { body: made } = await ask('create_dashboard', { body: { name: 'Monday', description: 'What we look at first' } })
    call(made.id, '5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c006')
    const path = { id: made.id }
    const { body: section } = await ask('add_section', { path, body: { title: 'Revenue' } })
    call(section.id, '5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c007')
    await ask('update_section', { path: { ...path, sid: section.id }, body: { position: 1 } })
    const { body: placed } = await ask('place_chart', { path, body: { saved_chart_id: chart.id, section_id: section.id } })
    call(placed.id, '5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c008')
    await ask('move_chart', { path: { ...path, cid: placed.id }, body: { position: 2 } })
    await ask('update_dashboard', { path, body: { description: null } })
    await ask('dashboards')
    await ask('dashboard', { path })
    await ask('remove_chart', { path: { ...path, cid: placed.id } })
    await ask('delete_section', { path: { ...path, sid: section.id } })
    await ask('delete_dashboard', { path })
    await ask('delete_chart', { path: { id: chart.id } })
  }

  async function askDeliveries() {
    const when = { every: 'week', weekday: 'monday', hour: 7, zone: 'Europe/Berlin' }
    const to = [{ kind: 'mail', address: 'finance@example.com' }]
    const { body: made } = await ask('create_delivery', { body: { name: 'Every Monday', briefing: 'weekly', when, to } })
    const path = { id: made.id }
    call(made.id, '5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c009')
    const params = { query_type: 'revenue', range: 'last-month' }
    const condition = { kind: 'figure', metric: 'churn', params, is: 'above', value: 0.5 }
    await ask('update_delivery', { path, body: { name: 'Churn', briefing: null, condition } })
    await ask('deliveries')
    await ask('delivery', { path })
    await ask('test_delivery', { path })
    await ask('preview_delivery', { path })
    await ask('delivery_runs', { path })
    await ask('delete_delivery', { path })
  }

  async function askBooks() {
    await ask('import_expenses', { form: { source: 'bank', file: BOOKS } })
    await ask('bills')
    await ask('lines')
    await ask('vendors')
  }

  async function askRates() {
    await ask('import_fx_rates', { form: { file: 'date,from,to,rate\n2026-10-01,CHF,USD,1.25\n2026-10-02,CHF,USD,none\n' } })
    await ask('fx_rates', { query: { latest: 'true' } })
    await ask('missing_fx_rates')
    // Into another currency, so that no other example changes.
    await ask('fetch_fx_rates', { body: { to: 'GBP', since: '2026-11-01' } })
  }

  async function askAuth() {
    await ask('auth_config')
    await ask('auth_me')
    const { body: made } = await ask('create_key', { body: { name: 'Grafana', scopes: ['read:aggregate'] } })
    call(made.id, '5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c005')
    call(made.key, 'pl_the-key-itself-which-nobody-can-read-again-')
    call(made.key_prefix, 'pl_the-key-')
    await ask('keys')
    await ask('revoke_key', { path: { id: made.id } })
    await asked.flush()
    await ask('audit', { query: { action: 'key.create' } })
  }
}

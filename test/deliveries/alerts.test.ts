import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import type { DeliveryParts } from '../../src/facades/deliveries/parts.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { DAILY, type Receivers, receivers, type Sending, sealingStore, sendingOver } from '../support/product/sending.ts'

oneEngineInRotation('alerts', (target) => {
  let kept: Awaited<ReturnType<typeof sealingStore>>
  let all: Receivers
  let engine: Engine
  let sending: Sending
  /** The answer to the question of a figure, in place of the engine. */
  let figure: number | null = 0
  let day = 20
  beforeAll(async () => {
    ;[kept, all] = [await sealingStore(target), await receivers()]
    engine = await engineOver(await sharedReal(target), { tenant: ['alpha'], store: kept.open() })
  })
  beforeEach(async () => {
    sending = over(engine)
    for (const { id } of await sending.deliveries.list()) await sending.deliveries.remove(id)
    day = 20
  })
  afterAll(async () => {
    await Promise.all([all.close(), engine.close()])
    await kept.place.remove()
  })
  const over = (used: Engine, options: Partial<DeliveryParts> = {}) => sendingOver(used, all, options)
  /** An engine whose churn is `figure`. Everything else is real. */
  const withFigure = (): Engine => ({
    ...engine,
    query: async (metric, params, spec, options) => {
      const answer = await engine.query(metric, params, spec, options)
      return metric === 'churn' ? { ...answer, data: figure } : answer
    },
  })
  const CHURN = {
    kind: 'figure',
    metric: 'churn',
    params: { query_type: 'revenue', range: 'last-month' },
    is: 'above',
    value: 0.05,
  }
  const alert = async (condition: object, more: object = {}, used = sending) => {
    const to = [{ kind: 'mail', address: 'finance@example.com' }]
    const made = await used.ask('POST', 'deliveries', { name: 'Watch', condition, when: DAILY, to, ...more })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return made.body.id as string
  }
  /** Runs the next day, and gives the mails of it and the end of the run. */
  const nextDay = async (id: string, used = sending) => {
    const before = all.mail.received.length
    day += 1
    await used.runAt(`2026-11-${day}T07:00:00Z`)
    expect(used.failures).toEqual([])
    const [run] = (await used.ask('GET', `deliveries/${id}/runs`)).body
    return { mails: all.mail.received.slice(before).map(({ mail }) => mail), run }
  }

  it('tells a figure when it becomes true, once when it is false again, and nothing in between', async () => {
    const used = over(withFigure())
    figure = 0.01
    const id = await alert(CHURN, {}, used)
    const said: (string | undefined)[] = []
    for (const next of [0.01, 0.06, 0.07, null, 0.08, 0.02, 0.01, 0.09]) {
      figure = next
      const { mails, run } = await nextDay(id, used)
      expect(run.status).toBe(mails.length === 0 ? 'silent' : 'sent')
      said.push(mails[0]?.subject)
    }
    const rate = 'Revenue churn'
    expect(said.map((subject) => subject?.replace(/^Watch: /, ''))).toEqual([
      undefined,
      `${rate} is above 5.00%: ${rate} 6.00%`,
      ...[undefined, undefined, undefined],
      `${rate} is no longer above 5.00%: ${rate} 2.00%`,
      undefined,
      `${rate} is above 5.00%: ${rate} 9.00%`,
    ])
  })

  it('waits until a figure has held for some runs in a row', async () => {
    const used = over(withFigure())
    figure = 0
    const id = await alert({ ...CHURN, hold: 3 }, {}, used)
    const told: number[] = []
    for (const next of [0.06, 0.06, 0, 0.06, 0.06, 0.06, 0.06, 0, 0.06]) {
      figure = next
      told.push((await nextDay(id, used)).mails.length)
    }
    expect(told).toEqual([0, 0, 0, 0, 0, 1, 0, 1, 0])
  })

  it('brings the reason and the five largest rows, with the numbers of the API, and the address of the page', async () => {
    const params = { query_type: 'revenue', range: 'last-month' }
    const id = await alert(
      { ...CHURN, value: 0.001 },
      {
        to: [
          { kind: 'webhook', form: 'json', url: all.hook.url },
          { kind: 'mail', address: 'a@example.com' },
        ],
      },
    )
    const { mails, run } = await nextDay(id)
    expect(run.status).toBe('sent')
    const { briefing } = JSON.parse(all.hook.hooks.at(-1)?.body ?? '')
    const [first, why, rows] = briefing.blocks
    const rate = (
      await sending.ask('GET', `metrics/churn?${new URLSearchParams(params)}`.replace('query_type=revenue', 'type=revenue'))
    ).body
    expect(first.figures[0]).toMatchObject({ value: rate, unit: 'fraction', days: '2026-10-01 to 2026-10-31' })
    expect(first.page).toMatch(/^churn\?.*start=2026-10-01&end=2026-10-31/)
    const told = (await sending.ask('GET', 'metrics/mrr/why?start=2026-10-01&end=2026-10-31&limit=5')).body
    expect(why.sentences).toEqual([...told.sentences, ...told.movers.map(({ text }: { readonly text: string }) => text)])
    const behind = (await sending.ask('GET', 'metrics/churn/rows?query_type=revenue&range=last-month&limit=5')).body
    expect(rows.rows.length).toBe(5)
    expect(rows.rows.map((row: readonly unknown[]) => row.at(-1))).toEqual(
      behind.rows.map((row: { readonly amount_base_cents: number }) => row.amount_base_cents),
    )
    expect(mails[0]?.html).toContain('https://plumbline.example.com/churn?')
    // A figure that still holds has no second message.
    expect((await sending.ask('POST', `deliveries/${id}/preview`)).body).toMatchObject({
      sends: false,
      reason: expect.stringContaining('still above'),
    })
  })

  it('compares with the period before, and takes a figure of the summary', async () => {
    const compared = (await sending.ask('GET', 'metrics/mrr?at=2026-10-31&compare_to=previous')).body
    expect(compared.change_rate).toBeGreaterThan(0.06)
    const mrr = {
      kind: 'figure',
      metric: 'mrr',
      params: { query_type: 'current', at: '2026-10-31' },
      against: 'before',
      is: 'above',
    }
    const [less, more] = [await alert({ ...mrr, value: 0.06 }), await alert({ ...mrr, value: 0.061 })]
    expect((await sending.ask('POST', `deliveries/${less}/preview`)).body).toMatchObject({
      sends: true,
      subject: expect.stringContaining('Watch: The change of MRR since the period before is above 6.00%: MRR 48,518.82 USD'),
    })
    expect((await sending.ask('POST', `deliveries/${more}/preview`)).body.sends).toBe(false)
    const count = (await sending.ask('GET', 'metrics/summary')).body.active_customers
    const summary = { kind: 'figure', metric: 'summary', params: {}, field: 'active_customers', is: 'below', value: count }
    expect((await sending.ask('POST', `deliveries/${await alert(summary)}/preview`)).body.sends).toBe(false)
    expect((await sending.ask('POST', `deliveries/${await alert({ ...summary, value: count + 1 })}/preview`)).body.sends).toBe(
      true,
    )
  })

  it.each([
    ['an unknown metric', { ...CHURN, metric: 'chrun' }, /^body\.condition\.metric$/, 'Unknown metric'],
    [
      'an unknown parameter value',
      { ...CHURN, params: { query_type: 'revenue', range: 'lastmonth' } },
      /^body\.condition\.params\.range$/,
      'range',
    ],
    [
      'a series',
      { ...CHURN, metric: 'mrr', params: { query_type: 'series', range: 'last-3-months' } },
      /^body\.condition\.params$/,
      'must answer one number',
    ],
    [
      'groups',
      { ...CHURN, params: { ...CHURN.params, dimensions: 'plan_id' } },
      /^body\.condition\.params$/,
      'must answer one number',
    ],
    [
      'an own comparison',
      { ...CHURN, params: { ...CHURN.params, compare_to: 'year' } },
      /^body\.condition\.params$/,
      'must not have compare_to',
    ],
    [
      'a figure that the summary lacks',
      { ...CHURN, metric: 'summary', params: {}, field: 'profit' },
      /^body\.condition\.field$/,
      'must be one of mrr, arr',
    ],
    ['an unknown movement', { kind: 'rows', movements: ['loss'], least_cents: 1 }, /^body\.condition\.movements\.0$/, 'churn'],
    ['an amount below zero', { kind: 'rows', movements: ['churn'], least_cents: -1 }, /^body\.condition\.least_cents$/, '0 to'],
    ['an unknown check', { kind: 'service', checks: ['cpu'] }, /^body\.condition\.checks\.0$/, 'lag'],
    ['no kind', { movements: [] }, /^body\.condition(\.kind)?$/, '"figure", "rows" or "service"'],
  ])('refuses %s', async (_name, condition, where, message) => {
    const to = [{ kind: 'mail', address: 'finance@example.com' }]
    const { status, body } = await sending.ask('POST', 'deliveries', { name: 'Watch', condition, when: DAILY, to })
    expect([status, body.code], JSON.stringify(body)).toEqual([422, 'validation_failed'])
    expect(body.issues).toContainEqual(
      expect.objectContaining({ where: expect.stringMatching(where), message: expect.stringContaining(message) }),
    )
  })

  it('tells each large movement once, those recorded late too, with what the billing database records', async () => {
    const condition = { kind: 'rows', movements: ['churn', 'contraction'], least_cents: 20_000 }
    const movers = (
      (await sending.ask('GET', 'metrics/mrr/why?start=2026-10-17&end=2026-11-21&limit=1000')).body.movers as readonly {
        readonly movement_type: string
        readonly amount_base: number
        readonly text: string
      }[]
    ).filter(({ movement_type, amount_base }) => condition.movements.includes(movement_type) && Math.abs(amount_base) >= 20_000)
    expect(movers.length).toBeGreaterThan(3)
    // Movements that exist at the creation are known.
    const id = await alert(condition)
    expect((await nextDay(id)).run).toMatchObject({ status: 'silent', error: 'There are no new movements of that amount.' })
    // Two movements appear later, as if they had been recorded only now.
    const hidden = movers.slice(1, 3).map(({ text }) => text)
    let isRecorded = false
    const late: Engine = {
      ...engine,
      query: async (metric, params, spec, options) => {
        const answer = await engine.query(metric, params, spec, options)
        if (metric !== 'mrr' || params?.['query_type'] !== 'why' || isRecorded) return answer
        const data = answer.data as { readonly movers: typeof movers }
        return { ...answer, data: { ...data, movers: data.movers.filter(({ text }) => !hidden.includes(text)) } }
      },
    }
    const used = over(late)
    const other = await alert(condition, {}, used)
    expect((await nextDay(other, used)).mails).toEqual([])
    isRecorded = true
    const { mails } = await nextDay(other, used)
    expect(mails.length).toBe(1)
    for (const { text } of movers) expect(mails[0]?.text?.includes(text), text).toBe(hidden.includes(text))
    expect(mails[0]?.text).toMatch(/Recorded: .* on 2026-1[01]-\d\d/)
    expect(mails[0]?.subject).toBe('Watch: 2 new movements')
    expect((await nextDay(other, used)).run.status).toBe('silent')
  })

  it('tells each state of the service once, and when it is well again', async () => {
    let [lag, missing] = [10, 0]
    const watched: Engine = {
      ...engine,
      readiness: async () => {
        const known = await engine.readiness()
        const replica = { ...known.checks.replica, role: 'replica' as const, ok: lag <= 300, lag_seconds: lag }
        return { ...known, checks: { ...known.checks, replica } }
      },
      rates: {
        ...engine.rates,
        missing: async () =>
          missing === 0
            ? []
            : [{ from: 'CHF', to: 'USD', first_day: '2026-11-01', last_day: '2026-11-20', count: missing, rates_since: null }],
      },
    }
    const used = over(watched)
    const id = await alert({ kind: 'service', checks: ['lag', 'exchange_rates', 'billing_health'] }, {}, used)
    const subjects: (string | undefined)[] = []
    for (const [behind, lacking] of [
      [10, 0],
      [900, 0],
      [900, 2],
      [900, 3],
      [10, 3],
      [10, 0],
      [10, 0],
    ] as const) {
      ;[lag, missing] = [behind, lacking]
      subjects.push((await nextDay(id, used)).mails[0]?.subject)
    }
    expect(subjects).toEqual([
      undefined,
      'Watch: The billing data is behind',
      'Watch: An exchange rate is missing',
      undefined,
      'Watch: The billing data is behind no longer',
      'Watch: An exchange rate is missing no longer',
      undefined,
    ])
  })

  it('counts only the customers of a segment', async () => {
    const definition = { root: { op: 'and', conditions: [{ field: 'customer_country', op: '=', value: 'DE' }] } }
    const { body: segment } = await sending.ask('POST', 'segments', { name: 'Germany', definition })
    const own = (await sending.ask('GET', 'metrics/mrr?segment=Germany')).body as number
    const params = { query_type: 'current' }
    const id = await alert(
      { kind: 'figure', metric: 'mrr', params, is: 'above', value: own - 1 },
      { segment: 'Germany', briefing: 'weekly', to: [{ kind: 'webhook', form: 'json', url: all.hook.url }] },
    )
    await nextDay(id)
    const { briefing } = JSON.parse(all.hook.hooks.at(-1)?.body ?? '')
    expect(briefing.title).toMatch(/\(segment Germany\)$/)
    expect(briefing.blocks[0].figures[0].value).toBe(own)
    const summary = (await sending.ask('GET', 'metrics/summary?end=2026-11-15&segment=Germany')).body
    const figures = briefing.blocks.flatMap((block: { readonly figures?: readonly object[] }) => block.figures ?? [])
    expect(figures).toContainEqual(
      expect.objectContaining({ title: 'MRR', value: summary.mrr, days: 'at the end of 2026-11-15' }),
    )
    for (const { page } of briefing.blocks) expect(page).toContain('segment=Germany')
    expect((await sending.ask('DELETE', `segments/${segment.id}`)).status).toBe(200)
  })
})

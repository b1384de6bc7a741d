import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApp } from '../../src/facades/http/app.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { type RealService, type Reply, realService } from '../support/product/recorded-service.ts'
import { storeAt } from '../support/product/store-with-books.ts'

const HOSTILE = ['"><script>alert(1)</script>', '=HYPERLINK("http://evil.example")', '<!channel>', "it's \\ % 😀"]
const NOBODY = '00000000-0000-4000-8000-000000000000'

oneEngineInRotation('notes and goals', (target) => {
  let service: RealService
  beforeAll(async () => {
    service = await realService(target, { tenant: ['alpha', 'beta'], workspace: 'ours' })
  })
  afterAll(() => service.close())
  const ask = (method: string, path: string, body?: unknown) => service.ask(method, path, body)
  const issuesOf = ({ status, body }: Reply) => [status, body.code, body.issues.map(({ where }: { where: string }) => where)]
  /** Another service over the same store. */
  const beside = async (options: Parameters<typeof engineOver>[1]) => {
    const engine = await engineOver(await sharedReal(target), { ...options, store: storeAt(service.place) })
    const app = createApp({ engine, version: '0', corsOrigins: [], limits: { body_bytes: 100_000 }, log: () => {} })
    return {
      close: () => engine.close(),
      async ask(method: string, path: string, body?: unknown) {
        const sent = body === undefined ? {} : { body: JSON.stringify(body) }
        const response = await app.request(`/api/${path}`, { method, headers: JSON_BODY, ...sent })
        return { status: response.status, body: JSON.parse(await response.text()) } satisfies Reply
      },
    }
  }

  it('a note is kept as it was written, changes in part, and is deleted', async () => {
    for (const text of HOSTILE) {
      const { status, body } = await ask('POST', 'notes', { day: '2026-10-05', text, metric: 'mrr', tenant: 'beta' })
      expect([status, body.text, body.created_by, body.warnings]).toEqual([201, text, null, []])
      expect(await ask('GET', `notes/${body.id}`)).toEqual({ status: 200, body })
      expect((await ask('PUT', `notes/${body.id}`, { metric: null })).body).toMatchObject({
        status: 'updated',
        text,
        metric: null,
        tenant: 'beta',
      })
      expect((await ask('PUT', `notes/${body.id}`, { day: '2026-10-06' })).body).toMatchObject({
        day: '2026-10-06',
        metric: null,
      })
      expect(await ask('DELETE', `notes/${body.id}`)).toEqual({ status: 200, body: { status: 'deleted' } })
      expect((await ask('DELETE', `notes/${body.id}`)).status).toBe(404)
    }
    for (const id of [NOBODY, "' or 1=1"])
      for (const [method, body] of [['GET'], ['PUT', {}], ['DELETE']] as const)
        expect((await ask(method, `notes/${id}`, body)).status, `${method} ${id}`).toBe(404)
  })

  it.each([
    [{}, ['body.day', 'body.text']],
    [{ day: '2026-02-30', text: '' }, ['body.day', 'body.text']],
    [{ day: '2026-10-05', text: 'x'.repeat(201) }, ['body.text']],
    [{ day: '2026-10-05', text: 'two\nlines' }, ['body.text']],
    [{ day: '2026-10-05', text: 'bell\u0007' }, ['body.text']],
    [{ day: '2026-10-05', text: ' blank' }, ['body.text']],
    [{ day: '2026-10-05', text: 'x', colour: 'red' }, ['body.colour']],
    [{ day: '2026-10-05', text: 'x', metric: 'mr', tenant: 'gamma' }, ['body.metric', 'body.tenant']],
  ])('a note is refused with everything that is wrong: %j', async (body, places) => {
    expect(issuesOf(await ask('POST', 'notes', body))).toEqual([422, 'validation_failed', places])
  })

  it('a text of 200 characters outside the basic plane fits', async () => {
    const { status, body } = await ask('POST', 'notes', { day: '2026-10-05', text: '😀'.repeat(200) })
    expect(status).toBe(201)
    await ask('DELETE', `notes/${body.id}`)
  })

  it('notes are listed by days and metric', async () => {
    const made: string[] = []
    for (const [day, text, metric] of [
      ['2026-10-31', 'c', 'churn'],
      ['2026-10-01', 'a', null],
      ['2026-11-01', 'd', 'mrr'],
      ['2026-10-02', 'b', 'mrr'],
    ])
      made.push((await ask('POST', 'notes', { day, text, metric })).body.id)
    const texts = async (query: string) =>
      (await ask('GET', `notes${query}`)).body.map(({ text }: { text: string }) => text).join('')
    expect(await texts('')).toBe('abcd')
    expect(await texts('?start=2026-10-01&end=2026-10-31')).toBe('abc')
    expect(await texts('?metric=mrr')).toBe('abd')
    expect(await texts('?metric=mrr&end=2026-10-31')).toBe('ab')
    expect(await texts('?range=this-month')).toBe('d')
    expect((await ask('GET', 'notes?start=2026-11-02&end=2026-11-01')).status).toBe(400)
    expect((await ask('GET', 'notes?days=3')).status).toBe(400)
    for (const id of made) await ask('DELETE', `notes/${id}`)
  })

  it('no number changes with notes and goals', async () => {
    const paths = [
      'mrr?range=last-6-months',
      'summary?end=2026-10-31',
      'churn?range=last-month',
      'mrr/breakdown?range=last-month',
    ]
    const numbers = async () => JSON.stringify(await Promise.all(paths.map((path) => ask('GET', `metrics/${path}`))))
    const before = await numbers()
    const { body: note } = await ask('POST', 'notes', { day: '2026-10-15', text: 'New prices' })
    const { body: goal } = await ask('POST', 'goals', { metric: 'mrr', period: '2026-10', value: 1 })
    expect(await numbers()).toBe(before)
    await ask('DELETE', `notes/${note.id}`)
    await ask('DELETE', `goals/${goal.id}`)
  })

  it('a goal names its number by metric, query type, figure or column, and has the base currency', async () => {
    for (const [given, number] of [
      [{ metric: 'mrr', value: 5_000_000 }, ['mrr', 'mrr', true, 'money', 'USD']],
      [{ metric: 'mrr', query_type: 'arr', value: 60_000_000 }, ['mrr', 'arr', true, 'money', 'USD']],
      [{ metric: 'customers', value: 120 }, ['ltv', 'active_customers', true, 'count', null]],
      [{ metric: 'churn', value: 0.02 }, ['churn', 'logo_churn_rate', false, 'fraction', null]],
      [{ metric: 'retention', query_type: 'nrr', value: 1.05 }, ['retention', 'retention_rate', false, 'fraction', null]],
      [{ metric: 'started', value: 40 }, ['trials', 'started', false, 'count', null]],
      [{ metric: 'ltv', query_type: 'sale_price', value: 4_000 }, ['ltv', 'average_sale_price', false, 'money', 'USD']],
    ] as const) {
      const { status, body } = await ask('POST', 'goals', { period: '2026-Q4', ...given })
      expect([status, body.metric, body.measure, body.is_level, body.unit, body.currency]).toEqual([201, ...number])
      expect((await ask('POST', 'goals', { period: '2026-Q4', ...given })).status).toBe(409)
      expect((await ask('PUT', `goals/${body.id}`, { value: 7 })).body).toMatchObject({ status: 'updated', value: 7 })
      expect((await ask('PUT', `goals/${body.id}`, { period: '2026-10' })).status).toBe(422)
      expect(await ask('DELETE', `goals/${body.id}`)).toEqual({ status: 200, body: { status: 'deleted' } })
    }
  })

  it('MRR on a day and MRR as a series are one number', async () => {
    const { body } = await ask('POST', 'goals', { metric: 'mrr', query_type: 'current', period: '2026-10', value: 1 })
    expect((await ask('POST', 'goals', { metric: 'mrr', query_type: 'series', period: '2026-10', value: 1 })).status).toBe(409)
    const { body: narrowed } = await ask('POST', 'goals', {
      metric: 'mrr',
      period: '2026-10',
      value: 1,
      filter: ['tenant=beta', 'currency=EUR', 'tenant=beta'],
    })
    expect(narrowed.filter).toEqual(['currency=EUR', 'tenant=beta'])
    expect((await ask('GET', 'goals')).body.map(({ id }: { id: string }) => id)).toEqual([body.id, narrowed.id])
    await ask('DELETE', `goals/${body.id}`)
    await ask('DELETE', `goals/${narrowed.id}`)
  })

  it.each([
    [{}, ['body.metric', 'body.period', 'body.value']],
    [{ metric: 'mrr', period: '2026-13', value: 1 }, ['body.period']],
    [{ metric: 'mrr', period: '2026-Q0', value: 1 }, ['body.period']],
    [{ metric: 'mrr', period: '2026', value: '1' }, ['body.period', 'body.value']],
    [{ metric: 'mrr', period: '2026-10', value: -1 }, ['body.value']],
    [{ metric: 'mrr', period: '2026-10', value: 0.5 }, ['body.value']],
    [{ metric: 'churn', period: '2026-10', value: 20 }, ['body.value']],
    [{ metric: 'nothing', period: '2026-10', value: 1 }, ['body.metric']],
    [{ metric: 'retention', period: '2026-10', value: 1 }, ['body.metric']],
    [{ metric: 'summary', period: '2026-10', value: 1 }, ['body.metric']],
    [{ metric: 'mrr', query_type: 'why', period: '2026-10', value: 1 }, ['body.query_type']],
    [{ metric: 'mrr', period: '2026-10', value: 1, filter: ['plan'] }, ['body.filter.0']],
    [{ metric: 'mrr', period: '2026-10', value: 1, filter: ['plan=x'] }, ['body.filter']],
    [{ metric: 'mrr', period: '2026-10', value: 1, filter: ['tenant=gamma'] }, ['body.filter']],
    [{ metric: 'mrr', period: '2026-10', value: 1, currency: 'EUR' }, ['body.currency']],
  ])('a goal is refused with its place: %j', async (body, places) => {
    expect(issuesOf(await ask('POST', 'goals', body))).toEqual([422, 'validation_failed', places])
  })

  it('a refusal lists the numbers that may have goals', async () => {
    const { body } = await ask('POST', 'goals', { metric: 'retention', period: '2026-10', value: 1 })
    expect(body.detail).toMatch(
      /retention with the query type "cohort_matrix" does not have one number.*Goals are for .*\bnrr, grr\b.*\bstarted\b/,
    )
    const { body: unknown } = await ask('POST', 'goals', { metric: 'custmers', period: '2026-10', value: 1 })
    expect(unknown.issues[0].did_you_mean).toContain('customers')
  })

  it('a file sets goals in units, first only in words', async () => {
    const file =
      'period;metric;value;query_type\n2026-11;mrr;52000,50;\n2026-11;retention;101,5%;nrr\n2026-Q4;customers;120;\n2026-10;logo_churn;0,02;\n'
    const looked = await service.upload(file, { dry_run: 'true' }, 'goals/import')
    expect(looked).toMatchObject({ status: 200, body: { rows_read: 4, dry_run: true, created: 4, changed: 0, unchanged: 0 } })
    expect((await ask('GET', 'goals')).body).toEqual([])
    const values = looked.body.goals.map((goal: Record<string, unknown>) => [
      goal['measure'],
      goal['period'],
      goal['value'],
      goal['currency'],
    ])
    expect(values).toEqual([
      ['mrr', '2026-11', 5_200_050, 'USD'],
      ['retention_rate', '2026-11', 1.015, null],
      ['active_customers', '2026-Q4', 120, null],
      ['logo_churn_rate', '2026-10', 0.02, null],
    ])
    expect((await service.upload(file, {}, 'goals/import')).body).toMatchObject({ dry_run: false, created: 4 })
    const again = await service.upload(file.replace('120', '130'), {}, 'goals/import')
    expect(again.body).toMatchObject({ created: 0, changed: 1, unchanged: 3 })
    const kept = (await ask('GET', 'goals')).body
    expect(kept.map(({ value }: { value: number }) => value).sort()).toEqual([0.02, 1.015, 130, 5_200_050])
    for (const { id } of kept) await ask('DELETE', `goals/${id}`)
  })

  it('a file with anything wrong sets nothing, and lists every problem', async () => {
    const rows = [
      'mrr,2026-11,1',
      'mrr,2026-11,2',
      'mrr,Q4,=1+1',
      'retention,2026-11,1',
      'logo_churn,2026-11,50',
      'customers,2026-11,"1,200"',
      'mrr,2026-12,1.005',
      '"""><script>",2026-11,1',
    ]
    const { status, body } = await service.upload(`metric,period,value\n${rows.join('\n')}\n`, {}, 'goals/import')
    expect([status, body.code]).toEqual([400, 'invalid_csv'])
    expect(body.issues.map(({ where }: { where: string }) => where)).toEqual([
      ...['body.file[2].period', 'body.file[3].period', 'body.file[3].value', 'body.file[4].metric'],
      ...['body.file[5].value', 'body.file[6].value', 'body.file[7].value', 'body.file[8].metric'],
    ])
    expect((await service.upload('metric,value\nmrr,1\n', {}, 'goals/import')).body.code).toBe('invalid_csv')
    expect(
      (await service.upload('metric,period,value\nmrr,2026-11,1\n', { dry_run: 'yes' }, 'goals/import')).body.issues[0].where,
    ).toBe('body.dry_run')
    expect((await ask('GET', 'goals')).body).toEqual([])
  })

  it('another workspace sees none of them, and may set the same', async () => {
    const { body: note } = await ask('POST', 'notes', { day: '2026-10-05', text: 'ours' })
    const { body: goal } = await ask('POST', 'goals', { metric: 'mrr', period: '2026-10', value: 5 })
    const other = await beside({ tenant: ['alpha'], workspace: 'theirs' })
    for (const [path, id] of [
      ['notes', note.id],
      ['goals', goal.id],
    ]) {
      expect(await other.ask('GET', path)).toEqual({ status: 200, body: [] })
      expect((await other.ask('GET', `${path}/${id}`)).status).toBe(404)
      expect((await other.ask('PUT', `${path}/${id}`, path === 'notes' ? { text: 'x' } : { value: 1 })).status).toBe(404)
      expect((await other.ask('DELETE', `${path}/${id}`)).status).toBe(404)
    }
    expect((await other.ask('POST', 'goals', { metric: 'mrr', period: '2026-10', value: 6 })).status).toBe(201)
    await other.close()
    expect((await ask('GET', `goals/${goal.id}`)).body.value).toBe(5)
    await ask('DELETE', `notes/${note.id}`)
    await ask('DELETE', `goals/${goal.id}`)
  })

  it('a tenant that is no longer served, and another base currency, become warnings', async () => {
    const { body: note } = await ask('POST', 'notes', { day: '2026-10-05', text: 'of beta', tenant: 'beta' })
    const { body: ofTenant } = await ask('POST', 'goals', {
      metric: 'customers',
      period: '2026-10',
      value: 5,
      filter: ['tenant=beta'],
    })
    const { body: amount } = await ask('POST', 'goals', { metric: 'mrr', period: '2026-10', value: 5 })
    const later = await beside({ tenant: ['alpha'], workspace: 'ours', definitions: { base_currency: 'EUR' } })
    expect((await later.ask('GET', `notes/${note.id}`)).body.warnings).toEqual(['There is no tenant "beta".'])
    expect((await later.ask('GET', `goals/${ofTenant.id}`)).body.warnings).toEqual(['There is no tenant "beta".'])
    expect((await later.ask('GET', `goals/${amount.id}`)).body).toMatchObject({
      currency: 'USD',
      warnings: ['The goal is in USD, and the base currency is EUR: it is not compared. Set it again.'],
    })
    expect((await later.ask('PUT', `notes/${note.id}`, { text: 'still of beta' })).status).toBe(200)
    expect((await later.ask('PUT', `goals/${amount.id}`, { value: 4 })).body).toMatchObject({
      value: 4,
      currency: 'EUR',
      warnings: [],
    })
    for (const path of [`notes/${note.id}`, `goals/${ofTenant.id}`, `goals/${amount.id}`])
      expect((await later.ask('DELETE', path)).status).toBe(200)
    await later.close()
  })

  it('a service without a store refuses them', async () => {
    const engine = await engineOver(await sharedReal(target), { tenant: ['alpha'] })
    for (const call of [
      () => engine.notes.list(),
      () => engine.goals.list(),
      () => engine.notes.create({}),
      () => engine.goals.create({}),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'unsupported_by_connector', context: { missing: ['store'] } })
    await engine.close()
  })
})

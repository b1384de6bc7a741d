import { beforeAll, expect, it } from 'vitest'
import { createApp } from '../../src/facades/http/app.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

interface Refusal {
  readonly code: string
  readonly issues: readonly { readonly where: string }[]
  readonly available?: readonly string[]
}

interface Fields {
  readonly query_types: readonly string[]
  readonly numbers: readonly { readonly query_type: string; readonly dates: 'day' | 'range' }[]
}

const SETS = ['default', 'plumbline', 'customer-grain', 'constant-currency', 'killbill-analytics']
const BRIDGE = '/api/metrics/mrr/bridge'

oneEngineInRotation('definition sets over HTTP', (target) => {
  let ask: (path: string) => Promise<Response>
  let post: (path: string, body: object) => Promise<Response>
  beforeAll(async () => {
    const engine = await engineOver(await sharedReal(target), { tenant: ['beta'] })
    const app = createApp({ engine, version: '0', corsOrigins: [], limits: { body_bytes: 1000 }, log: () => {} })
    ask = async (path) => app.request(path)
    post = async (path, body) => app.request(path, { method: 'POST', headers: JSON_BODY, body: JSON.stringify(body) })
    return () => engine.close()
  })

  it.each([
    ['', 'default'],
    ['?definitions=', 'default'],
    ['?definitions=killbill-analytics', 'killbill-analytics'],
  ])('/api/definitions%s describes %s', async (query, name) => {
    const response = await ask(`/api/definitions${query}`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ name, sets: SETS })
  })

  it.each([
    ['/api/definitions?definitions=nothing', ['query.definitions']],
    ['/api/definitions?definitions=plumbline&definitions=default', ['query.definitions']],
    ['/api/metrics/mrr?definitions=plumbline&definitions=default', ['query.definitions']],
    [`${BRIDGE}?from=nothing`, ['query.from', 'query.to']],
    [`${BRIDGE}?from=plumbline&to=default&definitions=default`, ['query.definitions']],
    [`${BRIDGE}?from=plumbline&to=nothing&at=nonsense&colour=red`, ['query.to', 'query.at', 'query.colour']],
    [`${BRIDGE}?from=plumbline&to=default&dimensions=plan_id`, ['query.query_type']],
  ])('refuses %s', async (path, places) => {
    const response = await ask(path)
    expect(response.status).toBe(400)
    const { code, issues } = (await response.json()) as Refusal
    expect(code).toBe('invalid_value')
    expect(issues.map(({ where }) => where).sort()).toEqual([...places].sort())
  })

  it.each(['quantity', 'billing_periods', 'test_accounts', 'grain'])('says that %s is an option of a set', async (name) => {
    const message = `"${name}" is an option of a definition set, and "definitions" names the set.`
    const asked = await ask(`/api/metrics/mrr?${name}=one`)
    expect(await asked.json()).toMatchObject({ code: 'invalid_value', issues: [{ where: `query.${name}`, message }] })
    const posted = await post('/api/metrics/mrr', { params: { [name]: 'one' } })
    expect(await posted.json()).toMatchObject({ code: 'invalid_value', issues: [{ where: `body.params.${name}`, message }] })
  })

  it('a bridge takes the numbers that the fields of the metrics list, and no other query', async () => {
    const days = { day: 'at=2026-10-31', range: 'range=last-month' }
    const taken: string[] = []
    for (const metric of (await (await ask('/api/metrics')).json()) as string[]) {
      const { numbers, query_types } = (await (await ask(`/api/metrics/${metric}/fields`)).json()) as Fields
      for (const query_type of query_types) {
        const dates = numbers.find((number) => number.query_type === query_type)?.dates
        const path = `/api/metrics/${metric}/bridge?from=plumbline&to=default&query_type=${query_type}&${days[dates ?? 'range']}`
        expect((await ask(path)).status, path).toBe(dates === undefined ? 400 : 200)
        if (dates !== undefined) taken.push(`${metric} ${query_type} ${dates}`)
      }
    }
    expect(taken).toEqual([
      'churn logo range',
      'churn revenue range',
      'involuntary_churn logo range',
      'involuntary_churn revenue range',
      'ledger recognized range',
      'ltv arpu day',
      'ltv sale_price range',
      'ltv simple range',
      'mrr arr day',
      'mrr current day',
      'retention grr range',
      'retention nrr range',
      'trials conversion_rate range',
      'trials time_to_convert range',
      'usage_revenue total range',
    ])
  })

  it.each(['/api/definitions?definitions=nothing', `${BRIDGE}?from=nothing&to=default`])('%s names the sets', async (path) => {
    const { available } = (await (await ask(path)).json()) as Refusal
    expect(available).toEqual(SETS)
  })
})

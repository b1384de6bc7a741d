import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSampleService } from '../support/product/examples/sample-service.ts'

type Service = Awaited<ReturnType<typeof openSampleService>>

describe('GET /api/checks', () => {
  let service: Service
  let sample: Service
  const get = async (query = '', of = service) => {
    const response = await of.app.request(`/api/checks${query}`)
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  beforeAll(async () => {
    service = await openSampleService({
      isCached: false,
      configure: (config) => ({
        ...config,
        isSample: false,
        server: { ...config.server, host: '0.0.0.0' },
        definitions: { ...config.definitions, base_currency: 'CHF' },
      }),
    })
    sample = await openSampleService({ isCached: false })
  })
  afterAll(async () => {
    await service.close()
    await sample.close()
  })

  it('has the findings of `check`, and the steps in their words', async () => {
    const { status, body } = await get()
    expect(status).toBe(200)
    // The text for the log stays inside.
    expect(body.findings).toEqual((await service.engine.check()).map(({ logged: _, ...finding }) => finding))
    const states = body.setup.map(({ name, state }: { name: string; state: string }) => [name, state])
    expect(states.filter(([name]: readonly string[]) => name !== 'rights')).toEqual([
      ['connection', 'done'],
      ['rates', 'attention'],
      ['catalog', 'done'],
      ['test_accounts', 'done'],
      ['access', 'todo'],
      ['backup', 'todo'],
    ])
    const step = (name: string) => body.setup.find((each: { name: string }) => each.name === name)
    expect(step('rates')).toMatchObject({
      message: 'no rate into CHF from EUR, GBP, JPY, USD',
      command: 'plumbline fx fetch ecb',
    })
    expect(step('test_accounts').message).toBe('10 accounts carry the tag TEST and do not count')
    expect(step('access').setting).toBe('[auth]\nenabled = true')
    expect(step('backup').message).toContain(service.storeFile)
  })

  it('shows new rates at once, and warns of old ones', async () => {
    const ratesOf = async () => {
      const { body } = await get()
      return body.findings.filter(({ name }: { name: string }) => name === 'rates')
    }
    const load = (day: string) =>
      service.engine.rates.import(
        (async function* () {
          yield ['date,from,to,rate', ...['EUR', 'GBP', 'JPY', 'USD'].map((from) => `${day},${from},CHF,1`)].join('\n')
        })(),
        {},
      )
    await load('2026-10-05')
    expect(await ratesOf()).toEqual([
      {
        name: 'rates',
        level: 'warning',
        message: 'the newest rates are old: EUR of 2026-10-05, GBP of 2026-10-05, JPY of 2026-10-05, USD of 2026-10-05',
        command: 'plumbline fx fetch ecb',
      },
    ])
    await load('2026-10-06')
    expect(await ratesOf()).toEqual([{ name: 'rates', level: 'ok', message: 'rates into CHF from EUR, GBP, JPY, USD' }])
  })

  it('takes refresh=true, and nothing else', async () => {
    expect((await get('?refresh=true')).status).toBe(200)
    const { status, body } = await get('?refresh=yes')
    expect([status, body.code, body.issues[0].where]).toEqual([400, 'invalid_value', 'query.refresh'])
    expect(await get('?refreh=true')).toMatchObject({ status: 400, body: { issues: [{ where: 'query.refreh' }] } })
  })

  it('has no steps for the sample data, which nobody sets up', async () => {
    const { body } = await get('', sample)
    expect(body.setup).toBe(null)
    const names = body.findings.map(({ name }: { name: string }) => name)
    expect(names).toContain('connection')
    expect(names).not.toContain('backup')
  })
})

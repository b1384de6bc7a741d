import { beforeAll, expect, it } from 'vitest'
import type { VerifyList } from '../../src/engine/contract.ts'
import { createApp } from '../../src/facades/http/app.ts'
import { VERIFY_CHECKS } from '../../src/trust/verify/list.ts'
import type { VerifyReport } from '../../src/trust/verify/verify.ts'
import { loadReal } from '../support/data/killbill/load-killbill.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { whileLocked } from '../support/databases/while-locked.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

interface Body extends VerifyReport {
  readonly code?: string
  readonly issues?: readonly {
    readonly where: string
    readonly message: string
  }[]
}

type App = ReturnType<typeof createApp>

oneEngineInRotation('GET /api/verify', (target) => {
  let app: App
  let withoutRates: App
  beforeAll(async () => {
    const database = await sharedReal(target)
    const serving = (engine: Awaited<ReturnType<typeof engineOver>>) =>
      createApp({ engine, version: '0', corsOrigins: [], limits: { body_bytes: 1000 }, log: () => {} })
    app = serving(await engineOver(database, { tenant: ['alpha'] }))
    withoutRates = serving(await engineOver(database, { tenant: ['alpha'], store: await ratesOnly('date,from,to,rate\n') }))
  })

  const ask = async (query: string, one = app) => {
    const response = await one.request(`/api/verify?${query}`)
    return { status: response.status, body: (await response.json()) as Body }
  }

  it('lists the checks in their order', async () => {
    const { checks } = (await (await app.request('/api/verify/checks')).json()) as VerifyList
    expect(checks.map(({ name }) => name)).toEqual(VERIFY_CHECKS)
    expect((await app.request('/api/verify/checks?check=trials_add_up')).status).toBe(400)
  })

  it('the named checks hold', async () => {
    const { status, body } = await ask('start=2026-01-01&end=2026-10-31&check=trials_add_up&check=rates_complete')
    expect(status).toBe(200)
    expect(body).toMatchObject({ ok: true, start: '2026-01-01', end: '2026-10-31', data_through: '2026-11-21T00:00:00.000Z' })
    expect(body.checks).toMatchObject([
      { name: 'rates_complete', ok: true, ids: [] },
      { name: 'trials_add_up', ok: true, ids: [] },
    ])
    expect(body.checks[1]?.count).toBeGreaterThan(0)
  })

  it('a check says how much of it fitted into the time, and one alone has all of it', async () => {
    const days = 'start=2026-10-01&end=2026-10-31'
    const short = (await ask(`${days}&check=groups_add_up&time_limit_s=1`)).body
    const [cut] = short.checks
    expect([short.ok, short.is_complete]).toEqual([true, false])
    expect(cut).toMatchObject({ ok: true, is_complete: false })
    expect(cut?.parts_done).toBeGreaterThan(0)
    expect(cut?.parts_done).toBeLessThan(cut?.parts ?? 0)
    expect(cut?.message).toContain(`not all was checked: ${cut?.parts_done} of ${cut?.parts} parts fitted into the time`)
    const whole = (await ask(`${days}&check=mrr_adds_up&time_limit_s=600`)).body
    expect(whole).toMatchObject({ ok: true, is_complete: true, checks: [{ is_complete: true, parts: 4, parts_done: 4 }] })
  })

  it('the end of the time cancels the query that runs, and the answer comes', async ({ skip }) => {
    // PGlite has one connection, so nothing can hold a lock.
    if (target.name === 'pglite') skip()
    const database = await target.createDatabase()
    await loadReal(database)
    const engine = await engineOver(database, { tenant: ['alpha'] })
    const locked = createApp({ engine, version: '0', corsOrigins: [], limits: { body_bytes: 1000 }, log: () => {} })
    // A statement would wait for the lock until its own limit.
    const report = await whileLocked(database, async () => (await ask('time_limit_s=1', locked)).body)
    expect(report).toMatchObject({ ok: true, is_complete: false })
    expect(new Set(report.checks.map(({ message }) => message))).toEqual(new Set(['not checked: the time was over']))
    expect((await ask('check=trials_add_up', locked)).body).toMatchObject({ ok: true, is_complete: true })
    await engine.close()
  })

  it('an end after today is today, and the range begins 364 days before', async () => {
    const { status, body } = await ask('end=2029-01-01&check=trials_add_up')
    expect([status, body.start, body.end]).toEqual([200, '2025-11-22', '2026-11-21'])
  })

  it('a check that fails is no error, and names what is wrong', async () => {
    const { status, body } = await ask('check=rates_complete', withoutRates)
    expect([status, body.ok]).toEqual([200, false])
    expect(body.checks).toMatchObject([{ name: 'rates_complete', ok: false, ids: ['JPY/USD', 'EUR/USD', 'GBP/USD'] }])
  })

  it.each([
    ['check=nonsense', 'invalid_value', 'query.check', 'rows_sum_to_numbers'],
    ['check=trials_add_up&check=nonsense', 'invalid_value', 'query.check', '"nonsense"'],
    ['start=2026-02-30', 'invalid_value', 'query.start', 'YYYY-MM-DD'],
    ['start=2026-11-22', 'invalid_range', 'query.start', '2026-11-21, today'],
    ['start=2026-03-02&end=2026-03-01', 'invalid_range', 'query.start', '2026-03-01'],
    ['filter=plan_id=gold', 'invalid_value', 'query.filter', '"filter"'],
    ['time_limit_s=0', 'invalid_value', 'query.time_limit_s', '600'],
    ['time_limit_s=long', 'invalid_value', 'query.time_limit_s', '600'],
    ['shape=round', 'invalid_value', 'query.shape', '"shape"'],
  ])('%s is refused', async (query, code, where, says) => {
    const { status, body } = await ask(query)
    const { issues = [] } = body
    expect([status, body.code, issues[0]?.where]).toEqual([400, code, where])
    expect(issues.map(({ message }) => message).join(' ')).toContain(says)
  })
})

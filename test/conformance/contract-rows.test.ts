import { beforeAll, describe, expect, it } from 'vitest'
import type { ContractRows } from '../../src/connector-kit/rows.ts'
import { fixedClock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/errors.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { realJson } from '../support/data/recorded/recorded-files.ts'
import { NOW, realTables, type TenantName } from '../support/data/recorded/recorded-tables.ts'
import { exampleConnector, SPANS, span } from '../support/data/worked-example.ts'
import { everyEngine, sampleOf } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/targets.ts'
import { foldReal, ofTenant } from '../support/oracles/fold/fold-recorded.ts'
import { ledgerOf, movementsIn, rangeOf, spansOn } from '../support/oracles/fold/ledger-figures.ts'
import { recordsOf } from '../support/oracles/record-loops.ts'
import { describeExample, type Overrides } from '../support/product/example-engine.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

type Figures = Readonly<Record<string, unknown>>

const TENANTS: readonly TenantName[] = ['alpha', 'beta']
const DAYS = ['2024-12-31', '2025-06-30', '2026-03-15', '2026-11-20']
const FULL = ['2024-11-20', '2026-11-20'] as const

const customers = foldReal()
const idOf = (table: string) => new Map(realTables(table).map((row) => [row['external_key'], String(row['id'])]))
const accountIds = idOf('accounts')
const subscriptionIds = idOf('subscriptions')
const sourceOf = (tenant: TenantName) => String(realTables('tenants').find((row) => row['external_key'] === tenant)?.['id'])

everyEngine('the contract methods, compared with the recording', (target) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await sharedReal(target)
  })
  const rowsOf = async (tenant: string): Promise<ContractRows> => (await engineOver(database, { tenant: [tenant] })).rows

  describe.each(sampleOf(target, TENANTS, { first: 1, others: 2, shift: 1 }))('%s', (tenant) => {
    // The small tenant is asked about every day, the large one about a day that is another with each turn.
    const days = sampleOf(target, DAYS, { first: tenant === 'alpha' ? DAYS.length : 1, others: DAYS.length })
    const own = ofTenant(customers, tenant)
    const ledger = ledgerOf(own, NOW)
    const source_id = sourceOf(tenant)
    const accountOf = new Map(own.map(({ account }) => [Number(account['record_id']), String(account['id'])]))
    const bundleOf = new Map(realTables('subscriptions').map((row) => [row['id'], row['bundle_id']]))

    it('getActiveSubscriptions: the spans that are live at the day (D22, D38)', async () => {
      const rows = await rowsOf(tenant)
      for (const day of days) {
        const live = spansOn(ledger.spans, day, NOW).filter((one) => one.is_live)
        const wanted = live.map((one) => ({
          source_id,
          subscription_id: one.subscription_id,
          customer_id: accountOf.get(one.customer_key),
          bundle_id: bundleOf.get(one.subscription_id),
          status: one.status,
          plan_id: one.plan.replace(/-\d+$/, ''),
          price_list: one.price_list,
          quantity: one.quantity,
          currency: one.currency,
          mrr_cents: one.mrr_cents,
        }))
        const found = await rows.getActiveSubscriptions(day)
        expect(found, day).toEqual(wanted.sort((a, b) => (a.subscription_id < b.subscription_id ? -1 : 1)))
      }
    })

    it('getMrrCents and getMrrUsdCents: the recorded levels, original and base (D14, D30)', async () => {
      const rows = await rowsOf(tenant)
      const daily = realJson<{ date: string; mrr_base_cents: number; by_currency_cents: Record<string, number> }[]>(
        `expected/${tenant}/mrr_daily.json.gz`,
      )
      for (const { date, mrr_base_cents, by_currency_cents } of daily.filter((one) => days.includes(one.date))) {
        const amounts = Object.entries(by_currency_cents).filter(([, cents]) => cents !== 0)
        const wanted = amounts.sort().map(([currency, mrr_cents]) => ({ source_id, currency, mrr_cents }))
        expect(await rows.getMrrCents(date), date).toEqual(wanted)
        expect(await rows.getMrrUsdCents(date)).toEqual([{ source_id, base_currency: 'USD', mrr_usd_cents: mrr_base_cents }])
      }
      expect(daily.filter((one) => DAYS.includes(one.date))).toHaveLength(DAYS.length)
    })

    it('getSubscriptionChanges: the recorded movements, all and of some days (D31 to D34)', async () => {
      const rows = await rowsOf(tenant)
      const recorded = realJson<Figures[]>(`expected/${tenant}/movements.json.gz`).map(({ swap: _swap, ...row }) => ({
        source_id,
        type: row['type'],
        movement_source: row['source'],
        amount_cents: row['amount_cents'],
        amount_usd_cents: row['amount_base_cents'],
        currency: row['currency'],
        customer_id: accountIds.get(String(row['customer'])),
        subscription_id: subscriptionIds.get(String(row['subscription'])),
        occurred_at: String(row['occurred_at']).replace('Z', '.000Z'),
        reason: row['reason'],
      }))
      const keyOf = (row: Figures) => [row['occurred_at'], row['subscription_id'], row['movement_source']].join(' ')
      const wanted = recorded.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      expect(await rows.getSubscriptionChanges(...FULL)).toEqual(wanted)
      const [day = ''] = wanted.map((row) => row.occurred_at.slice(0, 10)).slice(wanted.length / 2)
      const some = await rows.getSubscriptionChanges(day, day)
      expect(some).toEqual(wanted.filter((row) => row.occurred_at.startsWith(day)))
      expect(some.length).toBe(movementsIn(ledger.movements, rangeOf(day, day, NOW)).length)
      expect(some.length).toBeGreaterThan(0)
    })

    it('getCustomers: those created by the end of the day, test accounts left out (D16)', async () => {
      const rows = await rowsOf(tenant)
      const all = recordsOf(tenant).customers.map((row) => ({
        source_id,
        customer_id: row['id'],
        external_key: row['external_key'],
        name: row['name'],
        email: row['email'],
        country: row['country'],
        currency: row['currency'],
        created_at: String(row['created_at']),
      }))
      const keyOf = (row: Figures) => `${row['created_at']} ${row['customer_id']}`
      const wanted = all.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      expect(await rows.getCustomers()).toEqual(wanted)
      const [day = ''] = wanted.map((row) => row.created_at.slice(0, 10)).slice(wanted.length / 2)
      const some = await rows.getCustomers(day)
      expect(some).toEqual(wanted.filter((row) => row.created_at.slice(0, 10) <= day))
      expect(some.length).toBeLessThan(wanted.length)
    })

    it('getInvoices: those of the days, both included', async () => {
      const rows = await rowsOf(tenant)
      const all = recordsOf(tenant).invoices.map((row) => ({
        source_id,
        invoice_id: row['id'],
        invoice_number: row['number'],
        customer_id: row['customer_id'],
        status: row['status'],
        currency: row['currency'],
        invoice_date: String(row['invoice_date']),
        created_at: row['created_at'],
        paid_at: row['paid_at'],
        voided_at: row['voided_at'],
        total_cents: row['total_cents'],
        tax_cents: row['tax_cents'],
        amount_paid_cents: row['amount_paid_cents'],
        balance_cents: row['balance_cents'],
      }))
      const keyOf = (row: Figures) => `${row['invoice_date']} ${row['invoice_id']}`
      const wanted = all.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      expect(await rows.getInvoices('2000-01-01', '2030-01-01')).toEqual(wanted)
      const [start = ''] = wanted.map((row) => row.invoice_date).slice(wanted.length / 3)
      const [end = ''] = wanted.map((row) => row.invoice_date).slice(wanted.length / 2)
      const some = await rows.getInvoices(start, end)
      expect(some).toEqual(wanted.filter((row) => row.invoice_date >= start && row.invoice_date <= end))
      expect(new Set([some[0]?.invoice_date, some.at(-1)?.invoice_date])).toEqual(new Set([start, end]))
    })
  })

  it('all tenants together are both, each row with its source; without a tenant nothing leaks', async () => {
    const [all, alpha, beta] = await Promise.all(['all', ...TENANTS].map(rowsOf))
    const questions = [
      (rows?: ContractRows) => rows?.getActiveSubscriptions('2026-03-15'),
      (rows?: ContractRows) => rows?.getMrrCents('2026-03-15'),
      (rows?: ContractRows) => rows?.getMrrUsdCents('2026-03-15'),
      (rows?: ContractRows) => rows?.getSubscriptionChanges('2025-02-01', '2026-03-15'),
      (rows?: ContractRows) => rows?.getCustomers('2026-03-15'),
      (rows?: ContractRows) => rows?.getInvoices('2025-02-01', '2026-03-15'),
    ]
    for (const ask of sampleOf(target, questions, { first: 1, others: questions.length })) {
      const [one, other, both] = await Promise.all([ask(alpha), ask(beta), ask(all)])
      const parts = [...(one ?? []), ...(other ?? [])].map((row) => JSON.stringify(row)).sort()
      expect((both ?? []).map((row) => JSON.stringify(row)).sort()).toEqual(parts)
      expect(new Set(one?.map((row) => row.source_id))).toEqual(new Set([sourceOf('alpha')]))
      expect(new Set(other?.map((row) => row.source_id))).toEqual(new Set([sourceOf('beta')]))
    }
  })

  it('without rates original amounts are there, and what needs base amounts says which rate it lacks (D14)', async () => {
    const store = await ratesOnly('date,from,to,rate\n2025-01-01,EUR,USD,1.1\n')
    const { rows } = await engineOver(database, { tenant: ['alpha'], store })
    expect((await rows.getMrrCents('2026-03-15')).map((row) => row.currency)).toEqual(['EUR', 'GBP', 'JPY', 'USD'])
    expect((await rows.getActiveSubscriptions('2026-03-15')).some((row) => row.currency === 'JPY')).toBe(true)
    const movements = realJson<Figures[]>('expected/alpha/movements.json.gz')
    const unrated = movements.filter((row) => row['currency'] !== 'USD' && !isRatedEuro(row))
    const first = unrated.map((row) => String(row['occurred_at']).slice(0, 10)).sort()[0]
    await expect(rows.getSubscriptionChanges(...FULL)).rejects.toMatchObject({
      code: 'missing_fx_rate',
      context: { base_currency: 'USD', date: first },
    })
    await expect(rows.getMrrUsdCents('2026-03-15')).rejects.toMatchObject({
      code: 'missing_fx_rate',
      context: { base_currency: 'USD' },
    })
  })
})

function isRatedEuro(row: Figures): boolean {
  return row['currency'] === 'EUR' && String(row['occurred_at']) >= '2025-01-01'
}

const GHOST = span('S1', 1, '2025-01-05', null, null, { is_unpriced: true, plan: 'legacy-gold', subscription_fixed_on: null })
const UNPRICED = SPANS.map((one) => (one['subscription_id'] === 'S1' ? GHOST : one))

describeExample('the contract methods on the worked example', (engineOf) => {
  const rowsOf = (overrides?: Overrides) => engineOf(overrides).rows

  it('base amounts keep the rate of the instant they were fixed at (D12)', async () => {
    expect(await rowsOf().getMrrUsdCents('2025-05-31')).toEqual([{ source_id: 'T', base_currency: 'USD', mrr_usd_cents: 33433 }])
    expect(await rowsOf().getMrrCents('2025-05-31')).toEqual([
      { source_id: 'T', currency: 'EUR', mrr_cents: 16000 },
      { source_id: 'T', currency: 'USD', mrr_cents: 14233 },
    ])
    expect(await rowsOf().getMrrUsdCents('2024-12-31')).toEqual([{ source_id: 'T', base_currency: 'USD', mrr_usd_cents: 0 }])
    const [quantity] = await rowsOf().getSubscriptionChanges('2025-04-01', '2025-04-01')
    expect(quantity).toMatchObject({ type: 'expansion', currency: 'EUR', amount_cents: 6000, amount_usd_cents: 8200 })
  })

  it('a paused subscription is live at 0, a trial is not live', async () => {
    const live = await rowsOf().getActiveSubscriptions('2025-03-20')
    expect(live.map((row) => [row.subscription_id, row.status, row.mrr_cents])).toContainEqual(['S6', 'paused', 0])
    const trial = await rowsOf().getActiveSubscriptions('2025-02-25')
    expect(trial.map((row) => row.subscription_id)).toEqual(['S1', 'S2', 'S3', 'S5', 'S6'])
  })

  it('today is now, and a day to come is answered as of now with a warning (D3)', async () => {
    const clock = fixedClock(new Date('2025-05-24T11:59:59Z'))
    const codes: string[] = []
    const warn = ({ code }: { code: string }) => codes.push(code)
    expect(await rowsOf({ clock }).getMrrUsdCents(undefined, { warn })).toMatchObject([{ mrr_usd_cents: 41333 }])
    expect(codes).toEqual([])
    expect(await rowsOf({ clock }).getMrrUsdCents('2030-01-01', { warn })).toMatchObject([{ mrr_usd_cents: 41333 }])
    expect(codes).toEqual(['future_clamped'])
  })

  it('an unknown price is null in a list and refuses a sum; where it is let through there is a warning (D26)', async () => {
    const connector = exampleConnector({ spans: UNPRICED })
    const live = await rowsOf({ connector }).getActiveSubscriptions('2025-02-28')
    expect(live[0]).toMatchObject({ subscription_id: 'S1', plan_id: 'legacy-gold', mrr_cents: null })
    const refusal = { code: 'unpriced_plan', context: { plans: [{ plan_id: 'legacy-gold', currency: 'USD', count: 1 }] } }
    await expect(rowsOf({ connector }).getMrrCents('2025-02-28')).rejects.toMatchObject(refusal)
    await expect(rowsOf({ connector }).getMrrUsdCents('2025-02-28')).rejects.toMatchObject(refusal)
    await expect(rowsOf({ connector }).getSubscriptionChanges('2025-01-01', '2025-01-31')).rejects.toMatchObject(refusal)
    const warnings: unknown[] = []
    const lenient = rowsOf({ connector, options: { allow_unpriced: true } })
    const options = { warn: (warning: unknown) => warnings.push(warning) }
    expect(await lenient.getMrrUsdCents('2025-02-28', options)).toMatchObject([{ mrr_usd_cents: 28833 - 8333 }])
    const changes = await lenient.getSubscriptionChanges('2025-01-01', '2025-01-31', options)
    expect(changes.map((row) => row.subscription_id)).toEqual(['S5', 'S6', 'S2'])
    expect(warnings).toMatchObject([{ code: 'unpriced_plan' }, { code: 'unpriced_plan' }])
  })

  it('refuses days that are none, everything at once, before the database is asked', async () => {
    const signal = AbortSignal.abort()
    const error = await rowsOf()
      .getSubscriptionChanges('2025-02-30', "'; drop table x", { signal })
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({ code: 'invalid_value', issues: [{ where: 'params.start' }, { where: 'params.end' }] })
    await expect(rowsOf().getSubscriptionChanges('2025-03-01', '2025-02-01', { signal })).rejects.toMatchObject({
      code: 'invalid_range',
    })
    await expect(rowsOf().getCustomers('tomorrow', { signal })).rejects.toMatchObject({ code: 'invalid_value' })
  })

  it('refuses what the connector lacks and more rows than allowed', async () => {
    await expect(rowsOf().getInvoices('2025-01-01', '2025-01-31')).rejects.toMatchObject({
      code: 'unsupported_by_connector',
      context: { missing: ['billed_invoice'] },
    })
    const few = rowsOf({ limits: { max_rows: 3 } })
    await expect(few.getCustomers()).rejects.toMatchObject({ code: 'result_too_large', context: { limit: 3 } })
  })

  it('a value outside its canonical set is never passed on', async () => {
    const odd = SPANS.map((one) => (one['subscription_id'] === 'S1' ? { ...one, status: 'sleeping' } : one))
    const { getActiveSubscriptions } = rowsOf({ connector: exampleConnector({ spans: odd }) })
    await expect(getActiveSubscriptions('2025-02-28')).rejects.toMatchObject({
      code: 'canonical_enum_violation',
      context: { relation: 'mrr_span', column: 'status', value: 'sleeping' },
    })
  })
})

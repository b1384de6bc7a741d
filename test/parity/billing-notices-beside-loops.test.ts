import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { NOTICE_KINDS } from '../../src/records/billing-health/notices/kinds.ts'
import { phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { GENERATED_RATES, generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { HISTORIES, HISTORY_NOW } from '../support/data/histories/history-seeds.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import type { Tables } from '../support/data/killbill/tables.ts'
import { NOW, realRates, realTables } from '../support/data/recorded/recorded-tables.ts'
import { firstEngineAndOneOther, oneEngineInRotation } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { judgedNotices } from '../support/oracles/billing-notice-loops.ts'
import { foldReal, ofTenant } from '../support/oracles/fold/fold-recorded.ts'
import { type FoldedCustomer, foldTables } from '../support/oracles/fold/fold-tables.ts'
import { type JudgedRenewal, judgeRenewals } from '../support/oracles/renewal-loops.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { type EngineOptions, engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

type Cells = Record<string, string | number | boolean | null>

interface Page {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

const CREATED = '2024-01-01 00:00:00'
/** Days with usage, some of them at the limits of a year and of 62 days. Each subscription lacks some of the first ones. */
const DAYS = ['2024-01-14', '2024-01-15', '2024-09-03', '2024-11-13', '2024-11-14', '2024-12-20']

/** A plan with a fixed term that another phase follows, which the generated catalogs lack. */
const FIXED = planXml('fixed', {
  product: 'Alone',
  initial: phaseXml('FIXEDTERM', { unit: 'MONTHS', number: 3, period: 'MONTHLY', prices: { USD: '50', EUR: '40', KWD: '15' } }),
  final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: '60', EUR: '50', KWD: '20' } }),
})

/** Ends of fixed terms: the day, the day up to which it is billed, and the day on which it is cancelled. */
const TERMS: readonly (readonly [end: string, billed: string, cancelled?: string])[] = [
  ['2025-02-05', '2025-02-05'],
  ['2025-03-05', '2025-02-07'],
  ['2025-04-05', '2025-04-25'],
  ['2025-05-05', '2025-02-05', '2025-05-05'],
  ['2025-06-05', '2025-02-05', '2025-07-01'],
  ['2026-03-05', '2025-02-05'],
]

/** Zones of accounts, and times of day at which their billed periods end. */
const ZONES = ['UTC', 'America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Auckland']
const HOURS = ['00', '06', '12', '18', '23']

/** Subscriptions of an account with these terms. */
function termRows(account: Cells): Readonly<Record<'bundles' | 'subscriptions' | 'subscription_events', readonly Cells[]>> {
  const owner: Cells = { account_record_id: account['record_id'] ?? null, tenant_record_id: account['tenant_record_id'] ?? null }
  const event = (index: number, user_type: string | null, day: string, phase_name: string | null): Cells => ({
    ...{
      ...owner,
      subscription_id: `term-${index}`,
      created_date: '2024-11-05 00:00:00',
      effective_date: `${day} 00:00:00`,
      is_active: true,
    },
    ...{ event_type: user_type === null ? 'PHASE' : 'API_USER', user_type, phase_name, quantity: 0 },
    ...{ plan_name: user_type === 'CREATE' ? 'fixed' : null, price_list_name: user_type === 'CREATE' ? 'DEFAULT' : null },
  })
  return {
    bundles: TERMS.map((_, index) => ({
      ...owner,
      id: `bundle-term-${index}`,
      account_id: account['id'] ?? null,
      external_key: `term-${index}`,
    })),
    subscriptions: TERMS.map(([, billed], index) => ({
      ...{
        ...owner,
        id: `term-${index}`,
        bundle_id: `bundle-term-${index}`,
        external_key: `term-${index}`,
        category: 'STANDALONE',
      },
      ...{ start_date: '2024-11-05 00:00:00', charged_through_date: `${billed} 00:00:00` },
    })),
    subscription_events: TERMS.flatMap(([end, , cancelled], index) => [
      event(index, 'CREATE', '2024-11-05', 'fixed-fixedterm'),
      event(index, null, end, 'fixed-evergreen'),
      ...(cancelled === undefined ? [] : [event(index, 'CANCEL', cancelled, null)]),
    ]),
  }
}

const MADE = '2024-02-28 05:00:00'

/** Invoices of a child on one item of its parent, on a day without others. One is void, and later credit pays the other. */
function surplusRows(child: Cells, payer: Cells): Readonly<Record<string, readonly Cells[]>> {
  const account: Cells = { account_record_id: child['record_id'] ?? null, account_id: child['id'] ?? null, tenant_record_id: 1 }
  const owner: Cells = { ...account, currency: child['currency'] ?? null }
  const invoice = (record_id: number, id: string, cells: Cells): Cells => ({
    ...{
      record_id,
      id,
      migrated: false,
      parent_invoice: false,
      status: 'COMMITTED',
      created_date: MADE,
      invoice_date: '2024-02-28',
    },
    ...cells,
  })
  const item = (id: string, invoice_id: string, type: string, amount: string, cells: Cells): Cells => ({
    ...{ id, invoice_id, type, amount, created_date: MADE },
    ...cells,
  })
  return {
    invoices: [
      invoice(900_001, 'sum', { ...payer, parent_invoice: true }),
      invoice(900_002, 'sum-void', { ...owner, status: 'VOID' }),
      invoice(900_003, 'sum-credit', owner),
    ],
    invoice_items: [
      item('sum-item', 'sum', 'PARENT_SUMMARY', '30', { ...payer, child_account_id: child['id'] ?? null }),
      item('sum-void-item', 'sum-void', 'EXTERNAL_CHARGE', '10', owner),
      item('sum-credit-item', 'sum-credit', 'EXTERNAL_CHARGE', '20', owner),
      item('sum-used', 'sum-credit', 'CBA_ADJ', '-20', { ...owner, created_date: '2024-03-05 06:00:00' }),
    ],
    invoice_history: [{ ...account, target_record_id: 900_002, status: 'VOID', created_date: '2024-03-06 06:00:00' }],
    invoice_parent_children: [
      {
        ...{ parent_invoice_id: 'sum', child_invoice_id: 'sum-void', child_account_id: child['id'] ?? null },
        ...{ account_record_id: 1, tenant_record_id: 1 },
      },
    ],
  }
}

/** A generated history with what its accounts lack for notices and renewals: parents, overdue states, usage, and days billed ahead. */
function history(): Readonly<Record<string, readonly Cells[]>> {
  const rows = generatedHistory(...HISTORIES.relations)
  const list = (table: string) => rows[table] ?? []
  // Its subscriptions count, and nothing pauses them.
  const isPlain = ({ record_id, tenant_record_id }: Cells) =>
    tenant_record_id === 1 && ![...list('tags'), ...list('blocking_states')].some((row) => row['account_record_id'] === record_id)
  const terms = termRows(list('accounts').find(isPlain) ?? {})
  const owner = ({ account_record_id, tenant_record_id }: Cells) => ({ account_record_id, tenant_record_id }) as Cells
  const states = [
    ...list('accounts').flatMap((account, index) =>
      (['OD1', '__KILLBILL__CLEAR__OVERDUE_STATE__'] as const).slice(0, index % 3).map((state, place) => ({
        account_record_id: account['record_id'] ?? null,
        tenant_record_id: account['tenant_record_id'] ?? null,
        blockable_id: account['id'] ?? null,
        type: 'ACCOUNT',
        service: 'overdue-service',
        state,
        block_billing: false,
        is_active: true,
        effective_date: `2024-12-1${place} 00:00:00`,
        created_date: `2024-12-1${place} 00:00:00`,
      })),
    ),
    ...list('subscriptions')
      .filter((row) => row['category'] === 'ADD_ON')
      .map((row) => ({
        ...owner(row),
        blockable_id: row['id'] ?? null,
        type: 'SUBSCRIPTION',
        service: 'entitlement-service',
        state: 'ENT_CANCELLED',
        block_billing: false,
        is_active: true,
        effective_date: '2024-12-05 00:00:00',
        created_date: '2024-12-05 00:00:00',
      })),
  ]
  const payer = {
    account_record_id: 1,
    account_id: 'account-1',
    tenant_record_id: 1,
    currency: list('accounts')[0]?.['currency'] ?? null,
  }
  const parents = ['DRAFT', 'COMMITTED'].map((status) => ({
    ...{ ...payer, id: `parent-${status}`, status, migrated: false, parent_invoice: true, created_date: '2024-06-01 00:00:00' },
  }))
  const child = list('accounts').find((row, index) => index % 10 === 4 && isPlain(row)) ?? {}
  const surplus = surplusRows(child, payer)
  // Of the invoices whose parent pays, one third is on a draft, one third on an open invoice, and one third on none.
  const delegated = list('invoices').filter((row) => Number(row['account_record_id']) % 10 === 5)
  return {
    ...rows,
    invoices: [...list('invoices'), ...parents, ...(surplus['invoices'] ?? [])],
    invoice_history: [...list('invoice_history'), ...(surplus['invoice_history'] ?? [])],
    invoice_items: [
      ...list('invoice_items'),
      ...(surplus['invoice_items'] ?? []),
      ...parents.map(({ id, status, ...cells }) => ({
        ...{
          ...payer,
          id: `item-${id}`,
          invoice_id: id,
          type: 'PARENT_SUMMARY',
          amount: '10.00',
          created_date: cells.created_date,
        },
      })),
    ],
    invoice_parent_children: [
      ...delegated.flatMap((row, index) => {
        const parent = parents[index % 3]
        const child = { child_invoice_id: row['id'] ?? null, child_account_id: row['account_id'] ?? null }
        return parent === undefined ? [] : [{ ...child, parent_invoice_id: parent.id, account_record_id: 1, tenant_record_id: 1 }]
      }),
      ...(surplus['invoice_parent_children'] ?? []),
    ],
    accounts: list('accounts').map((account, index) => ({
      ...account,
      time_zone: ZONES[index % ZONES.length] ?? null,
      reference_time: '2024-07-01 20:00:09',
      parent_account_id: index % 5 === 4 ? 'account-1' : null,
      is_payment_delegated_to_parent: index % 10 === 4,
      payment_method_id: index % 2 === 0 ? 'card' : null,
    })),
    tenant_kvs: list('tenant_kvs').map((row) => ({
      ...row,
      tenant_value: String(row['tenant_value']).replace('</plans>', `${FIXED}</plans>`),
    })),
    bundles: [...list('bundles'), ...terms.bundles],
    subscription_events: [...list('subscription_events'), ...terms.subscription_events],
    subscriptions: [
      ...list('subscriptions').map((row, index) => ({
        ...row,
        charged_through_date: `2025-0${1 + (index % 4)}-${10 + (index % 15)} ${HOURS[index % HOURS.length]}:00:09`,
      })),
      ...terms.subscriptions,
    ],
    blocking_states: [...list('blocking_states'), ...states],
    rolled_up_usage: list('subscriptions').flatMap((row, index) =>
      index % 4 !== 0
        ? []
        : DAYS.slice((index / 4) % DAYS.length).map((record_date) => ({
            ...owner(row),
            subscription_id: row['id'] ?? null,
            unit_type: 'calls',
            tracking_id: 'imported',
            record_date,
            amount: 1,
            created_date: CREATED,
          })),
    ),
  }
}

const order = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort()

async function noticesOf(engine: Engine): Promise<readonly object[]> {
  const { rows } = (await engine.billingNotices({ limit: '1000' })).data as Page
  return rows.map((row) => ({
    kind: row['kind'],
    customer_id: row['customer_id'],
    subject: row['subscription_id'] ?? row['invoice_id'],
    since: row['since'],
    amount: row['amount_base_cents'],
    monthly: row['monthly_base_cents'],
  }))
}

type Renewal = JudgedRenewal & { readonly billing_period: string | null }

async function renewalsOf(engine: Engine, days: { readonly start: string; readonly end: string }): Promise<readonly Renewal[]> {
  const found: Renewal[] = []
  for (;;) {
    const asked = { ...days, limit: '1000', offset: String(found.length) }
    const { rows, total } = (await engine.renewals(asked)).data as { readonly rows: readonly Renewal[]; readonly total: number }
    found.push(...rows)
    if (found.length >= total) return found
  }
}

/** Months of the billing periods of the histories. Others are of days, and not judged by the calendar. */
const MONTHS: Readonly<Record<string, number>> = {
  MONTHLY: 1,
  BIMESTRIAL: 2,
  QUARTERLY: 3,
  TRIANNUAL: 4,
  BIANNUAL: 6,
  ANNUAL: 12,
  BIENNIAL: 24,
}

const monthOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
const isMonthEnd = (day: string) => new Date(Date.parse(day) + 86_400_000).getUTCDate() === 1

/** Compares renewals with plain loops. Gives the number of pairs of ends of billed periods of which one follows the other without a change. */
function expectRenewals(
  found: readonly Renewal[],
  { fixed, next, amountOn, isChanged }: ReturnType<typeof judgeRenewals>,
  end: string,
): number {
  const plain = found.map(({ renews_on, subscription_id, ends, mrr_base_cents }) => ({
    renews_on,
    subscription_id,
    ends,
    mrr_base_cents,
  }))
  expect(order(plain.filter(({ ends }) => ends === 'fixed_term'))).toEqual(order(fixed))
  const listed = new Set(order(plain))
  expect(order(next).filter((renewal) => !listed.has(renewal))).toEqual([])
  for (const row of found) expect(amountOn(row.subscription_id, row.renews_on), JSON.stringify(row)).toBe(row.mrr_base_cents)
  const days = new Map<string, Renewal[]>()
  for (const row of found) days.set(row.subscription_id, [...(days.get(row.subscription_id) ?? []), row])
  let pairs = 0
  for (const rows of days.values())
    for (const [index, row] of rows.entries()) {
      const months = MONTHS[row.billing_period ?? '']
      const following = rows[index + 1]
      if (months === undefined || row.ends !== 'period') continue
      if (isChanged(row.subscription_id, row.renews_on, following?.renews_on ?? end)) continue
      const where = JSON.stringify([row, following])
      // The last one is followed by none in the range.
      if (following === undefined) expect(monthOf(row.renews_on) + months, where).toBeGreaterThanOrEqual(monthOf(end))
      else if (index > 0) {
        // The first one is the end of the billed days, whatever the billing day is.
        pairs += 1
        expect(monthOf(following.renews_on) - monthOf(row.renews_on), where).toBe(months)
        const isSameDay = following.renews_on.slice(8) === row.renews_on.slice(8)
        expect(isSameDay || isMonthEnd(row.renews_on) || isMonthEnd(following.renews_on), where).toBe(true)
      }
    }
  return pairs
}

firstEngineAndOneOther('notices and renewals compared with plain loops on a generated history', (target) => {
  let database: TestDatabase
  let engine: Engine
  let tables: Tables
  let options: Omit<EngineOptions, 'cache'>
  beforeAll(async () => {
    const filled = await fillDatabase(target, history())
    ;({ database, tables } = filled)
    options = { tenant: ['all'], now: new Date(`${HISTORY_NOW.replace(' ', 'T')}Z`), store: await ratesOnly(RATES_CSV) }
    engine = await engineOver(database, options)
  })
  afterAll(() => engine.close())

  // Nobody knows yet what is written later.
  const known: Tables = (name) => tables(name).filter((row) => String(row['created_date'] ?? '').slice(0, 19) <= HISTORY_NOW)
  const fold = (now: string): readonly FoldedCustomer[] =>
    foldTables(known, { now, base_currency: 'USD', rates: GENERATED_RATES })

  it('names each notice with its amounts, of every kind (H6)', async () => {
    const expected = judgedNotices(fold(HISTORY_NOW), known, { now: HISTORY_NOW, rates: GENERATED_RATES })
    expect(order(await noticesOf(engine))).toEqual(order(expected))
    expect(new Set(expected.map(({ kind }) => kind))).toEqual(new Set(NOTICE_KINDS))
  })

  it('names each renewal with its amount, also with a cache (D82)', async () => {
    const days = { start: '2025-01-16', end: '2026-01-31' }
    const asked = { ...days, today: '2025-01-13', rate_day: '2025-01-14', rates: GENERATED_RATES }
    const judged = judgeRenewals(fold('2026-02-02 00:00:00'), known, asked)
    const found = await renewalsOf(engine, days)
    expect(judged.fixed.length).toBeGreaterThan(2)
    expect(judged.next.length).toBeGreaterThan(5)
    expect(expectRenewals(found, judged, days.end)).toBeGreaterThan(20)
    const { engine: cached, cache } = await cachedEngineOver(database, options)
    await cache.ready()
    expect(await renewalsOf(cached, days)).toEqual(found)
    await cached.close()
  })
})

/** The recorded server had no rows of usage. */
const recorded: Tables = (name) => (name === 'rolled_up_usage' ? [] : realTables(name))

oneEngineInRotation('notices and renewals compared with plain loops on the recorded tables', (target) => {
  it.each(['alpha', 'beta'] as const)('are the same: %s', async (tenant) => {
    const engine = await engineOver(await sharedReal(target), { tenant: [tenant] })
    const customers = ofTenant(foldReal(), tenant)
    const notices = judgedNotices(customers, recorded, { now: NOW, rates: realRates })
    expect(order(await noticesOf(engine))).toEqual(order(notices))
    expect(notices.length).toBeGreaterThan(5)
    const days = { start: '2026-11-22', end: '2027-11-30' }
    const ahead = foldTables(realTables, { now: '2027-12-02 00:00:00', base_currency: 'USD', rates: realRates })
    const asked = { ...days, today: '2026-11-20', rate_day: '2026-11-20', rates: realRates }
    const renewals = judgeRenewals(ofTenant(ahead, tenant), realTables, asked)
    expect(renewals.next.length).toBeGreaterThan(5)
    expect(expectRenewals(await renewalsOf(engine, days), renewals, days.end)).toBeGreaterThan(100)
    await engine.close()
  })
})

import type { Row } from '../../../src/connector-kit/connector.ts'
import { NOW, realRates, realTables, TENANT_KEYS, type TenantName } from '../data/recorded/recorded-tables.ts'
import { foldReal, isoInstant, ofTenant } from './fold/fold-recorded.ts'
import { relationsOf } from './fold/fold-tables.ts'
import { groupBy } from './killbill/fold/group.ts'
import { chargedThrough } from './local-days.ts'

type Cells = Record<string, unknown>

/** The rows of the data endpoints for the recorded tables, computed by plain loops over CSV rows and the folded accounts. */
export interface Records {
  readonly customers: readonly Cells[]
  readonly subscriptions: readonly Cells[]
  readonly invoices: readonly Cells[]
}

const STARTS = ['CREATE', 'TRANSFER']
const TEST_TAG = '00000000-0000-0000-0000-000000000006'
const WRITTEN_OFF_TAG = '00000000-0000-0000-0000-000000000004'

const AGES = [
  [30, '0-30'],
  [60, '31-60'],
  [90, '61-90'],
] as const

const iso = (at: unknown): string | null =>
  at === null || at === undefined ? null : `${isoInstant(String(at))?.slice(0, 19)}.000Z`
const byText = (a: unknown, b: unknown) => (String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0)

/** The records of one tenant, each list in its order. */
export function recordsOf(tenant: TenantName): Records {
  const own = (table: string) => realTables(table).filter((row) => Number(row['tenant_record_id']) === TENANT_KEYS[tenant])
  const source = realTables('tenants').find((row) => Number(row['record_id']) === TENANT_KEYS[tenant])
  const named = { source_id: source?.['id'], tenant: source?.['external_key'] }
  const tests = own('tags').filter((tag) => tag['is_active'] === true && tag['tag_definition_id'] === TEST_TAG)
  const isTest = new Set(tests.map((tag) => tag['object_id']))
  const accounts = own('accounts').filter((row) => !isTest.has(row['id'] ?? null))
  const folded = new Map(ofTenant(foldReal(), tenant).map((customer) => [String(customer.account['record_id']), customer]))
  const accountOf = new Map(accounts.map((row) => [String(row['record_id']), row]))
  const counted = (table: string) => own(table).filter((row) => accountOf.has(String(row['account_record_id'])))
  const holder = (row: Row) => accountOf.get(String(row['account_record_id'])) ?? {}

  const customers = accounts.map((row): Cells => {
    const fold = folded.get(String(row['record_id']))
    const spans = fold?.spans ?? []
    const open = spans.filter((span) => span.valid_from <= NOW && (span.valid_to === null || span.valid_to > NOW))
    const live = spans.filter((span) => span.is_live).map((span) => span.valid_from)
    const [first] = live.sort()
    const mrr = open.reduce((sum, span) => sum + span.mrr_cents, 0)
    const liveNow = open.filter((span) => span.is_live).length
    const status = [
      [mrr > 0, 'active'],
      [open.some((span) => span.status === 'active'), 'free'],
      [liveNow > 0, 'paused'],
      [open.some((span) => span.is_trial), 'trialing'],
      [first !== undefined, 'churned'],
      [true, 'lead'],
    ].find(([holds]) => holds)?.[1]
    return {
      id: row['id'],
      ...named,
      external_key: row['external_key'],
      name: row['name'],
      email: row['email'],
      country: row['country'],
      currency: row['currency'],
      status,
      created_at: iso(row['created_date']),
      first_active_at: iso(first),
      churned_at: liveNow > 0 ? null : iso(fold?.logo_churn.at(-1)),
      cohort_month: first === undefined ? null : `${first.slice(0, 7)}-01`,
      live_subscriptions: liveNow,
      mrr_cents: mrr,
      mrr_base_cents: open.reduce((sum, span) => sum + (span.mrr_base_cents ?? Number.NaN), 0),
    }
  })

  const planColumns = relationsOf(realTables).find((relation) => relation.name === 'plan')
  const planOf = (key: number | null) => {
    const found = planColumns?.rows.find((cells) => cells[0] === key) ?? []
    return Object.fromEntries((planColumns?.columns ?? []).map(({ name }, index) => [name, found[index] ?? null]))
  }
  const bundles = new Map(own('bundles').map((row) => [row['id'], row]))
  const eventsOf = groupBy(
    own('subscription_events').filter((event) => event['is_active'] === true),
    (event) => String(event['subscription_id']),
  )
  const paying = new Set(
    own('tags')
      .filter((tag) => tag['is_active'] === true && /^0{8}-(0{4}-){3}0{11}[15]$/.test(String(tag['tag_definition_id'])))
      .map((tag) => tag['object_id']),
  )
  const subscriptions = counted('subscriptions').flatMap((row): Cells[] => {
    const account = holder(row)
    const fold = folded.get(String(account['record_id']))
    const spans = (fold?.spans ?? []).filter((span) => span.subscription_id === row['id'])
    const last = spans.at(-1)
    if (last === undefined) return []
    const events = (eventsOf.get(String(row['id'])) ?? []).toSorted((a, b) => byText(a['effective_date'], b['effective_date']))
    const begin = events.find((event) => STARTS.includes(String(event['user_type'])))
    const cancel = events.find((event) => event['user_type'] === 'CANCEL')
    const next = events.find(
      (event) =>
        String(event['effective_date']) > NOW &&
        (['PHASE', 'EXPIRED'].includes(String(event['event_type'])) || ['CHANGE', 'CANCEL'].includes(String(event['user_type']))),
    )
    const trial = fold?.trials.find((one) => one.subscription_id === row['id'])
    const plan = planOf(last.plan_key)
    const ended = last.end_reason === null ? null : last.valid_to
    const pending = cancel !== undefined && String(cancel['effective_date']) > NOW && ended === null
    const isActive = ended === null && last.status === 'active'
    return [
      {
        id: row['id'],
        ...named,
        external_key: row['external_key'],
        bundle_id: row['bundle_id'],
        bundle_external_key: bundles.get(row['bundle_id'] ?? null)?.['external_key'],
        customer_id: account['id'],
        customer_name: account['name'],
        status: ended === null ? last.status : 'canceled',
        plan_id: plan['plan_id'] ?? last.plan,
        plan_name: plan['plan_name'] ?? last.plan,
        plan_interval: plan['plan_interval'],
        billing_period: plan['billing_period'],
        product_name: plan['product_name'],
        product_category: plan['product_category'],
        price_list: last.price_list,
        phase_type: last.phase_type,
        collection_method: paying.has(account['id'] ?? null) ? 'manual' : 'automatic',
        quantity: last.quantity,
        currency: account['currency'],
        mrr_cents: isActive ? last.mrr_cents : 0,
        mrr_base_cents: isActive ? last.mrr_base_cents : 0,
        usage_mrr_base_cents: isActive ? last.usage_mrr_base_cents : 0,
        created_at: iso(row['created_date']),
        started_at: iso(begin?.['effective_date']),
        trial_start: iso(trial?.started_at),
        trial_end: trial === undefined ? null : iso(trial.converted_at ?? trial.expired_at ?? next?.['effective_date']),
        charged_through: chargedThrough(account, row),
        pending_cancellation: pending,
        cancel_at: pending ? iso(cancel?.['effective_date']) : null,
        canceled_at: iso(cancel?.['created_date']),
        ended_at: iso(ended),
      },
    ]
  })

  const itemsOf = groupBy(own('invoice_items'), (item) => String(item['invoice_id']))
  const itemById = new Map(own('invoice_items').map((item) => [item['id'], item]))
  const paymentsOf = groupBy(
    own('invoice_payments').filter((payment) => payment['status'] === 'SUCCESS'),
    (payment) => String(payment['invoice_id']),
  )
  const writtenOff = new Set(
    own('tags')
      .filter((tag) => tag['is_active'] === true && tag['tag_definition_id'] === WRITTEN_OFF_TAG)
      .map((tag) => tag['object_id']),
  )
  const paid = new Map([...folded.values()].flatMap((one) => one.paid_invoices).map((one) => [one.invoice_id, one.paid_at]))
  const invoices = counted('invoices').map((row): Cells => {
    const account = holder(row)
    const items = itemsOf.get(String(row['id'])) ?? []
    const kindOf = (item: Row) =>
      item['type'] === 'ITEM_ADJ' ? (itemById.get(item['linked_item_id'] ?? null)?.['type'] ?? null) : (item['type'] ?? null)
    const sum = (some: readonly Row[]) => some.reduce((total, one) => total + nano(one['amount']), 0n)
    const creditOnly = items.every((item) => ['CREDIT_ADJ', 'CBA_ADJ'].includes(String(item['type'])))
    const movesCredit = creditOnly && items.some((item) => item['type'] === 'CREDIT_ADJ') && sum(items) === 0n
    const total = movesCredit ? 0 : cents(sum(items.filter((item) => item['type'] !== 'CBA_ADJ')))
    const tax = cents(sum(items.filter((item) => kindOf(item) === 'TAX')))
    const paid_at = paid.get(String(row['id'])) ?? null
    const isWrittenOff = writtenOff.has(row['id'] ?? null)
    const paidSum = sum(paymentsOf.get(String(row['id'])) ?? [])
    const currency = String(row['currency'])
    const status = paid_at !== null ? 'paid' : isWrittenOff ? 'uncollectible' : 'open'
    const balance = isWrittenOff ? 0 : cents(sum(items) - paidSum)
    const rated = String(paid_at ?? row['invoice_date']).slice(0, 10)
    const days = Math.floor(
      (Date.parse(`${NOW.replace(' ', 'T')}Z`) - Date.parse(`${row['invoice_date']}T00:00:00Z`)) / 86_400_000,
    )
    const days_open = status === 'open' || (status === 'paid' && balance !== 0) ? Math.max(0, days) : null
    return {
      id: row['id'],
      ...named,
      number: row['record_id'],
      customer_id: account['id'],
      customer_name: account['name'],
      subscription_ids: [
        ...new Set(
          items.flatMap(
            (item) => item['subscription_id'] ?? itemById.get(item['linked_item_id'] ?? null)?.['subscription_id'] ?? [],
          ),
        ),
      ].sort(byText),
      status,
      currency,
      invoice_date: row['invoice_date'],
      created_at: iso(row['created_date']),
      paid_at: iso(paid_at),
      voided_at: null,
      subtotal_cents: total - tax,
      tax_cents: tax,
      total_cents: total,
      usage_cents: cents(sum(items.filter((item) => kindOf(item) === 'USAGE'))),
      amount_paid_cents: cents(paidSum),
      balance_cents: balance,
      total_base_cents: inBase(total, currency, rated),
      balance_base_cents: inBase(balance, currency, rated),
      days_open,
      age: days_open === null ? null : (AGES.find(([most]) => days_open <= most)?.[1] ?? 'over-90'),
    }
  })
  const newest = (key: string) => (a: Cells, b: Cells) => byText(b[key], a[key]) || byText(a['id'], b['id'])
  return {
    customers: customers.sort(newest('created_at')),
    subscriptions: subscriptions.sort(newest('started_at')),
    invoices: invoices.sort(newest('invoice_date')),
  }
}

/** Decimal text as a whole number of billionths. */
function nano(amount: unknown): bigint {
  const [, sign, whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(amount)) ?? []
  const value = BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9))
  return sign === '-' ? -value : value
}

function cents(amount: bigint): number {
  const half = amount < 0n ? -5_000_000n : 5_000_000n
  return Number((amount + half) / 10_000_000n)
}

function inBase(amount: number, currency: string, day: string): number | null {
  if (currency === 'USD' || amount === 0) return amount
  const known = realRates.filter((rate) => rate.from === currency && rate.to === 'USD' && rate.date <= day)
  const newest = known.toSorted((a, b) => byText(a.date, b.date)).at(-1)
  return newest === undefined ? null : cents((BigInt(amount) * nano(newest.rate)) / 100n)
}

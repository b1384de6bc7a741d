import type { Row } from '../../../src/connector-kit/connector.ts'
import type { FxRate } from '../../../src/core/currency.ts'
import type { Definitions, SetOptions } from '../../../src/core/definitions.ts'
import { catalogXml, phaseXml, planXml } from './catalogs/catalog-xml.ts'

type Cells = Readonly<Record<string, string | number | boolean | null>>

/** Day, what happens, and the phase or quantity; further cells override the row's. */
export type Happening = readonly [day: string, kind: string, argument?: string | number | undefined, more?: Cells]

interface SubscriptionParts {
  readonly account?: string
  readonly bundle?: string
  readonly category?: string
  readonly original_start?: string
  /** Day up to which it is billed. */
  readonly charged_through?: string
  readonly events: readonly Happening[]
}

/** Object (`account X`, `bundle X`, a subscription's name), service, day, whether it blocks billing, name of the state, day on which it was written. */
export type Blocking = readonly [object: string, service: string, day: string, blocks: boolean, state?: string, written?: string]

/** Bundle, the key it had then, what happened to it, day; by its name of now. */
export type BundleChange = readonly [bundle: string, key: string, change: 'INSERT' | 'UPDATE', day: string]

interface InvoiceParts {
  readonly account?: string
  readonly created: string
  readonly cells?: Cells
  /** Type, amount and further cells. */
  readonly items: readonly (readonly [type: string, amount: string, more?: Cells])[]
  /** Day, amount and further cells. */
  readonly payments?: readonly (readonly [day: string, amount: string, more?: Cells])[]
  /** Status and day of the rows of the invoice's history. */
  readonly history?: readonly (readonly [status: string, day: string])[]
}

export interface Scenario {
  readonly catalogs: readonly string[]
  readonly accounts?: Readonly<Record<string, Cells>>
  readonly subscriptions: Readonly<Record<string, SubscriptionParts>>
  readonly blocks?: readonly Blocking[]
  readonly bundle_history?: readonly BundleChange[]
  readonly invoices?: Readonly<Record<string, InvoiceParts>>
  readonly tags?: readonly Cells[]
  readonly links?: readonly Cells[]
  /** Days with a record of usage, by subscription. */
  readonly usage?: Readonly<Record<string, readonly string[]>>
  readonly now?: string
  readonly rates?: readonly FxRate[]
  readonly definitions?: Partial<Definitions>
  /** Configured definition sets. */
  readonly sets?: Readonly<Record<string, SetOptions>>
}

const USER_TYPES = [
  'CREATE',
  'TRANSFER',
  'CHANGE',
  'CANCEL',
  'UNCANCEL',
  'UNDO_CHANGE',
  'RE_CREATE',
  'MIGRATE_ENTITLEMENT',
  'MIGRATE_BILLING',
]

/** 00:00 of a day; a whole instant stays. */
export function instant(day: string): string {
  return day.includes(' ') ? day : `${day} 00:00:00`
}

/** Rows of the engine's tables that say what a scenario says; ids are names. */
export function scenarioTables(scenario: Scenario): Record<string, Row[]> {
  const accounts = Object.entries(scenario.accounts ?? { A: {} })
  const accountKey = (name = 'A'): number => accounts.findIndex(([key]) => key === name) + 1
  const subscriptions = Object.entries(scenario.subscriptions)
  const bundleOf = (name: string, parts: SubscriptionParts): string => parts.bundle ?? `bundle-${name}`
  const bundles = new Map(subscriptions.map(([name, parts]) => [bundleOf(name, parts), accountKey(parts.account)]))
  const ownerOf = (object: string): number => {
    const [kind = '', name = ''] = object.split(' ')
    if (kind === 'account') return accountKey(name)
    return (kind === 'bundle' ? bundles.get(name) : accountKey(scenario.subscriptions[object]?.account)) ?? 1
  }
  return {
    tenants: [{ record_id: 1, id: 'T' }],
    tenant_kvs: scenario.catalogs.map((xml) => ({
      tenant_record_id: 1,
      tenant_key: 'CATALOG',
      tenant_value: xml,
      is_active: true,
    })),
    accounts: accounts.map(([name, cells], index) => ({
      record_id: index + 1,
      tenant_record_id: 1,
      id: name,
      external_key: name,
      currency: 'USD',
      ...cells,
    })),
    bundle_history: (scenario.bundle_history ?? []).map(([bundle, external_key, change_type, day]) => ({
      target_record_id: [...bundles.keys()].indexOf(bundle) + 1,
      external_key,
      change_type,
      created_date: instant(day),
      account_record_id: bundles.get(bundle) ?? 1,
    })),
    bundles: [...bundles].map(([key, account_record_id], index) => ({
      record_id: index + 1,
      id: `id ${key}`,
      external_key: key,
      account_record_id,
      tenant_record_id: 1,
    })),
    subscriptions: subscriptions.map(([name, parts], index) => ({
      record_id: index + 1,
      id: name,
      bundle_id: `id ${bundleOf(name, parts)}`,
      external_key: name,
      category: parts.category ?? 'BASE',
      start_date: instant(parts.original_start ?? parts.events[0]?.[0] ?? '2025-01-01'),
      account_record_id: accountKey(parts.account),
      ...(parts.charged_through !== undefined && { charged_through_date: instant(parts.charged_through) }),
    })),
    subscription_events: subscriptions
      .flatMap(([name, parts]) =>
        parts.events.map((event) => ({ account_record_id: accountKey(parts.account), ...eventRow(name, event) })),
      )
      .map((row, index) => ({ record_id: index + 1, ...row })),
    blocking_states: (scenario.blocks ?? []).map((block, index) => ({
      ...blockRow(block, index + 1),
      account_record_id: ownerOf(block[0]),
    })),
    ...invoiceTables(scenario, accountKey),
    tags: (scenario.tags ?? []).map((cells) => ({
      is_active: true,
      created_date: instant('2025-01-01'),
      account_record_id: 1,
      ...cells,
    })),
    invoice_parent_children: (scenario.links ?? []).map((cells) => ({ ...cells })),
    rolled_up_usage: Object.entries(scenario.usage ?? {}).flatMap(([name, days]) =>
      days.map((day) => ({
        subscription_id: name,
        unit_type: 'call',
        record_date: instant(day),
        amount: '7',
        tracking_id: `${name} ${day}`,
        created_date: instant(day),
        account_record_id: ownerOf(name),
      })),
    ),
  }
}

function eventRow(subscription: string, [day, kind, argument, more = {}]: Happening): Row {
  const isUser = USER_TYPES.includes(kind)
  const phase = typeof argument === 'string' ? argument : null
  const namesPlan = isUser && phase !== null
  return {
    subscription_id: subscription,
    event_type: isUser ? 'API_USER' : kind,
    user_type: isUser ? kind : null,
    effective_date: instant(day),
    plan_name: namesPlan ? phase.replace(/-[a-z]+$/, '') : null,
    phase_name: phase,
    price_list_name: namesPlan ? 'DEFAULT' : null,
    quantity: typeof argument === 'number' ? argument : 0,
    created_date: instant(day),
    is_active: true,
    ...more,
  }
}

function blockRow([object, service, day, blocks, state, written = day]: Blocking, recordId: number): Row {
  const [kind = '', name = ''] = object.includes(' ') ? object.split(' ') : ['subscription', object]
  const type = { account: 'ACCOUNT', bundle: 'SUBSCRIPTION_BUNDLE' }[kind] ?? 'SUBSCRIPTION'
  return {
    record_id: recordId,
    blockable_id: kind === 'bundle' ? `id ${name}` : name,
    type,
    service,
    block_billing: blocks,
    ...(state !== undefined && { state }),
    effective_date: instant(day),
    created_date: instant(written),
    is_active: true,
  }
}

function invoiceTables(scenario: Scenario, accountKey: (name?: string) => number): Record<string, Row[]> {
  const invoices = Object.entries(scenario.invoices ?? {})
  const rows: Record<string, Row[]> = { invoices: [], invoice_items: [], invoice_payments: [], invoice_history: [] }
  for (const [index, [id, parts]] of invoices.entries()) {
    const common = { account_record_id: accountKey(parts.account), created_date: instant(parts.created) }
    const flags = { status: 'COMMITTED', migrated: false, parent_invoice: false }
    rows['invoices']?.push({ record_id: index + 1, id, currency: 'USD', ...flags, ...common, ...parts.cells })
    for (const [position, [type, amount, more]] of parts.items.entries()) {
      const blank = { subscription_id: null, start_date: null, end_date: null, linked_item_id: null }
      const item = { record_id: index * 10 + position, id: `${id}/${position}`, invoice_id: id, type, amount }
      rows['invoice_items']?.push({ ...item, ...blank, ...common, ...more })
    }
    for (const [day, amount, more] of parts.payments ?? [])
      rows['invoice_payments']?.push({
        invoice_id: id,
        payment_date: instant(day),
        amount,
        status: 'SUCCESS',
        ...common,
        ...more,
      })
    for (const [status, day] of parts.history ?? [])
      rows['invoice_history']?.push({ target_record_id: index + 1, status, ...common, created_date: instant(day) })
  }
  return rows
}

/** A monthly evergreen plan in USD. */
export function monthlyPlan(name: string, price: string, more: Parameters<typeof planXml>[1] = {}): string {
  return planXml(name, { final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: price } }), ...more })
}

/** A catalog of one version with these plans. */
export function catalogOf(...plans: readonly string[]): string {
  return catalogXml({ plans: plans.join('') })
}

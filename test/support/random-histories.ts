import { latest } from '../../connectors/killbill/fold/instant.ts'
import type { Row } from '../../src/connector-kit/connector.ts'
import { catalogXml, phaseXml, planXml } from './catalog-xml.ts'

type Cells = Record<string, string | number | boolean | null>

/** Numbers in [0, 1) that depend on the seed alone. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const evergreen = (period: string, USD: string, EUR: string, usage = false): string =>
  phaseXml('EVERGREEN', { period, prices: { USD, EUR }, usage })
const TRIAL = phaseXml('TRIAL', { unit: 'DAYS', number: 14 })
const TERM = phaseXml('FIXEDTERM', { unit: 'MONTHS', number: 2, period: 'MONTHLY', prices: { USD: '90', EUR: '80' } })

const PRODUCTS = [
  '<product name="Pro"><category>BASE</category><available><addonProduct>Seats</addonProduct></available></product>',
  '<product name="Bare"><category>BASE</category></product>',
  '<product name="Seats"><category>ADD_ON</category></product>',
].join('')

function version(day: string, factor: number, existing?: string): string {
  const price = (amount: number): string => (amount * factor).toFixed(3)
  const dated = existing === undefined ? {} : { existing }
  return catalogXml({
    effectiveDate: day,
    products: PRODUCTS,
    plans: [
      planXml('pro', { product: 'Pro', initial: TRIAL, final: evergreen('MONTHLY', price(30), price(27)), ...dated }),
      planXml('pro-year', { product: 'Pro', final: evergreen('ANNUAL', price(301), price(270)) }),
      planXml('meter', { product: 'Pro', final: evergreen('MONTHLY', price(10), price(9), true) }),
      planXml('bare', {
        product: 'Bare',
        final: phaseXml('EVERGREEN', { period: 'WEEKLY', prices: { USD: price(7) } }),
        ...dated,
      }),
      planXml('free', { product: 'Bare', final: phaseXml('EVERGREEN', { period: 'MONTHLY' }) }),
      planXml('term', { product: 'Bare', final: TERM }),
      planXml('seats', { product: 'Seats', final: evergreen('MONTHLY', price(5), price(4.5)), ...dated }),
    ].join(''),
  })
}

const FIRST_PHASES = [
  'pro-trial',
  'pro-evergreen',
  'pro-year-evergreen',
  'meter-evergreen',
  'bare-evergreen',
  'free-evergreen',
  'term-fixedterm',
  'ghost-evergreen',
]
const SERVICES = ['entitlement-service', 'overdue-service', 'other']

/** Accounts with arbitrary histories: what the engine would refuse is there, too, as long as the rules say what it means. */
export function randomHistories(seed: number, accountCount: number): Record<string, Cells[]> {
  const random = randomOf(seed)
  const below = (count: number): number => Math.floor(random() * count)
  const pick = <T>(choices: readonly [T, ...T[]]): T => choices[below(choices.length)] ?? choices[0]
  // Few instants, so that many coincide.
  const instant = (): string =>
    new Date(Date.UTC(2025, 0, 1 + below(60), pick([0, 6, 6, 18]))).toISOString().slice(0, 19).replace('T', ' ')
  const tables: Record<string, Cells[]> = {
    tenants: [{ record_id: 1, external_key: 'random', api_key: 'random' }],
    tenant_kvs: [version('2024-01-01', 1), version('2025-01-20', 1.1, '2025-02-01T06:00:00Z'), version('2025-02-10', 1.25)].map(
      (xml) => ({
        tenant_key: 'CATALOG',
        tenant_value: xml,
      }),
    ),
  }
  const keys = new Set<string>()
  const add = (table: string, row: Cells): number => {
    const rows = tables[table] ?? []
    tables[table] = rows
    rows.push({ record_id: rows.length + 1, ...row })
    return rows.length
  }
  const addEvent = (subscription: string, account: number, kind: string, more: Cells): void => {
    const isUser = ['CREATE', 'TRANSFER', 'CHANGE', 'CANCEL', 'UNCANCEL'].includes(kind)
    const phase = more['phase_name'] ?? null
    const named = isUser && phase !== null
    add('subscription_events', {
      event_type: isUser ? 'API_USER' : kind,
      user_type: isUser ? kind : null,
      subscription_id: subscription,
      account_record_id: account,
      plan_name: named ? String(phase).replace(/-[a-z]+$/, '') : null,
      price_list_name: named ? pick(['DEFAULT', 'DEFAULT', 'SPECIAL']) : null,
      quantity: 0,
      effective_date: instant(),
      is_active: random() > 0.12,
      ...more,
    })
  }
  const addSubscription = (account: number, bundle: string, category: string, start: string, transferred: boolean): string => {
    const number = (tables['subscriptions']?.length ?? 0) + 1
    const id = `subscription-${number}`
    add('subscriptions', {
      id,
      bundle_id: bundle,
      external_key: id,
      category,
      start_date: '2024-12-01 00:00:00',
      account_record_id: account,
    })
    const phases: readonly [string, ...string[]] =
      category === 'ADD_ON' ? ['seats-evergreen'] : ['pro-evergreen', ...FIRST_PHASES]
    const happenings: Cells[] = [
      {
        kind: transferred ? 'TRANSFER' : 'CREATE',
        effective_date: start,
        phase_name: pick(phases),
        is_active: true,
        ...(transferred && random() < 0.3 ? { plan_name: null } : {}),
      },
    ]
    for (let count = below(6); count > 0; count--) {
      const kind = pick([
        'CHANGE',
        'CHANGE',
        'QUANTITY_UPDATE',
        'QUANTITY_UPDATE',
        'CANCEL',
        'UNCANCEL',
        'BCD_UPDATE',
        'PHASE',
        'EXPIRED',
      ])
      const common = { kind, effective_date: latest(instant(), start), is_active: random() > 0.12 }
      if (kind === 'CHANGE') happenings.push({ ...common, phase_name: pick(phases) })
      else if (kind === 'QUANTITY_UPDATE') happenings.push({ ...common, quantity: pick([-1, 0, 1, 2, 5]) })
      else if (kind !== 'EXPIRED' || random() < 0.4) happenings.push(common)
    }
    for (const { kind, ...cells } of withPhases(happenings)) addEvent(id, account, String(kind), cells)
    return id
  }
  for (let account = 1; account <= accountCount; account++) {
    const id = `account-${account}`
    add('accounts', { id, external_key: id, currency: pick(['USD', 'USD', 'EUR', null]) })
    if (random() < 0.05)
      add('tags', {
        object_id: id,
        object_type: 'ACCOUNT',
        tag_definition_id: '00000000-0000-0000-0000-000000000006',
        account_record_id: account,
      })
    const objects: [string, string][] = [['ACCOUNT', id]]
    const metered: string[] = []
    for (let count = 1 + below(3); count > 0; count--) {
      const number = (tables['bundles']?.length ?? 0) + 1
      const bundle = `bundle-${number}`
      // A key is free once; whoever comes later has a prefix, so that lines meet within accounts and between them.
      const line = `key-${account % 20}-${below(2)}`
      const prefix = pick([`kbcncl-${number}:`, `kbtsf-${number}:`, `kbtsf-${number}:kbcncl-1:`])
      const isFree = !keys.has(line) && random() < 0.7
      if (isFree) keys.add(line)
      add('bundles', {
        id: bundle,
        account_id: id,
        external_key: isFree ? line : `${prefix}${line}`,
        account_record_id: account,
      })
      objects.push(['SUBSCRIPTION_BUNDLE', bundle])
      const transferred = random() < 0.15
      const start = instant()
      const own = [addSubscription(account, bundle, pick(['BASE', 'BASE', 'BASE', 'STANDALONE']), start, transferred)]
      for (let addons = below(3); addons > 0; addons--)
        own.push(addSubscription(account, bundle, 'ADD_ON', pick([start, instant()]), transferred && random() < 0.7))
      objects.push(...own.map((subscription): [string, string] => ['SUBSCRIPTION', subscription]))
      metered.push(...own)
    }
    for (let count = random() < 0.5 ? below(8) : 0; count > 0; count--) {
      const [type, blockable_id] = objects[below(objects.length)] ?? ['ACCOUNT', id]
      const at = instant()
      const row = {
        type,
        blockable_id,
        service: SERVICES[below(SERVICES.length)] ?? 'other',
        account_record_id: account,
        is_active: random() > 0.1,
      }
      const blocks = random() < 0.6
      // The engine writes its own ENT_STARTED and ENT_CANCELLED on subscriptions, where they block no billing.
      const isEngineState = !blocks && type === 'SUBSCRIPTION' && row.service === 'entitlement-service'
      add('blocking_states', {
        ...row,
        state: isEngineState ? pick(['ENT_STARTED', 'ENT_CANCELLED']) : `state-${below(3)}`,
        block_billing: blocks,
        effective_date: at,
        created_date: at,
      })
    }
    for (let count = random() < 0.4 ? below(7) : 0; count > 0; count--) addInvoice(account, metered[below(metered.length)] ?? '')
  }
  return tables

  function addInvoice(account: number, subscription: string): void {
    const id = `invoice-${(tables['invoices']?.length ?? 0) + 1}`
    const created_date = instant()
    const common = { account_record_id: account, created_date }
    add('invoices', {
      id,
      account_id: `account-${account}`,
      status: pick(['COMMITTED', 'COMMITTED', 'COMMITTED', 'VOID', 'DRAFT']),
      ...common,
    })
    const amount = (below(4000) / 100).toFixed(2)
    const month = below(3)
    const day = (offset: number): string => new Date(Date.UTC(2025, offset, 1 + below(3) * 7)).toISOString().slice(0, 10)
    const item = { invoice_id: id, account_id: `account-${account}`, subscription_id: subscription, ...common }
    add('invoice_items', { ...item, type: 'USAGE', amount, start_date: day(month), end_date: day(month + 1 + below(3)) })
    if (random() < 0.2)
      add('invoice_items', { ...item, type: 'CBA_ADJ', amount: `-${amount}`, start_date: day(month), end_date: null })
    if (random() < 0.8) {
      const paid = instant()
      add('invoice_payments', {
        invoice_id: id,
        amount,
        payment_date: latest(paid, created_date),
        status: pick(['SUCCESS', 'SUCCESS', 'SUCCESS', 'INIT']),
        ...common,
      })
    }
  }
}

/** A PHASE row leads to a phase of the plan then in force; the engine writes no other. */
function withPhases(happenings: readonly Cells[]): Cells[] {
  const planAt = (at: string, position: number): string => {
    const earlier = happenings.filter((other, index) => {
      const otherAt = String(other['effective_date'])
      const named = other['phase_name'] !== undefined && other['is_active'] === true
      return named && (otherAt < at || (otherAt === at && index < position) || (index === 0 && otherAt <= at))
    })
    const ordered = earlier
      .map((other, index) => ({ other, index }))
      .sort((a, b) => compare(a.other, b.other) || a.index - b.index)
    return String(ordered.at(-1)?.other['phase_name'] ?? happenings[0]?.['phase_name']).replace(/-[a-z]+$/, '')
  }
  return happenings.map((row, position) => {
    if (row['kind'] !== 'PHASE') return row
    const plan = planAt(String(row['effective_date']), position)
    return { ...row, phase_name: `${plan}-${plan === 'term' ? 'fixedterm' : 'evergreen'}` }
  })
}

function compare(a: Cells, b: Cells): number {
  const [left, right] = [String(a['effective_date']), String(b['effective_date'])]
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** Rows in the shape in which the fold's helpers take a database. */
export function asTables(tables: Readonly<Record<string, readonly Row[]>>): (name: string) => readonly Row[] {
  return (name) => tables[name] ?? []
}

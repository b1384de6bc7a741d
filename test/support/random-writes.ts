import type { BillingWriter, Cells, Writing } from './billing-writer.ts'
import { FIRST_CATALOG, PLANS } from './generated-catalog.ts'
import type { FilledRow } from './insert-rows.ts'

/** Draws from a seeded stream. */
export interface Dice {
  below(limit: number): number
  pick<T>(items: readonly T[]): T
  chance(percent: number): boolean
}

/** The same draws for the same seed (mulberry32). */
export function dice(seed: number): Dice {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    chance: (percent) => below(100) < percent,
  }
}

/** What one write works with: one account that no open transaction holds. */
interface Scene {
  readonly writing: Writing
  readonly writer: BillingWriter
  readonly dice: Dice
  readonly now: string
  readonly account: FilledRow
  readonly owner: Cells
}

type Write = (scene: Scene) => Promise<void>

const DAY = 86_400

/** A text instant, that many seconds later. */
export function later(at: string, seconds: number): string {
  return new Date(new Date(`${at.replace(' ', 'T')}Z`).getTime() + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
}

/** Now, the past, exactly a day away, or what lies ahead. */
function someInstant({ dice, now }: Scene): string {
  return later(now, dice.pick([0, 0, -1, 1, -DAY, DAY, DAY - 1, -7 * DAY, -40 * DAY, -200 * DAY, 3_600, 5 * DAY, 30 * DAY]))
}

const own = ({ writer, account }: Scene, table: string): readonly FilledRow[] =>
  writer.rows(table).filter((row) => row['account_record_id'] === account['record_id'])

async function withOne(scene: Scene, table: string, write: (row: FilledRow) => Promise<unknown>): Promise<void> {
  const rows = own(scene, table)
  if (rows.length > 0) await write(scene.dice.pick(rows))
}

function planEvent(scene: Scene, subscription: FilledRow, user_type: string, at: string): Cells {
  const plans = PLANS[String(subscription['category']) as keyof typeof PLANS]
  const plan = scene.dice.pick(Object.keys(plans))
  const phase = `${plan}-${plans[plan]?.[0]}`
  return {
    ...event(scene, subscription, at),
    event_type: 'API_USER',
    user_type,
    plan_name: plan,
    phase_name: phase,
    price_list_name: 'DEFAULT',
  }
}

function event({ owner }: Scene, subscription: FilledRow, at: string): Cells {
  return {
    ...owner,
    subscription_id: subscription['id'] ?? null,
    effective_date: at,
    plan_name: null,
    phase_name: null,
    price_list_name: null,
    user_type: null,
    quantity: 0,
  }
}

async function deactivateFrom(scene: Scene, subscription: FilledRow, at: string, kinds: readonly string[]): Promise<void> {
  for (const row of own(scene, 'subscription_events')) {
    const kind = String(row['user_type'] ?? row['event_type'])
    const isLater = row['subscription_id'] === subscription['id'] && String(row['effective_date']) >= at
    if (isLater && row['is_active'] === true && kinds.includes(kind))
      await scene.writing.update('subscription_events', row, { is_active: false })
  }
}

const ENDING = ['PHASE', 'CHANGE', 'EXPIRED', 'CANCEL', 'QUANTITY_UPDATE', 'BCD_UPDATE']

/** What the engine writes, by name (KB 1.4, 2.4). */
const WRITES: Readonly<Record<string, Write>> = {
  create: async (scene) => {
    const { writing, writer, owner, account, dice } = scene
    const at = someInstant(scene)
    const id = `bundle-new-${writer.rows('bundles').length}-${account['record_id']}`
    const bundle = await writing.insert('bundles', { ...owner, id, account_id: account['id'] ?? null, external_key: id })
    for (const category of dice.pick([['BASE'], ['BASE', 'ADD_ON'], ['STANDALONE']])) {
      const subscription = await writing.insert('subscriptions', {
        ...owner,
        id: `${id}-${category}`,
        bundle_id: bundle['id'] ?? null,
        external_key: `${id}-${category}`,
        category,
        start_date: at,
      })
      await writing.insert('subscription_events', planEvent(scene, subscription, 'CREATE', at))
      if (dice.chance(30))
        await writing.insert('subscription_events', {
          ...event(scene, subscription, at),
          event_type: 'QUANTITY_UPDATE',
          quantity: 1 + dice.below(5),
        })
      if (dice.chance(40))
        await writing.insert('subscription_events', {
          ...event(scene, subscription, later(at, 15 * DAY)),
          event_type: 'PHASE',
          phase_name: 'phased-evergreen',
        })
    }
  },
  change: (scene) =>
    withOne(scene, 'subscriptions', async (subscription) => {
      const at = someInstant(scene)
      await deactivateFrom(scene, subscription, at, ['PHASE', 'CHANGE', 'EXPIRED', 'CANCEL'])
      await scene.writing.insert('subscription_events', planEvent(scene, subscription, 'CHANGE', at))
    }),
  quantity: (scene) =>
    withOne(scene, 'subscriptions', (subscription) =>
      scene.writing.insert('subscription_events', {
        ...event(scene, subscription, someInstant(scene)),
        event_type: 'QUANTITY_UPDATE',
        quantity: scene.dice.below(9),
      }),
    ),
  cancel: (scene) =>
    withOne(scene, 'subscriptions', async (subscription) => {
      const at = someInstant(scene)
      await deactivateFrom(scene, subscription, at, ENDING)
      const row = await scene.writing.insert('subscription_events', {
        ...event(scene, subscription, at),
        event_type: 'API_USER',
        user_type: 'CANCEL',
      })
      const history = scene.writing.historyOf(row)
      if (scene.dice.chance(50))
        await scene.writing.insert('audit_log', {
          ...scene.owner,
          table_name: 'SUBSCRIPTION_EVENT_HISTORY',
          target_record_id: history,
          change_type: 'INSERT',
          reason_code: `code-${row['record_id']}`,
          user_token: 'token',
        })
    }),
  uncancel: (scene) =>
    withOne(scene, 'subscriptions', async (subscription) => {
      await deactivateFrom(scene, subscription, later(scene.now, 1), ['CANCEL', 'PHASE'])
      await scene.writing.insert('subscription_events', {
        ...event(scene, subscription, scene.now),
        event_type: 'API_USER',
        user_type: 'UNCANCEL',
      })
    }),
  expire: (scene) =>
    withOne(scene, 'subscriptions', (subscription) =>
      scene.writing.insert('subscription_events', { ...event(scene, subscription, someInstant(scene)), event_type: 'EXPIRED' }),
    ),
  // The engine takes back what is planned, never the begin of a subscription that has one.
  drop_event: (scene) =>
    withOne(scene, 'subscription_events', async (row) => {
      if (row['user_type'] === 'CREATE' || row['user_type'] === 'TRANSFER') return
      await scene.writing.update('subscription_events', row, { is_active: false })
    }),
  charge_through: (scene) =>
    withOne(scene, 'subscriptions', (row) =>
      scene.writing.update('subscriptions', row, { charged_through_date: someInstant(scene) }),
    ),
  block: (scene) =>
    withOne(scene, 'subscriptions', async (subscription) => {
      const [type, object] = scene.dice.pick([
        ['SUBSCRIPTION', subscription['id']],
        ['SUBSCRIPTION_BUNDLE', subscription['bundle_id']],
        ['ACCOUNT', scene.account['id']],
      ] as const)
      const service = scene.dice.pick(['entitlement-service', 'overdue-service'])
      const blocks = scene.dice.chance(60)
      const cells = { ...scene.owner, blockable_id: object ?? null, type, service, state: blocks ? 'ENT_BLOCKED' : 'ENT_CLEAR' }
      await scene.writing.insert('blocking_states', { ...cells, block_billing: blocks, effective_date: someInstant(scene) })
    }),
  drop_block: (scene) =>
    withOne(scene, 'blocking_states', (row) => scene.writing.update('blocking_states', row, { is_active: false })),
  tag: async (scene) => {
    const number = scene.dice.pick(['1', '5', '6', '6'])
    await scene.writing.insert('tags', {
      ...scene.owner,
      object_id: scene.account['id'] ?? null,
      object_type: 'ACCOUNT',
      tag_definition_id: `00000000-0000-0000-0000-00000000000${number}`,
    })
  },
  write_off: (scene) =>
    withOne(scene, 'invoices', (row) =>
      scene.writing.insert('tags', {
        ...scene.owner,
        object_id: row['id'] ?? null,
        object_type: 'INVOICE',
        tag_definition_id: '00000000-0000-0000-0000-000000000004',
      }),
    ),
  untag: (scene) => withOne(scene, 'tags', (row) => scene.writing.update('tags', row, { is_active: false })),
  reason: (scene) =>
    withOne(scene, 'subscriptions', (row) =>
      scene.writing.insert('custom_fields', {
        ...scene.owner,
        object_id: row['id'] ?? null,
        object_type: 'SUBSCRIPTION',
        field_name: 'cancel_reason',
        field_value: scene.dice.pick(['price', 'Zoë', 'gone']),
      }),
    ),
  other_reason: (scene) =>
    withOne(scene, 'custom_fields', (row) =>
      scene.writing.update('custom_fields', row, scene.dice.pick([{ field_value: 'other' }, { is_active: false }])),
    ),
  field: async ({ writing, owner, account, dice }) => {
    await writing.insert('custom_fields', {
      ...owner,
      object_id: account['id'] ?? null,
      object_type: 'ACCOUNT',
      field_name: dice.pick(['tier', 'tier', 'seats', 'tag.vip']),
      field_value: dice.pick(['gold', 'gold', 'Zoë', '7', '']),
    })
  },
  label: async (scene) => {
    const { writing, owner, dice, writer } = scene
    const definition = await writing.insert('tag_definitions', {
      tenant_record_id: owner['tenant_record_id'] ?? null,
      id: `label-${writer.rows('tag_definitions').length}-${scene.account['record_id']}`,
      name: dice.pick(['vip', 'vip', 'late']),
      description: 'set by hand',
    })
    await writing.insert('tags', {
      ...owner,
      object_id: scene.account['id'] ?? null,
      object_type: 'ACCOUNT',
      tag_definition_id: definition['id'] ?? null,
    })
  },
  sign_up: async ({ writing, writer, owner, dice }) => {
    const id = `account-new-${writer.rows('accounts').length + 1}`
    const currency = owner['tenant_record_id'] === 2 ? 'EUR' : dice.pick(['USD', 'EUR'])
    await writing.insert('accounts', {
      tenant_record_id: owner['tenant_record_id'] ?? null,
      id,
      external_key: id,
      name: id,
      currency,
    })
  },
  rename: (scene) =>
    scene.writing.update(
      'accounts',
      scene.account,
      scene.dice.pick([{ name: `Renamed ${scene.dice.below(99)}` }, { country: scene.dice.pick(['DE', 'FR', 'US']) }]),
    ),
  invoice: async (scene) => {
    const { writing, owner, account, dice } = scene
    const common = { ...owner, account_id: account['id'] ?? null, currency: account['currency'] ?? null }
    const status = dice.pick(['COMMITTED', 'COMMITTED', 'DRAFT'])
    const invoice = await writing.insert('invoices', { ...common, status, invoice_date: scene.now.slice(0, 10) })
    const subscription = own(scene, 'subscriptions')[0]
    const item = { ...common, invoice_id: invoice['id'] ?? null, subscription_id: subscription?.['id'] ?? null }
    const month = `${scene.now.slice(0, 7)}-01`
    await writing.insert('invoice_items', {
      ...item,
      type: 'USAGE',
      amount: `${dice.below(90)}.25`,
      start_date: month,
      end_date: null,
      phase_name: 'metered-evergreen',
    })
    if (dice.chance(50))
      await writing.insert('invoice_items', { ...item, type: 'RECURRING', amount: '10.00', start_date: month, end_date: null })
  },
  commit_invoice: (scene) =>
    withOne(scene, 'invoices', (row) =>
      scene.writing.update('invoices', row, { status: scene.dice.pick(['COMMITTED', 'COMMITTED', 'VOID']) }),
    ),
  adjust: (scene) =>
    withOne(scene, 'invoice_items', async (row) => {
      if (scene.dice.chance(50)) return scene.writing.update('invoice_items', row, { amount: `${scene.dice.below(50)}.5` })
      return scene.writing.insert('invoice_items', {
        ...scene.owner,
        account_id: row['account_id'] ?? null,
        currency: row['currency'] ?? null,
        invoice_id: row['invoice_id'] ?? null,
        type: 'ITEM_ADJ',
        amount: '-1.50',
        linked_item_id: row['id'] ?? null,
      })
    }),
  pay: (scene) =>
    withOne(scene, 'invoices', (row) =>
      scene.writing.insert('invoice_payments', {
        ...scene.owner,
        invoice_id: row['id'] ?? null,
        currency: row['currency'] ?? null,
        amount: scene.dice.pick(['1000.00', '10.00', '-5.00']),
        payment_date: someInstant(scene),
        status: scene.dice.pick(['SUCCESS', 'SUCCESS', 'INIT']),
      }),
    ),
  settle_payment: (scene) =>
    withOne(scene, 'invoice_payments', (row) =>
      scene.writing.update('invoice_payments', row, { status: 'SUCCESS', payment_date: scene.now }),
    ),
  parent_invoice: async (scene) => {
    const { writing, owner, account } = scene
    const child = scene.writer
      .rows('invoices')
      .find(
        (row) =>
          row['account_record_id'] !== account['record_id'] &&
          row['tenant_record_id'] === owner['tenant_record_id'] &&
          !scene.writer.rows('invoice_parent_children').some((link) => link['child_invoice_id'] === row['id']),
      )
    if (child === undefined) return
    const common = { ...owner, account_id: account['id'] ?? null, currency: account['currency'] ?? null }
    const invoice = await writing.insert('invoices', {
      ...common,
      status: 'COMMITTED',
      parent_invoice: true,
      invoice_date: scene.now.slice(0, 10),
    })
    await writing.insert('invoice_items', {
      ...common,
      invoice_id: invoice['id'] ?? null,
      type: 'PARENT_SUMMARY',
      amount: '9.00',
      start_date: scene.now.slice(0, 10),
    })
    await writing.insert('invoice_parent_children', {
      ...owner,
      parent_invoice_id: invoice['id'] ?? null,
      child_invoice_id: child['id'] ?? null,
      child_account_id: child['account_id'] ?? null,
    })
  },
  override: async (scene) => {
    const { writing, owner, dice } = scene
    const tenant = { tenant_record_id: owner['tenant_record_id'] ?? null }
    const phase = await writing.insert('catalog_override_phase_definition', {
      ...tenant,
      parent_phase_name: 'p-monthly-evergreen',
      currency: 'USD',
      recurring_price: `${dice.below(99)}.10`,
    })
    const plan = await writing.insert('catalog_override_plan_definition', { ...tenant, parent_plan_name: 'p-monthly' })
    await writing.insert('catalog_override_plan_phase', {
      ...tenant,
      phase_number: 1,
      phase_def_record_id: phase['record_id'] ?? null,
      target_plan_def_record_id: plan['record_id'] ?? null,
    })
    const subscription = own(scene, 'subscriptions').find((row) => row['category'] === 'BASE')
    if (subscription === undefined) return
    const name = `p-monthly-${plan['record_id']}`
    await writing.insert('subscription_events', {
      ...event(scene, subscription, scene.now),
      event_type: 'API_USER',
      user_type: 'CHANGE',
      plan_name: name,
      phase_name: `${name}-evergreen`,
      price_list_name: 'DEFAULT',
    })
  },
  catalog: async (scene) => {
    const { writing, dice, owner, writer } = scene
    if (!dice.chance(15)) return
    const tenant = { tenant_record_id: owner['tenant_record_id'] ?? null }
    const row = dice.pick(writer.rows('tenant_kvs').filter((kv) => kv['tenant_record_id'] === owner['tenant_record_id']))
    if (dice.chance(50)) await writing.insert('tenant_kvs', { ...tenant, tenant_value: catalogOf(dice, scene.now) })
    else await writing.update('tenant_kvs', row, { is_active: row['is_active'] !== true })
    await writing.insert('tenant_broadcasts', {
      ...tenant,
      target_record_id: row['record_id'] ?? null,
      target_table_name: 'TENANT_KVS',
      type: 'CATALOG',
      user_token: 'token',
    })
  },
  transfer: async (scene) => {
    const { writing, owner, account, writer, dice } = scene
    const others = writer
      .rows('bundles')
      .filter(
        (row) =>
          row['account_record_id'] !== account['record_id'] &&
          row['tenant_record_id'] === owner['tenant_record_id'] &&
          !String(row['external_key']).startsWith('kbtsf-') &&
          !held.has(Number(row['account_record_id'])),
      )
    if (others.length === 0) return
    const given = dice.pick(others)
    const key = String(given['external_key'])
    await writing.update('bundles', given, { external_key: `kbtsf-${given['record_id']}:${key}` })
    const id = `moved-${given['record_id']}`
    const bundle = await writing.insert('bundles', { ...owner, id, account_id: account['id'] ?? null, external_key: key })
    const at = someInstant(scene)
    const subscription = await writing.insert('subscriptions', {
      ...owner,
      id: `${id}-base`,
      bundle_id: bundle['id'] ?? null,
      external_key: `${id}-base`,
      category: 'BASE',
      start_date: at,
    })
    await writing.insert('subscription_events', planEvent(scene, subscription, 'TRANSFER', at))
  },
}

/** Accounts of open transactions. */
const held = new Set<number>()

function catalogOf(dice: Dice, now: string): string {
  const day = later(now, dice.pick([-30, -3, 2]) * DAY).slice(0, 10)
  return (FIRST_CATALOG[0] ?? '').replace('2023-06-01T00:00:00Z', `${day}T00:00:00Z`)
}

const WRITE_NAMES: readonly string[] = Object.keys(WRITES)

/** Writes that reach rows of other accounts, and so cannot stay open while others write. */
export const SHARED_WRITES: readonly string[] = ['transfer', 'parent_invoice', 'catalog', 'sign_up']

/** A transaction that has written and is still open. */
export interface Begun {
  readonly name: string
  commit(): Promise<void>
  rollback(): Promise<void>
}

/** Writes something drawn by chance about an account that no open transaction holds; the transaction stays open. */
export async function beginRandomWrite(writer: BillingWriter, dice: Dice, now: string): Promise<Begun> {
  const free = writer.rows('accounts').filter((row) => !held.has(Number(row['record_id'])))
  const account = dice.pick(free)
  const key = Number(account['record_id'])
  const name = dice.pick(WRITE_NAMES)
  const write = WRITES[name]
  if (write === undefined) throw new Error(`no write ${name}`)
  const writing = await writer.begin(now)
  held.add(key)
  const owner = { tenant_record_id: account['tenant_record_id'] ?? null, account_record_id: key }
  await write({ writing, writer, dice, now, account, owner })
  const end = async (close: () => Promise<void>): Promise<void> => {
    await close()
    held.delete(key)
  }
  return { name, commit: () => end(writing.commit), rollback: () => end(writing.rollback) }
}

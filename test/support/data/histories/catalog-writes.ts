import type { FilledRow } from '../killbill/insert-rows.ts'
import { FIRST_CATALOG, PLANS } from './history-catalogs.ts'
import { DAY, type Dice, later } from './seeded-dice.ts'
import { event, own, type Scene, type Write } from './write-scene.ts'

/**
 * Plans that are sold at agreed prices. Products of their bases offer all add-ons, none of them, and one that is included already. There are an
 * add-on and a fixed term, too.
 */
export const NEGOTIATED = ['p-monthly', 'bare', 'full', 'term', 'seats'] as const

/**
 * Agrees a price for one customer, as the engine does: it defines the prices and the plan under a new number, and changes a subscription to that
 * plan, whose events name it. `chosen`: the subscription, else the customer's first. Returns the plan's name. A customer without a fitting subscription only gets the definitions.
 */
export async function agreePrice(
  scene: Scene,
  parent: (typeof NEGOTIATED)[number],
  price: string,
  chosen?: FilledRow,
): Promise<string> {
  const { writing, owner, account } = scene
  const tenant = { tenant_record_id: owner['tenant_record_id'] ?? null }
  const [category, phases] = Object.entries(PLANS).flatMap(([kind, plans]) => {
    const own = plans[parent]
    return own === undefined ? [] : [[kind, own] as const]
  })[0] ?? ['BASE', []]
  const phase = await writing.insert('catalog_override_phase_definition', {
    ...tenant,
    parent_phase_name: `${parent}-${phases.at(-1)}`,
    currency: account['currency'] ?? 'USD',
    recurring_price: price,
  })
  const plan = await writing.insert('catalog_override_plan_definition', { ...tenant, parent_plan_name: parent })
  await writing.insert('catalog_override_plan_phase', {
    ...tenant,
    phase_number: phases.length,
    phase_def_record_id: phase['record_id'] ?? null,
    target_plan_def_record_id: plan['record_id'] ?? null,
  })
  const name = `${parent}-${plan['record_id']}`
  const subscription = chosen ?? own(scene, 'subscriptions').find((row) => row['category'] === category)
  if (subscription === undefined) return name
  for (const [index, type] of phases.entries())
    await writing.insert('subscription_events', {
      ...event(scene, subscription, later(scene.now, index * 15 * DAY)),
      event_type: index === 0 ? 'API_USER' : 'PHASE',
      user_type: index === 0 ? 'CHANGE' : null,
      plan_name: name,
      phase_name: `${name}-${type}`,
      price_list_name: 'DEFAULT',
    })
  return name
}

/** The engine's writes about plans and prices, by name. */
export const CATALOG_WRITES: Readonly<Record<string, Write>> = {
  override: async (scene) => {
    await agreePrice(scene, scene.dice.pick(NEGOTIATED), `${scene.dice.below(99)}.10`)
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
}

function catalogOf(dice: Dice, now: string): string {
  const day = later(now, dice.pick([-30, -3, 2]) * DAY).slice(0, 10)
  return (FIRST_CATALOG[0] ?? '').replace('2023-06-01T00:00:00Z', `${day}T00:00:00Z`)
}

import { FIRST_CATALOG } from './history-catalogs.ts'
import { DAY, type Dice, later } from './seeded-dice.ts'
import { event, own, type Write } from './write-scene.ts'

/** The engine's writes about plans and prices, by name. */
export const CATALOG_WRITES: Readonly<Record<string, Write>> = {
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
}

function catalogOf(dice: Dice, now: string): string {
  const day = later(now, dice.pick([-30, -3, 2]) * DAY).slice(0, 10)
  return (FIRST_CATALOG[0] ?? '').replace('2023-06-01T00:00:00Z', `${day}T00:00:00Z`)
}

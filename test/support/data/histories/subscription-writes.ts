import { DAY, later } from './seeded-dice.ts'
import { deactivateFrom, ENDING, event, planEvent, someInstant, type Write, withOne } from './write-scene.ts'

/** The engine's writes about subscriptions and blocks, by name (KB 1.4, 2.4). */
export const SUBSCRIPTION_WRITES: Readonly<Record<string, Write>> = {
  create: async (scene) => {
    const { writing, writer, owner, account, dice } = scene
    const at = someInstant(scene)
    const id = `bundle-new-${writer.rows('bundles').length}-${writer.serial()}-${account['record_id']}`
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
  unblock: (scene) =>
    withOne(scene, 'blocking_states', ({ blockable_id = null, type = null, service = null, effective_date }) =>
      scene.writing.insert('blocking_states', {
        ...scene.owner,
        blockable_id,
        type,
        service,
        state: 'ENT_CLEAR',
        block_billing: false,
        effective_date: later(String(effective_date), scene.dice.pick([DAY, 3 * DAY, 30 * DAY])),
      }),
    ),
  drop_block: (scene) =>
    withOne(scene, 'blocking_states', (row) => scene.writing.update('blocking_states', row, { is_active: false })),
}

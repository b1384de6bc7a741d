import type { FilledRow } from '../killbill/insert-rows.ts'
import { DAY, later } from './seeded-dice.ts'
import { deactivateFrom, ENDING, event, planEvent, type Scene, someInstant, type Write, withOne } from './write-scene.ts'

/** The engine's writes when bundles change their owners or keys, by name (KB 2.8). */
export const TRANSFER_WRITES: Readonly<Record<string, Write>> = {
  transfer: async (scene) => {
    const given = chosen(scene, othersBundles(scene))
    if (given !== undefined) await transfer(scene, given)
  },
  // A bundle transferred away at the end of its term still runs: the engine takes it for the bundle of the key (KB 2.8).
  transfer_again: async (scene) => {
    const keys = new Set(scene.writer.rows('bundles').map((row) => String(row['external_key'])))
    const given = chosen(
      scene,
      othersBundles(scene).filter((row) => [...keys].some((key) => isTransferOf(key, String(row['external_key'])))),
    )
    if (given !== undefined) await transfer(scene, given)
  },
  rename_bundle: (scene) =>
    withOne(scene, 'bundles', (row) =>
      scene.writing.update('bundles', row, { external_key: `renamed-${row['record_id']}-${scene.dice.below(1_000_000)}` }),
    ),
  // The engine renames another account's bundle for the sake of the one that takes its key, under the account of the latter.
  reuse_key: async (scene) => {
    const { writing, owner, account, writer } = scene
    const taken = chosen(scene, othersBundles(scene))
    if (taken === undefined) return
    const key = String(taken['external_key'])
    const renamed = { external_key: `kbcncl-${taken['record_id']}:${key}` }
    await writing.update('bundles', taken, renamed, account['record_id'])
    const id = `reused-${writer.rows('bundles').length}-${writer.serial()}-${account['record_id']}`
    await writing.insert('bundles', { ...owner, id, account_id: account['id'] ?? null, external_key: key })
  },
}

/** Bundles of other accounts of the tenant that no open transaction holds and whose key no other bundle has. */
function othersBundles({ writer, account, owner }: Scene): readonly FilledRow[] {
  return writer
    .rows('bundles')
    .filter(
      (row) =>
        row['account_record_id'] !== account['record_id'] &&
        row['tenant_record_id'] === owner['tenant_record_id'] &&
        !String(row['external_key']).startsWith('kb') &&
        !writer.held.has(Number(row['account_record_id'])),
    )
}

function chosen({ dice }: Scene, rows: readonly FilledRow[]): FilledRow | undefined {
  return rows.length === 0 ? undefined : dice.pick(rows)
}

/** Whether a key is what the engine made of this one when it transferred the bundle. */
function isTransferOf(key: string, of: string): boolean {
  return key.startsWith('kbtsf-') && key.endsWith(`:${of}`)
}

/** Gives a bundle to the scene's account as the engine does, at once or at the end of the term (KB 2.8). */
async function transfer(scene: Scene, given: FilledRow): Promise<void> {
  const { writing, owner, account, writer, dice } = scene
  const key = String(given['external_key'])
  const from = given['account_record_id'] ?? null
  const at = someInstant(scene)
  const ofKey = writer.rows('bundles').filter((row) => {
    const own = String(row['external_key'])
    return row['tenant_record_id'] === owner['tenant_record_id'] && (own === key || isTransferOf(own, key))
  })
  const isFree = (row: FilledRow) =>
    row['account_record_id'] === account['record_id'] || !writer.held.has(Number(row['account_record_id']))
  const source = ofKey.find((row) => isRunning(scene, row) && isFree(row)) ?? given
  const until = dice.chance(50) ? at : later(at, 20 * DAY)
  for (const subscription of writer.rows('subscriptions').filter((row) => row['bundle_id'] === source['id'])) {
    await deactivateFrom(scene, subscription, until, ENDING, from)
    const cancel = { ...event(scene, subscription, until), event_type: 'API_USER', user_type: 'CANCEL', account_record_id: from }
    await writing.insert('subscription_events', cancel)
  }
  await writing.update('bundles', given, { external_key: `kbtsf-${given['record_id']}:${key}` })
  const id = `moved-${given['record_id']}-${writer.rows('bundles').length}-${writer.serial()}`
  const bundle = await writing.insert('bundles', { ...owner, id, account_id: account['id'] ?? null, external_key: key })
  const subscription = await writing.insert('subscriptions', {
    ...owner,
    id: `${id}-base`,
    bundle_id: bundle['id'] ?? null,
    external_key: `${id}-base`,
    category: 'BASE',
    start_date: at,
  })
  await writing.insert('subscription_events', planEvent(scene, subscription, 'TRANSFER', at))
}

/** Whether a subscription of the bundle has no CANCEL that has taken effect. */
function isRunning({ writer, now }: Scene, bundle: FilledRow): boolean {
  const events = writer.rows('subscription_events')
  return writer
    .rows('subscriptions')
    .filter((row) => row['bundle_id'] === bundle['id'])
    .some(
      ({ id }) =>
        !events.some(
          (row) =>
            row['subscription_id'] === id &&
            row['is_active'] === true &&
            row['user_type'] === 'CANCEL' &&
            String(row['effective_date']) <= now,
        ),
    )
}

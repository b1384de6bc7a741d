import { AppError } from '../../../core/errors.ts'
import { isStorable } from '../../../core/text.ts'
import type { AccountingPlatform } from '../../../ports/accounting.ts'
import type { Notification, StoredSource } from '../../../ports/source-store.ts'
import type { Connectors } from './connectors.ts'
import { checkGenuine, type Delivery, payloadOf, unnamed } from './delivery.ts'
import { instantIn, type Kept } from './deps.ts'

/** Answer to a webhook: notifications that were stored, and those that lead to nothing. */
export interface Receipt {
  readonly status: 'ok'
  readonly accepted: number
  readonly ignored: number
}

/** Longest texts that the inbox holds. */
const MOST = { entity: 64, entity_id: 255, operation: 64 } as const

/**
 * Takes a webhook in: when it has been answered its notifications are stored, and nothing of them is fetched yet. `isDatabase` says whether a
 * name is that of a source of the billing engine, which has nothing to notify of. AppError `not_found`, `unauthorized`, `invalid_json`,
 * `invalid_value`.
 */
export async function receive(
  kept: Kept,
  connectors: Connectors,
  delivery: Delivery,
  isDatabase: (name: string) => Promise<boolean>,
): Promise<Receipt> {
  const { address } = delivery
  const own = await kept.sources.get(address)
  const platform = connectors.platformOf(own?.type ?? address)
  if (platform === undefined) {
    if (own === undefined && !(await isDatabase(address))) throw new AppError('not_found', 'There is no source of this id.')
    payloadOf(delivery)
    return { status: 'ok', accepted: 0, ignored: 1 }
  }
  checkGenuine(delivery, platform.webhooks)
  const { notifications, ignored } = platform.webhooks.notificationsOf(payloadOf(delivery))
  const asked = own === undefined ? delivery.source_id : undefined
  const unaddressed = asked === undefined && notifications.some(({ source_id }) => source_id === undefined)
  const addressed = unaddressed ? await addressedSource(kept, platform, own) : ''
  const named = notifications.map(({ source_id, notification }) => ({
    ...notification,
    source_id: asked ?? source_id ?? addressed,
  }))
  const listening = await listeningAmong(kept, platform, new Set(named.map(({ source_id }) => source_id)))
  const accepted = named.filter((each) => listening.has(each.source_id) && isSound(each))
  await kept.inbox.add(accepted, instantIn(0))
  return { status: 'ok', accepted: accepted.length, ignored: ignored + named.length - accepted.length }
}

// A company that was never connected here, or is no longer: its platform would send the same again and again if that were refused.
async function listeningAmong(
  { sources }: Kept,
  { type }: AccountingPlatform,
  ids: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const found = await Promise.all([...ids].map((id) => sources.get(id)))
  return new Set(found.flatMap((source) => (source?.type === type && source.status !== 'disconnected' ? [source.id] : [])))
}

async function addressedSource({ sources }: Kept, { type }: AccountingPlatform, own: StoredSource | undefined): Promise<string> {
  if (own !== undefined) return own.id
  const [only, ...others] = (await sources.list()).filter((source) => source.type === type)
  if (only === undefined || others.length > 0) throw unnamed(type)
  return only.id
}

function isSound({ entity, entity_id, operation }: Notification): boolean {
  const fits = (text: string, most: number) => text.length <= most && isStorable(text)
  return fits(entity, MOST.entity) && fits(entity_id, MOST.entity_id) && fits(operation, MOST.operation)
}

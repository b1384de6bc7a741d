import { AppError, errorFromIssues } from '../../../core/errors.ts'
import { isStorable } from '../../../core/text.ts'
import type { AccountingPlatform, Webhooks } from '../../../ports/accounting.ts'
import type { Notification, StoredSource } from '../../../ports/source-store.ts'
import type { Connectors } from './connectors.ts'
import { instantIn, type SourceStores } from './deps.ts'

/** Answer to a webhook: the number of stored and of ignored notifications. */
export interface WebhookReceipt {
  readonly status: 'ok'
  readonly accepted: number
  readonly ignored: number
}

/** Longest texts that the inbox holds. */
const MOST = { entity: 64, entity_id: 255, operation: 64 } as const

/**
 * Accepts a webhook. Its notifications are stored before the answer, and their records are fetched later. `isDatabase` tells whether a name
 * is a source of the billing engine, which sends no notifications. AppError `not_found`, `unauthorized`, `invalid_json`, `invalid_value`.
 */
export async function receive(
  stores: SourceStores,
  connectors: Connectors,
  delivery: WebhookDelivery,
  isDatabase: (name: string) => Promise<boolean>,
): Promise<WebhookReceipt> {
  const { address } = delivery
  const own = await stores.sources.get(address)
  const platform = connectors.platformOf(own?.type ?? address)
  if (platform === undefined) {
    if (own === undefined && !(await isDatabase(address))) throw new AppError('not_found', 'No source has this id.')
    payloadOf(delivery)
    return { status: 'ok', accepted: 0, ignored: 1 }
  }
  checkGenuine(delivery, platform.webhooks)
  const { notifications, ignored } = platform.webhooks.notificationsOf(payloadOf(delivery))
  const asked = own === undefined ? delivery.source_id : undefined
  const unaddressed = asked === undefined && notifications.some(({ source_id }) => source_id === undefined)
  const addressed = unaddressed ? await addressedSource(stores, platform, own) : ''
  const named = notifications.map(({ source_id, notification }) => ({
    ...notification,
    source_id: asked ?? source_id ?? addressed,
  }))
  const listening = await listeningAmong(stores, platform, new Set(named.map(({ source_id }) => source_id)))
  const accepted = named.filter((each) => listening.has(each.source_id) && isSound(each))
  await stores.inbox.add(accepted, instantIn(0))
  return { status: 'ok', accepted: accepted.length, ignored: ignored + named.length - accepted.length }
}

// Notifications of companies that are not connected here are ignored. If they were refused, the platform would send them again
// and again.
async function listeningAmong(
  { sources }: SourceStores,
  { type }: AccountingPlatform,
  ids: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const found = await Promise.all([...ids].map((id) => sources.get(id)))
  return new Set(found.flatMap((source) => (source?.type === type && source.status !== 'disconnected' ? [source.id] : [])))
}

async function addressedSource(
  { sources }: SourceStores,
  { type }: AccountingPlatform,
  own: StoredSource | undefined,
): Promise<string> {
  if (own !== undefined) return own.id
  const [only, ...others] = (await sources.list()).filter((source) => source.type === type)
  if (only === undefined || others.length > 0) throw sourceNotNamed(type)
  return only.id
}

function isSound({ entity, entity_id, operation }: Notification): boolean {
  const fits = (text: string, most: number) => text.length <= most && isStorable(text)
  return fits(entity, MOST.entity) && fits(entity_id, MOST.entity_id) && fits(operation, MOST.operation)
}

/** A webhook request: its address and raw body. */
export interface WebhookDelivery {
  /** Id of a source, or the name of a platform. */
  readonly address: string
  /** The source in the query string of a platform's webhook address. It overrides the source in the payload. */
  readonly source_id: string | undefined
  readonly body: Uint8Array
  header(name: string): string | undefined
}

/**
 * Refuses requests that do not come from the platform. Checks every configured secret. If no secret is configured, the platform
 * must allow unsigned webhooks. AppError `unauthorized`.
 */
function checkGenuine({ header, body }: WebhookDelivery, webhooks: Webhooks): void {
  const { hasSecret, allowsUnsigned, signatureHeader, verifyBasic } = webhooks
  if (hasSecret && !webhooks.verifySignature(body, header(signatureHeader) ?? ''))
    throw refused(`Header ${signatureHeader} is missing or wrong.`)
  if (verifyBasic !== undefined) {
    const credentials = basicCredentials(header('authorization') ?? '')
    if (credentials === undefined || !webhooks.verifyBasic?.(...credentials))
      throw refused('HTTP Basic credentials are missing or wrong.')
  }
  if (!hasSecret && verifyBasic === undefined && !allowsUnsigned)
    throw refused('No secret is configured to verify webhooks of this platform.')
}

/** The JSON value of a body. An empty body is `{}`. AppError `invalid_json`. */
function payloadOf({ body }: WebhookDelivery): unknown {
  if (body.byteLength === 0) return {}
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (cause) {
    throw new AppError('invalid_json', 'The body is not valid JSON in UTF-8.', { cause })
  }
}

/** AppError `invalid_value`: neither the address nor the payload names a source. */
function sourceNotNamed(type: string): AppError {
  const message = `The payload names no source of ${type}, and there is not exactly one. Name it in "source_id".`
  return errorFromIssues([{ code: 'invalid_value', where: 'query.source_id', message, did_you_mean: [] }])
}

function basicCredentials(authorization: string): readonly [user: string, password: string] | undefined {
  const [, encoded] = /^basic +([\w+/=-]+)$/i.exec(authorization) ?? []
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : [text.slice(0, colon), text.slice(colon + 1)]
}

function refused(detail: string): AppError {
  return new AppError('unauthorized', detail)
}

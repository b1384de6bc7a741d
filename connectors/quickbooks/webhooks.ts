import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import type { Notification, Webhooks } from '../../src/connector-kit/index.ts'
import { entityNamed } from './entities.ts'
import { sourceIdOf } from './realm.ts'
import type { QuickbooksSettings } from './settings.ts'

/** Both formats write the same operations differently (`Create`, `created`). */
const OPERATIONS: Readonly<Record<string, string>> = {
  created: 'create',
  updated: 'update',
  deleted: 'delete',
  merged: 'merge',
  voided: 'void',
}

/** Webhooks of Intuit: ids only, signed with the verifier token of the app (docs/expenses.md). */
export function createWebhooks({ verifier_token: token, allow_unsigned }: QuickbooksSettings): Webhooks {
  return {
    signatureHeader: 'intuit-signature',
    hasSecret: token !== undefined,
    allowsUnsigned: allow_unsigned,
    verifySignature(body, signature) {
      if (token === undefined) return false
      const expected = createHmac('sha256', token).update(body).digest()
      const given = Buffer.from(signature, 'base64')
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
    notificationsOf(payload) {
      const events = eventsIn(payload)
      const kept = events.flatMap((event) => notificationsFor(event))
      return { notifications: kept, ignored: events.filter((event) => notificationsFor(event).length === 0).length }
    },
  }
}

/** A change of one record, in either format. */
interface Event {
  readonly realm: string | undefined
  readonly entity: string
  readonly id: string
  readonly operation: string
  /** In a merge: the record that was merged into the other. */
  readonly gone: string | undefined
}

const id = z.union([z.string(), z.number().transform(String)])

const CLOUD_EVENT = z.object({
  type: z.string(),
  intuitentityid: id,
  intuitaccountid: id.nullish(),
  data: z.object({ deletedId: id.nullish(), deletedid: id.nullish() }).nullish(),
})

const NOTIFICATION = z.object({
  realmId: id.nullish(),
  dataChangeEvent: z.object({ entities: z.array(z.unknown()) }),
})
const CHANGED = z.object({ name: z.string(), id, operation: z.string(), deletedId: id.nullish() })

/** Events of a payload. An unreadable event is undefined and counts as ignored. */
function eventsIn(payload: unknown): readonly (Event | undefined)[] {
  if (Array.isArray(payload)) return payload.map(cloudEvent)
  const notifications = z.object({ eventNotifications: z.array(z.unknown()) }).safeParse(payload).data?.eventNotifications ?? []
  return notifications.flatMap((notification) => {
    const { data } = NOTIFICATION.safeParse(notification)
    return data === undefined
      ? [undefined]
      : data.dataChangeEvent.entities.map((entity) => changedEntity(entity, data.realmId ?? undefined))
  })
}

/** `qbo.bill.created.v1`. */
function cloudEvent(event: unknown): Event | undefined {
  const { data } = CLOUD_EVENT.safeParse(event)
  const [product, entity, operation] = data?.type.split('.') ?? []
  if (data === undefined || product !== 'qbo' || entity === undefined || operation === undefined) return undefined
  const gone = data.data?.deletedId ?? data.data?.deletedid ?? undefined
  return { realm: data.intuitaccountid ?? undefined, entity, id: data.intuitentityid, operation, gone }
}

function changedEntity(entity: unknown, realm: string | undefined): Event | undefined {
  const { data } = CHANGED.safeParse(entity)
  if (data === undefined) return undefined
  return { realm, entity: data.name, id: data.id, operation: data.operation, gone: data.deletedId ?? undefined }
}

type Addressed = { readonly source_id: string | undefined; readonly notification: Notification }

/** In a merge both records get a notification: the record that stays, and the record that is gone. */
function notificationsFor(event: Event | undefined): readonly Addressed[] {
  const entity = event === undefined ? undefined : entityNamed(event.entity)
  if (event === undefined || entity === undefined) return []
  const source_id = event.realm === undefined ? undefined : sourceIdOf(event.realm)
  const native = event.operation.toLowerCase()
  const about = (entity_id: string, operation: string): Addressed => ({
    source_id,
    notification: { entity: entity.name, entity_id, operation },
  })
  const changed = about(event.id, OPERATIONS[native] ?? native)
  return event.gone === undefined ? [changed] : [changed, about(event.gone, 'delete')]
}

import { createHmac, randomUUID } from 'node:crypto'

/** A change that Intuit tells of. */
export interface Change {
  readonly realm: string
  readonly entity: string
  readonly id: string
  /** As the older format writes it. */
  readonly operation: 'Create' | 'Update' | 'Delete' | 'Merge' | 'Void'
  /** Of a merge: what was merged into it. */
  readonly deletedId?: string
}

export interface SignedBody {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

const PAST: Readonly<Record<Change['operation'], string>> = {
  Create: 'created',
  Update: 'updated',
  Delete: 'deleted',
  Merge: 'merged',
  Void: 'voided',
}

/** The format since 2026: a list of CloudEvents. */
export function cloudEvents(changes: readonly Change[], verifierToken: string): SignedBody {
  const events = changes.map(({ realm, entity, id, operation, deletedId }) => ({
    specversion: '1.0',
    id: randomUUID(),
    source: 'intuit.dsnBgbseACLLRZNxo2dfc4evmEJdxde58xeeYcZliOU=',
    type: `qbo.${entity.toLowerCase()}.${PAST[operation]}.v1`,
    datacontenttype: 'application/json',
    time: new Date().toISOString(),
    intuitentityid: id,
    intuitaccountid: realm,
    data: deletedId === undefined ? {} : { deletedId },
  }))
  return signed(JSON.stringify(events), verifierToken, 'application/cloudevents+json')
}

/** The older format: changes by company. */
export function eventNotifications(changes: readonly Change[], verifierToken: string): SignedBody {
  const realms = [...new Set(changes.map(({ realm }) => realm))]
  const notifications = realms.map((realmId) => ({
    realmId,
    dataChangeEvent: {
      entities: changes
        .filter(({ realm }) => realm === realmId)
        .map(({ entity, id, operation, deletedId }) => ({
          name: entity,
          id,
          operation,
          lastUpdated: new Date().toISOString(),
          ...(deletedId === undefined ? {} : { deletedId }),
        })),
    },
  }))
  return signed(JSON.stringify({ eventNotifications: notifications }), verifierToken, 'application/json')
}

/** Sends a webhook as Intuit does; the answer's status and text. */
export async function sendWebhook(address: string, { body, headers }: SignedBody): Promise<{ status: number; text: string }> {
  const answer = await fetch(address, { method: 'POST', body, headers })
  return { status: answer.status, text: await answer.text() }
}

function signed(body: string, verifierToken: string, contentType: string): SignedBody {
  const signature = createHmac('sha256', verifierToken).update(body).digest('base64')
  return { body, headers: { 'content-type': contentType, 'intuit-signature': signature } }
}

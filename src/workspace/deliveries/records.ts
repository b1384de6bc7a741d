import { randomBytes } from 'node:crypto'
import { AppError } from '../../core/errors.ts'
import type { Workspace } from '../../core/workspace.ts'
import type { EngineDependencies } from '../../execution/dependencies.ts'
import { deliveryStore } from '../../execution/session/stores.ts'
import type { DeliveryStore } from '../../ports/delivery-store.ts'
import type { SealedText } from '../../ports/source-store.ts'

/** The secrets of a delivery: the addresses of its webhooks by their ids, and the key that signs JSON. */
export interface DeliverySecrets {
  readonly urls: Readonly<Record<string, string>>
  readonly signing_key: string | null
}

/** Deliveries that need somebody. `failed`: their last run could not be sent. */
export interface DeliveryAttention {
  readonly ok: boolean
  readonly failed: readonly string[]
}

/** The stored deliveries of the workspace. */
export interface DeliveryRecords {
  /** AppError `unsupported_by_connector` if the side store is switched off. */
  store(): Promise<DeliveryStore>
  /** AppError `unsupported_by_connector` if there is no key to seal with. */
  seal(id: string, secrets: DeliverySecrets): Promise<SealedText>
  /** AppError `connector_unavailable` if the key of the store is another one. */
  open(id: string, sealed: SealedText | null): Promise<DeliverySecrets>
  /** Undefined if there are no deliveries. */
  attention(): Promise<DeliveryAttention | undefined>
}

const NO_SECRETS: DeliverySecrets = { urls: {}, signing_key: null }

/** Deliveries in the side store. They belong to `workspace`. */
export function createDeliveryRecords(
  deps: Pick<EngineDependencies, 'store' | 'connector'>,
  workspace: () => Promise<Workspace>,
): DeliveryRecords {
  const store = async () => deliveryStore(deps)(await workspace())
  // Sealed text that is moved to another row opens nothing.
  const purposeOf = async (id: string) => `delivery ${(await workspace()).name} ${id}`
  const box = () => {
    const secrets = deps.store?.secrets
    if (secrets === undefined) throw new AppError('unsupported_by_connector', 'This store keeps no secrets.')
    return secrets
  }
  return {
    store,
    seal: async (id, secrets) => box().seal({ ...secrets }, await purposeOf(id)),
    async open(id, sealed) {
      if (sealed === null) return NO_SECRETS
      const opened = await box().open(sealed, await purposeOf(id))
      if (opened === undefined)
        throw new AppError(
          'connector_unavailable',
          'The addresses of the delivery were sealed with another key: enter them again.',
        )
      return opened as unknown as DeliverySecrets
    },
    async attention() {
      if (deps.store?.enabled !== true) return undefined
      const records = await store()
      const deliveries = await records.list()
      if (deliveries.length === 0) return undefined
      const last = await records.lastRuns()
      const failed = deliveries.filter(({ id, enabled }) => enabled && last.get(id)?.status === 'failed').map(({ id }) => id)
      return { ok: failed.length === 0, failed }
    },
  }
}

/** A new key that signs JSON. */
export function newSigningKey(): string {
  return randomBytes(32).toString('base64url')
}

import { AppError } from '../core/errors.ts'
import type { Warning } from '../query/warning.ts'
import type { EngineDependencies } from './dependencies.ts'
import type { AttributeStore, SegmentStore } from './ports.ts'

type StoreSource = Pick<EngineDependencies, 'store' | 'connector'>

/** The stored attributes. AppError `unsupported_by_connector` when the side store is switched off. */
export function attributeStore({ store, connector }: StoreSource): AttributeStore {
  if (store?.attributes === undefined || !store.enabled) throw switchedOff('Stored attributes', connector.type)
  return store.attributes
}

/** The stored segments, likewise. */
export function segmentStore({ store, connector }: StoreSource): SegmentStore {
  if (store?.segments === undefined || !store.enabled) throw switchedOff('Segments', connector.type)
  return store.segments
}

/**
 * What the side store says, or `others` with the warning `partial` when it cannot be reached: for answers in which stored attributes are
 * only a part of what is shown. Whatever they decide must fail instead (http-api.md 13).
 */
export async function orWithoutStore<T>(read: Promise<T>, others: T, warn: (warning: Warning) => void): Promise<T> {
  try {
    return await read
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'connector_unavailable') throw error
    warn({ code: 'partial', message: `Stored attributes are left out. ${error.message}` })
    return others
  }
}

function switchedOff(what: string, connector: string): AppError {
  const detail = `${what} need the side store, which is switched off (store.url is none).`
  return new AppError('unsupported_by_connector', detail, { context: { connector, missing: ['store'] } })
}

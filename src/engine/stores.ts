import { AppError } from '../core/errors.ts'
import type { EngineDependencies } from './contract.ts'
import type { AttributeStore, SegmentStore } from './ports.ts'

/** The stored attributes. AppError `unsupported_by_connector` when the side store is switched off. */
export function attributeStore({ store }: Pick<EngineDependencies, 'store'>): AttributeStore {
  if (store?.attributes === undefined || !store.enabled) throw switchedOff('Stored attributes')
  return store.attributes
}

/** The stored segments, likewise. */
export function segmentStore({ store }: Pick<EngineDependencies, 'store'>): SegmentStore {
  if (store?.segments === undefined || !store.enabled) throw switchedOff('Segments')
  return store.segments
}

function switchedOff(what: string): AppError {
  const detail = `${what} need the side store, which is switched off (store.url is none).`
  return new AppError('unsupported_by_connector', detail, { context: { missing: ['store'] } })
}

import { attributeField } from '../query/attribute-field.ts'
import type { LookedUp, Vocabulary } from '../query/audience-request.ts'
import { attributeKeysIn } from '../query/segment-check.ts'
import { segmentFields } from '../query/segment-fields.ts'
import type { CapabilityOf } from './capability.ts'
import type { EngineDependencies } from './dependencies.ts'
import type { RequestSession } from './session.ts'
import { segmentStore } from './stores.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * What the names of a request stand for. The store is opened for named segments and attributes only. AppError `unsupported_by_connector`
 * where segments are named and there is no store.
 */
export async function lookUp(
  named: LookedUp,
  deps: EngineDependencies,
  capabilityOf: CapabilityOf,
  session: RequestSession,
): Promise<Vocabulary> {
  const segments = await storedSegments(named.segments, deps)
  const keys = [...named.attributes, ...[...segments.values()].flatMap((definition) => attributeKeysIn(definition))]
  const known = keys.length === 0 ? [] : (await session.attributes.definitions(keys)).values()
  return {
    ...fixedVocabulary(capabilityOf),
    segments,
    attributes: new Map([...known].map((definition) => [definition.key, attributeField(definition)])),
  }
}

/** The names that need no looking up: what the connector supplies of the fixed fields. */
export function fixedVocabulary(capabilityOf: CapabilityOf): Vocabulary {
  const fields = segmentFields((field) => field.reads.every((name) => capabilityOf(name) !== 'absent'))
  return { fields, segments: new Map(), attributes: new Map() }
}

/** True when something has to be looked up. */
export function namesAnything({ attributes, segments }: LookedUp): boolean {
  return attributes.length > 0 || segments.length > 0
}

async function storedSegments(ids: readonly string[], deps: EngineDependencies): Promise<ReadonlyMap<string, unknown>> {
  if (ids.length === 0) return new Map()
  // Nothing else is an id, and nothing else need reach the store.
  return segmentStore(deps).definitions(ids.filter((id) => UUID.test(id)))
}

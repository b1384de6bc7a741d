import { isStorable } from '../../core/text.ts'
import { attributeField } from '../../query/attributes.ts'
import type { NamesToResolve, ResolvedNames } from '../../query/audience-request.ts'
import { isWrittenSegment, writtenSegment } from '../../query/segment.ts'
import { attributeKeysIn } from '../../query/segment-check.ts'
import { segmentFields } from '../../query/segment-fields.ts'
import type { EngineDependencies } from '../dependencies.ts'
import type { RequestSession } from '../session/session.ts'
import { segmentStore } from '../session/stores.ts'
import type { CapabilityOf } from './capability.ts'

/** Most characters of a segment's name. */
const NAME_LENGTH = 200
/** Most names to read for the suggestion of a similar name. */
const MOST_NAMES = 1_000

/**
 * Finds the attributes and segments that a request names. Opens the store only for saved segments and attributes. AppError
 * `unsupported_by_connector` if the request names a saved segment and there is no store.
 */
export async function lookUp(
  named: NamesToResolve,
  deps: EngineDependencies,
  capabilityOf: CapabilityOf,
  session: RequestSession,
): Promise<ResolvedNames> {
  const tenants = session.connector.sources.map(({ name }) => name)
  const texts = named.segments.filter((text) => !isWrittenSegment(text))
  const { segments: stored, segment_names } = await storedSegments(texts, deps, session)
  const segments = new Map([...stored, ...writtenIn(named.segments)])
  const keys = [...named.attributes, ...[...segments.values()].flatMap(({ definition }) => attributeKeysIn(definition))]
  const wanted = named.lists_attributes === true ? undefined : keys
  const known = wanted?.length === 0 ? [] : (await session.attributes.definitions(wanted)).values()
  return {
    ...fixedNames(capabilityOf, tenants),
    tenants,
    segments,
    segment_names,
    attributes: new Map([...known].map((definition) => [definition.key, attributeField(definition)])),
  }
}

/** The names that need no look-up: the fixed fields that the connector supplies. Names of tenants are allowed values of their fields. */
export function fixedNames(capabilityOf: CapabilityOf, tenants?: readonly string[]): ResolvedNames {
  const fields = segmentFields((field) => field.reads.every((name) => capabilityOf(name) !== 'absent'), tenants)
  return { fields, segments: new Map(), segment_names: [], attributes: new Map() }
}

/** True if the request names something that must be looked up. */
export function namesAnything({ attributes, segments, tenants, lists_attributes, names_fields }: NamesToResolve): boolean {
  return attributes.length > 0 || segments.length > 0 || [tenants, lists_attributes, names_fields].includes(true)
}

function writtenIn(texts: readonly string[]) {
  return texts.flatMap((text) => {
    const segment = writtenSegment(text)
    return segment === undefined ? [] : [[text, segment] as const]
  })
}

// Names are unique in a workspace. If a name is the id of another segment, the id wins (http-api.md 1.5).
async function storedSegments(
  texts: readonly string[],
  deps: EngineDependencies,
  { workspace }: RequestSession,
): Promise<Pick<ResolvedNames, 'segments' | 'segment_names'>> {
  if (texts.length === 0) return { segments: new Map(), segment_names: [] }
  const store = segmentStore(deps)(workspace)
  // The name of a segment is never longer, and never unstorable.
  const possible = texts.filter((text) => isStorable(text) && [...text].length <= NAME_LENGTH)
  const found = possible.length === 0 ? [] : await store.named(possible)
  const segmentOf = (text: string) => found.find(({ id }) => id === text) ?? found.find(({ name }) => name === text)
  const segments = new Map(
    texts.flatMap((text) => {
      const segment = segmentOf(text)
      return segment === undefined ? [] : [[text, segment] as const]
    }),
  )
  return { segments, segment_names: segments.size === texts.length ? [] : await store.names(MOST_NAMES) }
}

import type { AttributeType } from '../../core/attribute.ts'
import { attributeJson } from '../../core/attribute-value.ts'
import { AppError } from '../../core/errors.ts'
import type { Work } from '../../execution/answering.ts'
import type { EngineDependencies } from '../../execution/dependencies.ts'
import { readTypedValues } from '../../execution/session/attributes/engine-attributes.ts'
import { readingOf } from '../../execution/session/attributes/entries.ts'
import type { KnownAttribute } from '../../execution/session/attributes/known-attributes.ts'
import { attributeStore } from '../../execution/session/stores.ts'
import { type ComputedAttribute, readComputedValues } from './computed.ts'

/** The different values of an attribute, ascending (http-api.md 7). */
export interface AttributeValues {
  readonly key: string
  readonly type: AttributeType
  readonly values: readonly (string | number | boolean)[]
  readonly truncated: boolean
}

/** Values that customers have now, at most `limit`. AppError `not_found` for a key that nothing has. */
export async function distinctValues(
  key: string,
  limit: number,
  computed: ReadonlyMap<string, ComputedAttribute>,
  deps: EngineDependencies,
  context: Work,
): Promise<AttributeValues> {
  const fixed = computed.get(key)
  const { type, editable } = fixed?.attribute ?? (await knownAttribute(key, context))
  const read = async () =>
    fixed === undefined
      ? (await readTypedValues(readingOf(deps, context.session), key, type)).map(({ value }) => value)
      : readComputedValues(fixed, deps, context)
  const found = editable
    ? await attributeStore(deps)(context.session.workspace).distinctValues({ key, type }, limit + 1)
    : inOrder(await read(), type)
  const values = found.slice(0, limit).map((value) => attributeJson(value, type))
  return { key, type, values, truncated: found.length > limit }
}

async function knownAttribute(key: string, { session }: Work): Promise<KnownAttribute> {
  const definition = (await session.attributes.definitions([key])).get(key)
  if (definition === undefined) throw new AppError('not_found', 'There is no attribute of this key.')
  return definition
}

function inOrder(values: readonly (string | boolean)[], type: string): readonly (string | boolean)[] {
  const different = [...new Set(values)]
  if (type === 'number') return different.sort((a, b) => Number(a) - Number(b))
  return different.sort((a, b) => (typeof a === 'string' && typeof b === 'string' ? byCodePoint(a, b) : Number(a) - Number(b)))
}

// UTF-8 sorts by code point, UTF-16 does not.
function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

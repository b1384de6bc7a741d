import { attributeJson } from '../../core/attribute-value.ts'
import { AppError } from '../../core/errors.ts'
import type { EngineDependencies } from '../contract.ts'
import type { RequestSession } from '../session.ts'
import { attributeStore } from '../stores.ts'
import { readTypedValues } from './engine-attributes.ts'
import { readingOf } from './entries.ts'

/** The different values of an attribute, ascending (http-api.md 7). */
export interface AttributeValues {
  readonly key: string
  readonly type: string
  readonly values: readonly (string | number | boolean)[]
  readonly truncated: boolean
}

/** AppError `not_found` for a key that nothing has, or that is computed. */
export async function distinctValues(
  key: string,
  limit: number,
  deps: EngineDependencies,
  session: RequestSession,
): Promise<AttributeValues> {
  const definition = (await session.attributes.definitions([key])).get(key)
  if (definition === undefined) throw new AppError('not_found', 'There is no attribute of this key.')
  const { type, editable } = definition
  const found = editable
    ? await attributeStore(deps).distinctValues({ key, type }, limit + 1)
    : inOrder(
        (await readTypedValues(readingOf(deps, session), key, type)).map(({ value }) => value),
        type,
      )
  const values = found.slice(0, limit).map((value) => attributeJson(value, type))
  return { key, type, values, truncated: found.length > limit }
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

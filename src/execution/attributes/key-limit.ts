import { MOST_KEYS_AT_ONCE } from '../../core/attribute.ts'
import { AppError } from '../../core/errors.ts'
import type { AttributeStore, AttributeWriter } from '../../ports/attribute-store.ts'

/** Attributes that a store holds at most unless told (`limits.attribute_keys`). */
export const MOST_KEYS = 1_000

/** The stored attributes, where no change leaves more than `most` of them: AppError `validation_failed` from the one that would. */
export function withKeyLimit(store: AttributeStore, most: number): AttributeStore {
  return { ...store, change: (work) => store.change((writer) => work(limited(writer, most))) }
}

function limited(writer: AttributeWriter, most: number): AttributeWriter {
  let known: Set<string> | undefined
  return {
    ...writer,
    async define(definition) {
      known ??= new Set((await writer.definitions()).keys())
      if (!known.has(definition.key) && known.size >= most) throw tooMany(most)
      await writer.define(definition)
      known.add(definition.key)
    },
  }
}

function tooMany(most: number): AppError {
  const detail = `The store holds ${most} attributes, which is the limit (limits.attribute_keys): a new one is refused.`
  return new AppError('validation_failed', detail, { context: { limit: most } })
}

/** AppError `validation_failed` for more attributes in one call than are taken. */
export function checkKeyCount(keys: readonly string[]): void {
  if (keys.length <= MOST_KEYS_AT_ONCE) return
  const message = `${keys.length} attributes in one call; the limit is ${MOST_KEYS_AT_ONCE}.`
  throw new AppError('validation_failed', message, {
    context: { limit: MOST_KEYS_AT_ONCE },
    issues: [{ code: 'validation_failed', where: 'body.attributes', message, did_you_mean: [] }],
  })
}

import type { AttributeEntry, CustomerRef, StoredAttribute } from '../../core/attribute.ts'
import { attributeKeyFault, describeAttribute, inferAttributeType, parseAttribute } from '../../core/attribute-value.ts'
import { AppError } from '../../core/errors.ts'
import type { AttributeStore, AttributeWriter } from '../../ports/attribute-store.ts'
import { collectIssues, mustBe, throwIssues } from '../../query/issues.ts'
import type { Known } from './declare.ts'

/** Result: the number of accepted keys, the number of keys that already had the value, and the new keys. */
export interface SetAnswer {
  readonly upserted: number
  readonly unchanged: number
  readonly keys_created: readonly string[]
}

/**
 * Sets values of one customer (http-api.md 7), all or nothing. AppError `read_only_attribute` with `keys`, `invalid_value` for values of a
 * wrong type, `validation_failed` for invalid keys.
 */
export async function setValues(
  customer: CustomerRef,
  attributes: Readonly<Record<string, unknown>>,
  known: Known,
  store: AttributeStore,
  at: string,
): Promise<SetAnswer> {
  refuseOwned(Object.keys(attributes), known)
  const given = Object.entries(attributes)
  checkKeys(given.map(([key]) => key))
  if (given.length === 0) return { upserted: 0, unchanged: 0, keys_created: [] }
  return store.change(async (writer) => {
    const definitions = await writer.definitions()
    const entries = readEntries(customer, given, definitions)
    const keys_created = await createMissing(entries, definitions, writer, at)
    const changed = await writer.put(entries, 'api', at)
    return { upserted: entries.length, unchanged: entries.length - changed, keys_created }
  })
}

/** AppError `read_only_attribute` if one of the keys belongs to the engine or is computed. */
export function refuseOwned(keys: readonly string[], known: Known): void {
  const owned = keys.filter((key) => known.get(key)?.editable === false).sort()
  if (owned.length === 0) return
  const detail = `The billing engine owns ${owned.map((key) => `"${key}"`).join(', ')}. Change such values there.`
  throw new AppError('read_only_attribute', detail, { context: { keys: owned } })
}

function checkKeys(keys: readonly string[]): void {
  const { report, issues } = collectIssues()
  for (const key of keys) {
    const fault = attributeKeyFault(key)
    if (fault !== undefined) report('validation_failed', `body.attributes.${key}`, fault, { value: key })
  }
  throwIssues(issues)
}

function readEntries(
  customer: CustomerRef,
  given: readonly (readonly [string, unknown])[],
  definitions: ReadonlyMap<string, StoredAttribute>,
): readonly AttributeEntry[] {
  const { report, issues } = collectIssues()
  const entries = given.flatMap(([key, raw]): readonly AttributeEntry[] => {
    const declared = definitions.get(key)?.type
    const type = declared ?? inferAttributeType(raw)
    const value = type === undefined ? undefined : parseAttribute(raw, type)
    if (type !== undefined && value !== undefined) return [{ ...customer, key, type, value }]
    report('invalid_value', `body.attributes.${key}`, mustBe(key, describeAttribute(declared), raw), { value: raw })
    return []
  })
  throwIssues(issues)
  return entries
}

async function createMissing(
  entries: readonly AttributeEntry[],
  definitions: ReadonlyMap<string, StoredAttribute>,
  writer: AttributeWriter,
  at: string,
): Promise<readonly string[]> {
  const missing = entries.filter(({ key }) => !definitions.has(key))
  for (const { key, type } of missing) {
    await writer.define({ key, type, label: key, source: 'api', description: null, created_at: at, updated_at: at })
  }
  return missing.map(({ key }) => key).sort()
}

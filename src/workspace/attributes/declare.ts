import type { AttributeNote, StoredAttribute } from '../../core/attribute.ts'
import { AppError } from '../../core/errors.ts'
import { type KnownAttribute, storedAttribute } from '../../execution/session/attributes/known-attributes.ts'
import type { AttributeStore } from '../../ports/attribute-store.ts'
import { ATTRIBUTE } from '../records/attribute.ts'

/** The attributes that a request found, by key. */
export type Known = ReadonlyMap<string, KnownAttribute>

/** Result of a declaration. */
export interface Declared {
  readonly isNew: boolean
  readonly attribute: KnownAttribute
}

/**
 * Declares an attribute, or fixes the type of an attribute of the engine (http-api.md 7). AppError `conflict` if the attribute
 * already has another type, `read_only_attribute` if it is computed.
 */
export async function declareAttribute(body: unknown, known: Known, store: AttributeStore, at: string): Promise<Declared> {
  const { key, type, label, description } = ATTRIBUTE.body.parse(body)
  const found = known.get(key)
  if (found !== undefined && !found.editable) return pin(found, { type, label, description }, store, at)
  return store.change(async (writer) => {
    const present = (await writer.definitions()).get(key)
    if (present !== undefined && present.type !== type) throw otherType(present)
    const declared: StoredAttribute =
      present === undefined
        ? { key, type, label: label ?? key, description: description ?? null, source: 'api', created_at: at, updated_at: at }
        : withTexts(present, label === undefined ? present.label : (label ?? key), description, at)
    if (declared !== present) await writer.define(declared)
    return { isNew: present === undefined, attribute: storedAttribute(declared) }
  })
}

/**
 * Changes label and description, also of the engine's attributes. AppError `not_found`. `read_only_attribute` for a computed
 * attribute.
 */
export async function changeAttribute(
  key: string,
  body: unknown,
  known: Known,
  store: AttributeStore,
  at: string,
): Promise<KnownAttribute> {
  const { label, description } = ATTRIBUTE.change.parse(body)
  const found = known.get(key)
  if (found === undefined) throw new AppError('not_found', 'No attribute has this key.')
  if (!found.editable) return note(found, { label, description }, store, at)
  return store.change(async (writer) => {
    const present = (await writer.definitions()).get(key)
    if (present === undefined) throw new AppError('not_found', 'No attribute has this key.')
    const changed = withTexts(present, label === undefined ? present.label : (label ?? key), description, at)
    if (changed !== present) await writer.define(changed)
    return storedAttribute(changed)
  })
}

type Texts = { readonly label?: string | null | undefined; readonly description?: string | null | undefined }

async function pin(
  found: KnownAttribute,
  { type, ...texts }: Texts & Pick<KnownAttribute, 'type'>,
  store: AttributeStore,
  at: string,
): Promise<Declared> {
  refuseComputed(found)
  return store.change(async (writer) => {
    const present = (await writer.notes()).get(found.key)
    const pinned = present?.type ?? null
    if ((pinned ?? (found.key.startsWith('tag.') && found.type === 'boolean' ? 'boolean' : type)) !== type) throw otherType(found)
    const base = { ...(present ?? emptyNote(found.key, at)), type }
    const noted = { ...base, ...given(texts), updated_at: at }
    await writer.note(noted)
    return { isNew: pinned === null, attribute: withNote({ ...found, type }, noted) }
  })
}

async function note(found: KnownAttribute, texts: Texts, store: AttributeStore, at: string): Promise<KnownAttribute> {
  refuseComputed(found)
  return store.change(async (writer) => {
    const present = (await writer.notes()).get(found.key) ?? emptyNote(found.key, at)
    const noted = { ...present, ...given(texts), updated_at: at }
    await writer.note(noted)
    return withNote(found, noted)
  })
}

function refuseComputed({ key, source }: KnownAttribute): void {
  if (source !== 'computed') return
  throw new AppError('read_only_attribute', 'A computed attribute cannot be changed.', { context: { keys: [key] } })
}

function otherType({ key, type }: Pick<KnownAttribute, 'key' | 'type'>): AppError {
  return new AppError('conflict', `The attribute "${key}" has the type ${type}.`, { context: { key, type } })
}

function withTexts(present: StoredAttribute, label: string, description: string | null | undefined, at: string): StoredAttribute {
  const changed = { ...present, label, description: description === undefined ? present.description : description }
  const isSame = changed.label === present.label && changed.description === present.description
  return isSame ? present : { ...changed, updated_at: at }
}

function given({ label, description }: Texts): Partial<AttributeNote> {
  return { ...(label === undefined ? {} : { label }), ...(description === undefined ? {} : { description }) }
}

function emptyNote(key: string, at: string): AttributeNote {
  return { key, type: null, label: null, description: null, created_at: at, updated_at: at }
}

function withNote(found: KnownAttribute, { label, description, created_at, updated_at }: AttributeNote): KnownAttribute {
  return { ...found, label: label ?? found.key, description, created_at, updated_at }
}

import type { AttributeDefinition, AttributeNote, StoredAttribute } from '../../../core/attribute.ts'
import { InternalError } from '../../../core/errors.ts'
import type { Workspace } from '../../../core/workspace.ts'
import type { AttributeStore } from '../../../ports/attribute-store.ts'
import type { AttributeUse } from '../../../query/attributes.ts'
import type { Warning } from '../../../query/warning.ts'
import type { EngineDependencies } from '../../dependencies.ts'
import { orWithoutStore, storedIn } from '../stores.ts'
import { type AttributeReading, type EngineAttribute, readEngineAttributes, readTypedValues } from './engine-attributes.ts'
import { colocatedSchema, colocatedValues, engineValues, inlineValues, type ValueRelation } from './value-relation.ts'

/** An attribute that customers may have. `editable`: its values can be written. */
export interface KnownAttribute extends AttributeDefinition {
  readonly editable: boolean
  readonly created_at: string | null
  readonly updated_at: string | null
}

/** The attributes that a request may name. Stored ones win over the billing engine's own (http-api.md 7). */
export interface KnownAttributes {
  /** By key. If all of `keys` are stored, the engine is not asked and its own attributes are left out. */
  definitions(keys?: readonly string[]): Promise<ReadonlyMap<string, KnownAttribute>>
  /** All attributes. If the store cannot be reached: only the engine's, without stored labels and types, with a warning. */
  reachable(warn: (warning: Warning) => void): Promise<ReadonlyMap<string, KnownAttribute>>
  /** The values of a known attribute. */
  relation(use: AttributeUse): Promise<ValueRelation>
}

/** The attributes of the store and of the engine, each read at the first use. */
export function knownAttributes(deps: EngineDependencies, workspace: Workspace, reading: AttributeReading): KnownAttributes {
  const store = storedIn(deps, workspace)
  let loadingStored: Promise<ReadonlyMap<string, KnownAttribute>> | undefined
  let loadingAll: Promise<ReadonlyMap<string, KnownAttribute>> | undefined
  const stored = () => {
    loadingStored ??= storedAttributes(store?.attributes)
    return loadingStored
  }
  const storeSays = () => Promise.all([stored(), store?.attributes?.notes() ?? []])
  const withEngines = async ([own, notes]: Awaited<ReturnType<typeof storeSays>>) =>
    mergeAttributes(own, await readEngineAttributes(reading), notes, deps.connector.type)
  const all = () => {
    loadingAll ??= storeSays().then(withEngines)
    return loadingAll
  }
  const definitions: KnownAttributes['definitions'] = async (keys) => {
    const own = await stored()
    return keys?.every((key) => own.has(key)) === true ? own : all()
  }
  const hasManySources = workspace.source_ids.length > 1
  // The billing database can read a store on its own server. The cache cannot.
  const neighbour = reading.snapshot.dialect.name === deps.executor.dialect.name ? deps.store : null
  return {
    definitions,
    reachable: async (warn) => withEngines(await orWithoutStore(storeSays(), [new Map(), []], warn)),
    async relation(use) {
      const { key } = use
      const definition = (await definitions([key])).get(key)
      if (definition === undefined) throw new InternalError(`nothing holds the attribute "${key}"`)
      const { type, editable } = definition
      if (editable) {
        const schema = neighbour === null ? undefined : await colocatedSchema(neighbour, reading.snapshot)
        if (schema !== undefined) return colocatedValues({ schema, workspace: workspace.name }, key, type)
        const ids = new Set(workspace.source_ids)
        const values = ((await store?.attributes?.values(key)) ?? []).filter(({ source_id }) => ids.has(source_id))
        return inlineValues(use, type, values, hasManySources)
      }
      if (type === 'string' || type === 'boolean') return engineValues(key, type)
      return inlineValues(use, type, await readTypedValues(reading, key, type), hasManySources)
    },
  }
}

async function storedAttributes(store: AttributeStore | undefined): Promise<ReadonlyMap<string, KnownAttribute>> {
  return new Map(((await store?.definitions()) ?? []).map((definition) => [definition.key, storedAttribute(definition)]))
}

/** A stored definition as a known attribute. */
export function storedAttribute(definition: StoredAttribute): KnownAttribute {
  return { ...definition, editable: true }
}

/** All attributes. A stored key hides the engine's own. A note labels and types an engine attribute. */
function mergeAttributes(
  stored: ReadonlyMap<string, KnownAttribute>,
  engine: readonly EngineAttribute[],
  notes: readonly AttributeNote[],
  source: string,
): ReadonlyMap<string, KnownAttribute> {
  const noted = new Map(notes.map((note) => [note.key, note]))
  const own = engine.map(({ key, type, is_tag }): [string, KnownAttribute] => {
    const note = noted.get(key)
    return [
      key,
      {
        key,
        label: note?.label ?? key,
        type: is_tag ? type : (note?.type ?? type),
        source,
        description: note?.description ?? null,
        editable: false,
        created_at: note?.created_at ?? null,
        updated_at: note?.updated_at ?? null,
      },
    ]
  })
  return new Map([...own, ...stored])
}

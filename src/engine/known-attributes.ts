import type { Fragment } from '../compiler/fragment.ts'
import type { InlineRelation } from '../compiler/inline.ts'
import type { ConnectorSession } from '../connector-kit/connector.ts'
import type { AttributeDefinition, AttributeType, AttributeValue } from '../core/attribute.ts'
import { InternalError } from '../core/errors.ts'
import type { AttributeUse } from '../query/segment-compile.ts'
import type { EngineDependencies } from './contract.ts'

/** The attributes of customers that one request may name, stored ones before the billing engine's own (http-api.md 7). */
export interface KnownAttributes {
  /** By key, read when first asked for. */
  definitions(): Promise<ReadonlyMap<string, AttributeDefinition>>
  /** The values of one: columns source_id, customer_id, attribute_value. */
  relation(use: AttributeUse): Promise<InlineRelation | Fragment>
}

const COLUMN_TYPES = { string: 'text', number: 'decimal', boolean: 'boolean', timestamp: 'timestamp' } as const

/** The attributes that the store holds. */
export function knownAttributes(deps: EngineDependencies, connector: ConnectorSession): KnownAttributes {
  const stored = deps.store?.enabled === true ? deps.store.attributes : undefined
  let loading: Promise<ReadonlyMap<string, AttributeDefinition>> | undefined
  const load = async () => new Map((await (stored?.definitions() ?? [])).map((definition) => [definition.key, definition]))
  const definitions = () => {
    loading ??= load()
    return loading
  }
  return {
    definitions,
    async relation({ key, relation }) {
      const definition = (await definitions()).get(key)
      if (definition === undefined || stored === undefined) throw new InternalError(`nothing holds the attribute "${key}"`)
      const sources = new Set(connector.sources.map(({ source_id }) => source_id))
      const values = (await stored.values(key)).filter(({ source_id }) => sources.has(source_id))
      return valueRelation(relation, definition.type, values, sources.size > 1)
    },
  }
}

// A customer's id says who it is where there is one source only; the source would double what travels.
function valueRelation(
  name: string,
  type: AttributeType,
  values: readonly AttributeValue[],
  hasManySources: boolean,
): InlineRelation {
  return {
    name,
    columns: [
      ...(hasManySources ? [{ name: 'source_id', type: 'text' } as const] : []),
      { name: 'customer_id', type: 'text' },
      { name: 'attribute_value', type: COLUMN_TYPES[type] },
    ],
    rows: values.map(({ source_id, customer_id, value }) => [...(hasManySources ? [source_id] : []), customer_id, value]),
  }
}

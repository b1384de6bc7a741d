import { type Fragment, fn, ident, relation as relationOf, sql, value } from '../../../compiler/fragment.ts'
import type { InlineRelation } from '../../../compiler/inline.ts'
import { createQueryRunner } from '../../../connector-kit/query-runner.ts'
import type { AttributeType, AttributeValue } from '../../../core/attribute.ts'
import { AppError } from '../../../core/errors.ts'
import type { Snapshot } from '../../../ports/snapshot.ts'
import type { Store } from '../../../ports/store.ts'
import type { AttributeUse } from '../../../query/attributes.ts'

/** One attribute's values for a statement: columns source_id (with several sources only), customer_id and attribute_value. */
export type ValueRelation = InlineRelation | Fragment

const COLUMN_TYPES = { string: 'text', number: 'decimal', boolean: 'boolean', timestamp: 'timestamp' } as const

/** Values that are sent with the statement. */
export function inlineValues(
  { key, relation }: AttributeUse,
  type: AttributeType,
  values: readonly AttributeValue[],
  hasManySources: boolean,
): InlineRelation {
  // With one source, the customer's id is enough. The source would double the size.
  return {
    name: relation,
    about: {
      subject: `The attribute "${key}"`,
      remedy: 'A side store that the billing database can read itself (store.colocated) has no such limit.',
    },
    columns: [
      ...(hasManySources ? [{ name: 'source_id', type: 'text' } as const] : []),
      { name: 'customer_id', type: 'text' },
      { name: 'attribute_value', type: COLUMN_TYPES[type] },
    ],
    rows: values.map(({ source_id, customer_id, value: stored }) => [
      ...(hasManySources ? [source_id] : []),
      customer_id,
      stored,
    ]),
  }
}

/** Values that the billing database reads from the side store's tables. */
export function colocatedValues(
  { schema, workspace }: { readonly schema: string; readonly workspace: string },
  key: string,
  type: AttributeType,
): Fragment {
  return sql`(
  select entry.source_id, entry.customer_id, entry.${ident(`value_${type}`)} as attribute_value
  from ${ident(schema)}.${ident('attribute_value')} as entry
  where entry.workspace = ${value(workspace, 'text')} and entry.attribute_key = ${value(key, 'text')}
)`
}

/** Texts and booleans that the engine itself stores. For a boolean, texts other than `true` and `false` are null. */
export function engineValues(key: string, type: 'string' | 'boolean'): Fragment {
  const given = fn('exact_text', sql`given.attribute_value`)
  const read =
    type === 'string'
      ? sql`given.attribute_value`
      : sql`case when ${given} = 'true' then true when ${given} = 'false' then false end`
  return sql`(
  select given.source_id, given.customer_id, ${read} as attribute_value
  from ${relationOf('customer_attribute')} as given
  where given.attribute_key = ${value(key, 'text')}
)`
}

const checked = new WeakSet<Store>()

/**
 * Schema of the side store's tables if the billing database reads them (`store.colocated`), else undefined. The first call
 * checks that both connections reach the same store. AppError `connector_unavailable` if they do not.
 */
export async function colocatedSchema(store: Store, snapshot: Snapshot): Promise<string | undefined> {
  const { colocated } = store
  if (colocated === undefined || checked.has(store)) return colocated?.schema
  const identity = await colocated.identity()
  const run = createQueryRunner(snapshot)
  const tables = await run(
    'store.tables',
    sql`select table_name as name from information_schema.tables where table_schema = ${value(colocated.schema, 'text')}
      and table_name in (${value('store_identity', 'text')}, ${value('attribute_value', 'text')})`,
  )
  if (tables.length < 2) throw unreadable(colocated.schema)
  const [row] = await run('store.identity', sql`select identity from ${ident(colocated.schema)}.${ident('store_identity')}`)
  if (row?.['identity'] !== identity) throw unreadable(colocated.schema)
  checked.add(store)
  return colocated.schema
}

function unreadable(schema: string): AppError {
  return new AppError(
    'connector_unavailable',
    `store.colocated is on, but the billing database does not show the side store in its schema ${schema}: grant its role select there, or switch store.colocated off.`,
  )
}

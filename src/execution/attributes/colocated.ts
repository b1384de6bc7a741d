import { ident, sql, value } from '../../compiler/fragment.ts'
import { createQueryRunner } from '../../connector-kit/query-runner.ts'
import { AppError } from '../../core/errors.ts'
import type { Snapshot } from '../../ports/snapshot.ts'
import type { Store } from '../../ports/store.ts'

const checked = new WeakSet<Store>()

/**
 * Schema of the side store's tables where the billing database reads them (`store.colocated`), undefined where it does not. The first time
 * both connections must name the same store. AppError `connector_unavailable` when they do not.
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

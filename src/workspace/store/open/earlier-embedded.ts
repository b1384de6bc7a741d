import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PGlite as EmbeddedPostgres } from '@electric-sql/pglite'
import type { Knex } from 'knex'
import { withoutPadding } from '../../../core/attribute-value.ts'
import { chunksOf } from '../../../core/batches.ts'
import { AppError } from '../../../core/errors.ts'
import { EARLIER_STORES, makeTemporaryDirectory, removeAbandoned } from '../../../core/temporary-directory.ts'
import { type SqliteRows, upsertRows } from '../sqlite/upsert-rows.ts'

const SCHEMA = 'plumbline'
const ROWS_AT_ONCE = 1_000

/** Tables of the first version's embedded store, each with the columns that identify a row. */
const TABLES: Readonly<Record<string, Pick<SqliteRows, 'identity' | 'merged'>>> = {
  store_version: { identity: ['id'], merged: ['version'] },
  store_identity: { identity: ['id'], merged: ['identity'] },
  fx_rate: { identity: ['to_currency', 'from_currency', 'rate_date'], merged: ['rate'] },
  attribute_definition: { identity: ['workspace', 'attribute_key'], merged: ['type'] },
  attribute_note: { identity: ['workspace', 'attribute_key'], merged: ['type'] },
  attribute_value: { identity: ['workspace', 'attribute_key', 'source_id', 'customer_id'], merged: ['origin'] },
  segment: { identity: ['workspace', 'id'], merged: ['name'] },
}

// Parsers by type. Numbers lose padding zeros. Days, instants and big integers remain text.
const PARSERS = { 1700: withoutPadding, 20: asText, 1082: asText, 1114: asText }

/**
 * Copies the store of the first version into a new store. The old store is an embedded PostgreSQL in the same directory and is
 * not changed. False if there is no old store. AppError `connector_unavailable` if a process of that version may still have it
 * open.
 */
export async function takeOverEarlier(directory: string, transaction: Knex): Promise<boolean> {
  if (!existsSync(join(directory, 'PG_VERSION'))) return false
  const lock = `${directory}.lock.pid`
  if (existsSync(lock)) {
    const remedy = `Stop the process of the earlier version that has it open. If it has already ended, remove ${lock}.`
    throw new AppError(
      'connector_unavailable',
      `The store of an earlier version in ${directory} cannot be imported yet. ${remedy}`,
    )
  }
  // Works on a copy, because even opening the old store writes to it.
  await removeAbandoned(tmpdir(), EARLIER_STORES)
  const temporary = await makeTemporaryDirectory(tmpdir(), EARLIER_STORES)
  try {
    const copy = join(temporary.path, 'store')
    await cp(directory, copy, { recursive: true })
    // Loaded on demand, because very few stores have an old store to copy.
    const { PGlite } = await import('@electric-sql/pglite')
    const earlier = await PGlite.create(copy)
    return await copyTables(earlier, transaction).finally(() => earlier.close())
  } finally {
    await temporary.remove()
  }
}

async function copyTables(earlier: EmbeddedPostgres, transaction: Knex): Promise<boolean> {
  const { rows: present } = await earlier.query<{ name: string }>(
    'select table_name as name from information_schema.tables where table_schema = $1',
    [SCHEMA],
  )
  for (const [table, keys] of Object.entries(TABLES)) {
    if (!present.some(({ name }) => name === table)) continue
    const { rows, fields } = await earlier.query<Record<string, unknown>>(`select * from ${SCHEMA}.${table}`, [], {
      parsers: PARSERS,
    })
    const isOwned = keys.identity.includes('workspace')
    const columns = [...(isOwned ? ['workspace'] : []), ...fields.map(({ name }) => name)]
    for (const chunk of chunksOf(rows, ROWS_AT_ONCE)) {
      const unowned = chunk.map((row) => ({ ...row, workspace: '' }))
      await upsertRows(transaction, { table, columns, rows: unowned, ...keys })
    }
  }
  return present.length > 0
}

function asText(text: string): string {
  return text
}

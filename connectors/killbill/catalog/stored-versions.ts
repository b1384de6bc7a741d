import type { Row, Snapshot } from '../../../src/connector-kit/connector.ts'
import { isTrue } from '../../../src/connector-kit/index.ts'
import { type QueryRunner, sql, value } from '../../../src/connector-kit/query-runner.ts'
import { AppError, InternalError } from '../../../src/core/errors.ts'
import { parseInteger } from '../../../src/core/money.ts'
import type { CatalogVersion } from './catalog-version.ts'
import { keptCatalog, parseOnce } from './document-cache.ts'
import type { ParsedCatalog } from './try-parse.ts'

/** Versions of a tenant's rows. Those of inactive rows are separate. */
interface StoredVersions {
  readonly versions: CatalogVersion[]
  readonly retired: CatalogVersion[]
  /** Record id of the row that has a version. */
  readonly records: Map<CatalogVersion, number>
}

/**
 * The catalog rows of tenants. Active rows count. An inactive row serves only plans that no other row has. Each request reads the
 * hashes of all rows, and the text only of a new hash. AppError `unsupported_by_connector` names a row that cannot be read.
 */
export async function readStoredVersions(
  run: QueryRunner,
  tenantKeys: readonly number[],
  { dialect: { name, sha256 }, isRecorded }: Pick<Snapshot, 'dialect' | 'isRecorded'>,
): Promise<Map<number, StoredVersions>> {
  if (sha256 === undefined) throw new InternalError(`${name} makes no digests of texts`)
  const rows = await run(
    'killbill.catalog.rows',
    sql`select kv.record_id, kv.tenant_record_id, kv.is_active, ${sha256(sql`kv.tenant_value`)} as content from tenant_kvs as kv
where kv.tenant_record_id in (${value(tenantKeys, 'integers')}) and kv.tenant_key = 'CATALOG' order by kv.record_id`,
  )
  const keyOf = (row: Row): string => `${name} ${String(row['content'])}`
  const kept = new Map(rows.map((row) => [keyOf(row), isRecorded ? undefined : keptCatalog(keyOf(row))]))
  const unread = rows.filter((row) => kept.get(keyOf(row)) === undefined)
  const texts = await readTexts(run, unread)
  const read = await parseOnce(unread.map((row) => ({ key: keyOf(row), text: texts.get(parseInteger(row['record_id'])) ?? '' })))
  const results = new Map(unread.map((row, place) => [keyOf(row), read[place]]))
  for (const [key, known] of kept) if (known !== undefined) results.set(key, await known)
  const byTenant = new Map<number, StoredVersions>(
    tenantKeys.map((key) => [key, { versions: [], retired: [], records: new Map() }]),
  )
  for (const row of rows) {
    const result = results.get(keyOf(row)) ?? new Error('it was not read')
    const tenant = byTenant.get(parseInteger(row['tenant_record_id']))
    const isActive = isTrue(row['is_active'])
    const versions = isActive ? versionsOf(row, result) : result instanceof Error ? [] : result
    tenant?.[isActive ? 'versions' : 'retired'].push(...versions)
    for (const version of versions) tenant?.records.set(version, parseInteger(row['record_id']))
  }
  return byTenant
}

async function readTexts(run: QueryRunner, rows: readonly Row[]): Promise<Map<number, string>> {
  if (rows.length === 0) return new Map()
  const keys = rows.map((row) => parseInteger(row['record_id']))
  const found = await run(
    'killbill.catalog.texts',
    sql`select kv.record_id, kv.tenant_value from tenant_kvs as kv where kv.record_id in (${value(keys, 'integers')})`,
  )
  return new Map(found.map((row) => [parseInteger(row['record_id']), String(row['tenant_value'])]))
}

function versionsOf(row: Row, result: ParsedCatalog): readonly CatalogVersion[] {
  if (!(result instanceof Error)) return result
  throw new AppError(
    'unsupported_by_connector',
    `tenant_kvs record_id ${row['record_id']} is not a readable catalog: ${result.message}`,
    {
      context: {
        table: 'tenant_kvs',
        record_id: parseInteger(row['record_id']),
        tenant_record_id: parseInteger(row['tenant_record_id']),
      },
      cause: result,
    },
  )
}

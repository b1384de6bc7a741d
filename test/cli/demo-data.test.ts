import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import Sqlite from 'libsql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packDirectory, unpackDirectory } from '../../src/app/demo/packed-directory.ts'
import { packedSample, sampleIn } from '../../src/app/demo/sample-data.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { fillSampleStore } from '../support/data/demo-data/sample-store.ts'
import { EMPTY, READ, TABLES } from '../support/data/demo-data/sample-tables.ts'
import { csvRows, realJson, recordedRows } from '../support/data/recorded/recorded-files.ts'
import { TENANT_KEYS } from '../support/data/recorded/recorded-tables.ts'

type Cells = Readonly<Record<string, string | null>>
interface Schema {
  readonly tables: Readonly<
    Record<string, { readonly indexes: readonly { readonly unique: boolean; readonly columns: readonly string[] }[] }>
  >
}

/** Tables of the store that the demo fills, with the columns that do not differ from one filling to the next. */
const STORED = {
  fx_rate: ['from_currency', 'to_currency', 'rate_date', 'rate'],
  attribute_definition: ['workspace', 'attribute_key', 'type', 'source', 'label'],
  attribute_value: ['workspace', 'attribute_key', 'source_id', 'customer_id', 'value_string', 'value_number', 'origin'],
  segment: ['workspace', 'name', 'description', 'definition'],
}

/** The data that the demo unpacks. `npm run demo:data` writes it again. */
describe('the packed data of the demo', () => {
  let directory: string
  let database: PGlite
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'plumbline-demo-data-test-'))
    await unpackDirectory(await readFile(packedSample('killbill')), directory)
    database = await PGlite.create(join(directory, 'billing'))
  })
  afterAll(async () => {
    await database?.close()
    await rm(directory, { recursive: true, force: true })
  })

  const read = async (table: string): Promise<Cells[]> => {
    const { blob } = await database.query(`copy ${table} to '/dev/blob' with (format csv, header)`)
    return csvRows((await blob?.text()) ?? '')
  }

  it.each(READ)('%s has the recorded rows of its tenant', async (table) => {
    const byKey = (rows: readonly Cells[]) => rows.toSorted((one, other) => Number(one['record_id']) - Number(other['record_id']))
    const key = String(TENANT_KEYS.alpha)
    const owned = (row: Cells) => (row['tenant_record_id'] ?? key) === key && (table !== 'tenants' || row['record_id'] === key)
    expect(byKey(await read(table))).toEqual(byKey(recordedRows(table).filter(owned)))
  })

  it.each(EMPTY)('%s has no rows', async (table) => {
    expect(await read(table)).toEqual([])
  })

  it('has the recorded indexes, and statistics for the planner', async () => {
    const { tables } = realJson<Schema>('schema.json')
    const { rows } = await database.query<{ table: string; is_unique: boolean; columns: string[] }>(
      `select relation.relname::text as table, indisunique as is_unique,
         array(select attname::text from unnest(indkey) with ordinality as part(number, place)
           join pg_attribute on attrelid = indrelid and attnum = number order by place) as columns
       from pg_index join pg_class as relation on relation.oid = indrelid
       where relation.relnamespace = 'public'::regnamespace`,
    )
    const found = rows.map(({ table, is_unique, columns }) => `${table} ${is_unique} ${columns}`)
    const wanted = TABLES.flatMap((table) => tables[table]?.indexes.map(({ unique, columns }) => `${table} ${unique} ${columns}`))
    expect(found.sort()).toEqual(wanted.sort())
    const analysed = await database.query(
      `select 1 from pg_stats where schemaname = 'public' and tablename = 'subscription_events'`,
    )
    expect(analysed.rows.length).toBeGreaterThan(0)
  })

  it('has the store that the imports make', async () => {
    const filled = join(directory, 'filled')
    await unpackDirectory(await readFile(packedSample('killbill')), filled)
    await rm(join(filled, 'store.db'))
    await fillSampleStore(sampleIn(filled))
    const rowsIn = (file: string) => {
      const store = new Sqlite(file, { readonly: true })
      try {
        return Object.entries(STORED).map(([table, columns]) =>
          store.prepare(`select ${columns.join()} from ${table} order by ${columns.join()}`).all(),
        )
      } finally {
        store.close()
      }
    }
    // A copy, because reading creates files next to it.
    await copyFile(join(directory, 'store.db'), join(directory, 'copy.db'))
    const packed = rowsIn(join(directory, 'copy.db'))
    expect(packed.map((rows) => rows.length > 0)).toEqual(packed.map(() => true))
    expect(packed).toEqual(rowsIn(join(filled, 'store.db')))
  })

  it('is bound to one version of the embedded database, so the package pins it', async () => {
    const { dependencies } = JSON.parse(await readFile(join(packageRoot(), 'package.json'), 'utf8'))
    expect(dependencies['@electric-sql/pglite']).toMatch(/^\d+\.\d+\.\d+$/)
  })
})

it('a packed directory unpacks to the same files and folders, empty ones too', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'plumbline-packed-'))
  try {
    const [from, to] = [join(directory, 'from'), join(directory, 'to')]
    await mkdir(join(from, 'deep', 'empty'), { recursive: true })
    await writeFile(join(from, 'deep', 'ünï.bin'), Buffer.from([0, 255, 10, 13]))
    await writeFile(join(from, 'nothing'), '')
    const packed = await packDirectory(from)
    await unpackDirectory(packed, to)
    expect(await packDirectory(to)).toEqual(packed)
    expect(await readFile(join(to, 'deep', 'ünï.bin'))).toEqual(Buffer.from([0, 255, 10, 13]))
    expect((await readdir(join(to, 'deep'))).sort()).toEqual(['empty', 'ünï.bin'])
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
})

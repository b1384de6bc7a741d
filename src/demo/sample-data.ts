import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { packageRoot } from '../core/package-root.ts'
import { importFxRates } from '../ingest/fx-csv.ts'
import { createStore } from '../store/create-store.ts'
import { loadSampleTables } from './sample-tables.ts'

/** Where the sample data stands: a billing database and a side store of this process's own, and the day the data ends. */
export interface SampleData {
  readonly databaseUrl: string
  readonly storeUrl: string
  readonly tenant: string
  readonly now: string
  dispose(): Promise<void>
}

const TENANT = 'alpha'
const END_OF_DATA = '2026-11-20T23:59:59Z'
const FORMAT = 2

/**
 * Loads the bundled tenant and its exchange rates once per machine, then hands out a copy: an embedded database directory must
 * not be opened by two processes, and two demos may run at a time.
 */
export async function prepareSampleData(): Promise<SampleData> {
  const master = await ensureMaster()
  const copy = join(tmpdir(), `plumbline-demo-${randomUUID()}`)
  await cp(master, copy, { recursive: true })
  return {
    databaseUrl: `pglite:${join(copy, 'billing')}`,
    storeUrl: `pglite:${join(copy, 'store')}`,
    tenant: TENANT,
    now: END_OF_DATA,
    dispose: () => rm(copy, { recursive: true, force: true }),
  }
}

async function ensureMaster(): Promise<string> {
  const fixtures = join(packageRoot(), 'fixtures', 'killbill')
  const master = join(tmpdir(), `plumbline-sample-${await fingerprint(fixtures)}`)
  if (await exists(master)) return master
  const draft = `${master}-${randomUUID()}`
  await mkdir(draft, { recursive: true })
  const database = await PGlite.create(join(draft, 'billing'))
  await loadSampleTables(database, join(fixtures, 'real'), TENANT)
  await database.close()
  const store = createStore({ url: `pglite:${join(draft, 'store')}`, schema: 'plumbline', baseDirectory: draft })
  await importFxRates(createReadStream(join(fixtures, 'demo', 'fx.csv')), store, { maxBytes: 1_000_000 })
  await store.close()
  // Whoever is second finds the name taken and uses what is there.
  await rename(draft, master).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true })
    if (!(await exists(master))) throw error
  })
  return master
}

/** Changes with the data and with the layout of the copy, so that an update never meets old files. */
async function fingerprint(fixtures: string): Promise<string> {
  const hash = createHash('sha256').update(`${FORMAT} ${process.getuid?.() ?? ''} `)
  for (const file of ['real/schema.json', 'real/manifest.json', 'demo/fx.csv']) hash.update(await readFile(join(fixtures, file)))
  return hash.digest('hex').slice(0, 16)
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

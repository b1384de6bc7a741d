import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import * as z from 'zod'
import { packageRoot } from '../../core/package-root.ts'
import { makeTemporaryDirectory, removeAbandoned, SAMPLES } from '../../core/temporary-directory.ts'
import { importFxRates } from '../../workspace/exchange-rates/import/csv.ts'
import { composeEngine } from '../compose.ts'
import { sampleConfig } from './sample-config.ts'
import { loadSampleTables, TABLES } from './sample-tables.ts'

/** A copy of the sample data for this process: a billing database, a side store, and the instant at which the data ends. */
export interface SampleData {
  readonly databaseUrl: string
  readonly storeUrl: string
  readonly tenant: string
  readonly now: string
  dispose(): Promise<void>
}

const TENANT = 'alpha'
const END_OF_DATA = '2026-11-20T23:59:59Z'
const FORMAT = 5

/**
 * Loads the bundled tenant with rates, attributes and segments once per machine, then makes a copy. Several demos may run at the same
 * time, and two processes must not open one embedded database.
 */
export async function prepareSampleData(): Promise<SampleData> {
  const master = await ensureMaster()
  await removeAbandoned(tmpdir(), SAMPLES)
  const copy = await makeTemporaryDirectory(tmpdir(), SAMPLES)
  await cp(master, copy.path, { recursive: true })
  return { ...dataIn(copy.path), dispose: copy.remove }
}

function dataIn(directory: string): Omit<SampleData, 'dispose'> {
  return {
    databaseUrl: `pglite:${join(directory, 'billing')}`,
    storeUrl: `sqlite:${join(directory, 'store.db')}`,
    tenant: TENANT,
    now: END_OF_DATA,
  }
}

async function ensureMaster(): Promise<string> {
  const recorded = join(packageRoot(), 'fixtures', 'killbill', 'real')
  const master = join(tmpdir(), `plumbline-sample-${await fingerprint(recorded)}`)
  if (await exists(master)) return master
  const draft = `${master}-${randomUUID()}`
  await mkdir(draft, { recursive: true })
  const database = await PGlite.create(join(draft, 'billing'))
  await loadSampleTables(database, recorded, TENANT)
  await database.close()
  await fillSampleStore(dataIn(draft))
  // If another process was faster, its directory is used.
  await rename(draft, master).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true })
    if (!(await exists(master))) throw error
  })
  return master
}

/** A digest of the data and its layout. It changes with them, so that an updated program never uses old files. */
async function fingerprint(recorded: string): Promise<string> {
  const hash = createHash('sha256').update(`${FORMAT} ${process.getuid?.() ?? ''} ${TABLES.join()} `)
  const files = ['schema.json', 'manifest.json'].map((name) => join(recorded, name))
  for (const file of [...files, ...Object.values(STORE_FILES)]) hash.update(await readFile(file))
  return hash.digest('hex').slice(0, 16)
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

const DEMO_FILES = join(packageRoot(), 'fixtures', 'killbill', 'demo')
const MAX_BYTES = 1_000_000

/** The files from which the demo's store is filled. */
const STORE_FILES = {
  rates: join(packageRoot(), 'examples', 'rates.csv'),
  attributes: join(DEMO_FILES, 'attributes.csv'),
  segments: join(DEMO_FILES, 'segments.json'),
}

/** Imports exchange rates, two attributes and two segments into the demo's store, as a user would. */
export async function fillSampleStore(data: Omit<SampleData, 'dispose'>): Promise<void> {
  const { engine, store } = composeEngine(sampleConfig(data))
  try {
    await importFxRates(createReadStream(STORE_FILES.rates), store, { maxBytes: MAX_BYTES })
    await engine.attributes.import(createReadStream(STORE_FILES.attributes), {})
    const segments = z.array(z.unknown()).parse(JSON.parse(await readFile(STORE_FILES.segments, 'utf8')))
    for (const segment of segments) await engine.segments.create(segment)
  } finally {
    await engine.close()
  }
}

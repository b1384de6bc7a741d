import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { packDirectory } from '../../../../src/app/demo/packed-directory.ts'
import { packedSample, SAMPLE_NAMES, type SampleName, sampleIn } from '../../../../src/app/demo/sample-data.ts'
import { packageRoot } from '../../../../src/core/package-root.ts'
import { northInserts, northRates, northRows, northTables } from '../lago/north-rows.ts'
import { eastRates, eastRows, eastTables } from '../stripe/east-rows.ts'
import { fillRates, fillSampleStore } from './sample-store.ts'
import { loadSampleTables } from './sample-tables.ts'

/** Small segments and a low limit, because the packed database has all segments that it keeps. */
const SMALL_LOG = {
  initDbStartParams: ['--wal-segsize=1'],
  startParams: [...PGlite.defaultStartParams, '-c', 'min_wal_size=2MB', '-c', 'max_wal_size=2MB'],
}

type Data = ReturnType<typeof sampleIn>

interface Source {
  fillDatabase(database: PGlite, data: Data): Promise<void>
  fillStore(data: Data): Promise<void>
}

const SOURCES: Readonly<Record<SampleName, Source>> = {
  killbill: {
    fillDatabase: (database, { tenant }) =>
      loadSampleTables(database, join(packageRoot(), 'fixtures', 'killbill', 'real'), tenant),
    fillStore: fillSampleStore,
  },
  lago: {
    async fillDatabase(database) {
      await database.exec(northTables())
      for (const statement of northInserts(northRows())) await database.exec(statement)
    },
    fillStore: (data) => fillRates(data, northRates()),
  },
  stripe: {
    async fillDatabase(database) {
      await database.exec(eastTables())
      // Documents that the database does not compress are smaller in the packed file.
      for (const table of ['subscriptions', 'invoices'])
        await database.exec(`alter table stripe.${table} alter column _raw_data set storage external`)
      for (const statement of northInserts(eastRows())) await database.exec(statement)
    },
    fillStore: (data) => fillRates(data, eastRates()),
  },
}

const wanted = process.argv.slice(2)

for (const name of SAMPLE_NAMES.filter((one) => wanted.length === 0 || wanted.includes(one))) {
  const directory = await mkdtemp(join(tmpdir(), 'plumbline-demo-data-'))
  try {
    const data = sampleIn(directory, name)
    const database = await PGlite.create(join(directory, 'billing'), SMALL_LOG)
    await SOURCES[name].fillDatabase(database, data)
    // The demo creates no databases.
    for (const template of ['template0', 'template1']) {
      await database.exec(`alter database ${template} is_template false`)
      await database.exec(`drop database ${template}`)
    }
    await database.exec('vacuum full')
    await database.exec('vacuum (freeze, analyze)')
    await database.exec('checkpoint')
    await database.close()
    await SOURCES[name].fillStore(data)
    const packed = await packDirectory(directory)
    await writeFile(packedSample(name), packed)
    process.stdout.write(`${packedSample(name)}: ${packed.byteLength} bytes\n`)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { packDirectory } from '../../../../src/app/demo/packed-directory.ts'
import { packedSample, SAMPLE_NAMES, sampleIn } from '../../../../src/app/demo/sample-data.ts'
import { packageRoot } from '../../../../src/core/package-root.ts'
import { northInserts, northRows, northTables } from '../lago/north-rows.ts'
import { fillNorthStore, fillSampleStore } from './sample-store.ts'
import { loadSampleTables } from './sample-tables.ts'

/** Small segments and a low limit, because the packed database has all segments that it keeps. */
const SMALL_LOG = {
  initDbStartParams: ['--wal-segsize=1'],
  startParams: [...PGlite.defaultStartParams, '-c', 'min_wal_size=2MB', '-c', 'max_wal_size=2MB'],
}

for (const name of SAMPLE_NAMES) {
  const directory = await mkdtemp(join(tmpdir(), 'plumbline-demo-data-'))
  try {
    const data = sampleIn(directory, name)
    const database = await PGlite.create(join(directory, 'billing'), SMALL_LOG)
    if (name === 'lago') {
      await database.exec(northTables())
      for (const statement of northInserts(northRows())) await database.exec(statement)
    } else await loadSampleTables(database, join(packageRoot(), 'fixtures', 'killbill', 'real'), data.tenant)
    // The demo creates no databases.
    for (const template of ['template0', 'template1']) {
      await database.exec(`alter database ${template} is_template false`)
      await database.exec(`drop database ${template}`)
    }
    await database.exec('vacuum full')
    await database.exec('vacuum (freeze, analyze)')
    await database.exec('checkpoint')
    await database.close()
    await (name === 'lago' ? fillNorthStore(data) : fillSampleStore(data))
    const packed = await packDirectory(directory)
    await writeFile(packedSample(name), packed)
    process.stdout.write(`${packedSample(name)}: ${packed.byteLength} bytes\n`)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { packDirectory } from '../../../../src/app/demo/packed-directory.ts'
import { PACKED_SAMPLE, sampleIn } from '../../../../src/app/demo/sample-data.ts'
import { packageRoot } from '../../../../src/core/package-root.ts'
import { fillSampleStore } from './sample-store.ts'
import { loadSampleTables } from './sample-tables.ts'

/** Small segments and a low limit, because the packed database has all segments that it keeps. */
const SMALL_LOG = {
  initDbStartParams: ['--wal-segsize=1'],
  startParams: [...PGlite.defaultStartParams, '-c', 'min_wal_size=2MB', '-c', 'max_wal_size=2MB'],
}

const directory = await mkdtemp(join(tmpdir(), 'plumbline-demo-data-'))
try {
  const data = sampleIn(directory)
  const database = await PGlite.create(join(directory, 'billing'), SMALL_LOG)
  await loadSampleTables(database, join(packageRoot(), 'fixtures', 'killbill', 'real'), data.tenant)
  // The demo creates no databases.
  for (const template of ['template0', 'template1']) {
    await database.exec(`alter database ${template} is_template false`)
    await database.exec(`drop database ${template}`)
  }
  await database.exec('vacuum full')
  await database.exec('vacuum (freeze, analyze)')
  await database.exec('checkpoint')
  await database.close()
  await fillSampleStore(data)
  const packed = await packDirectory(directory)
  await writeFile(PACKED_SAMPLE, packed)
  process.stdout.write(`${PACKED_SAMPLE}: ${packed.byteLength} bytes\n`)
} finally {
  await rm(directory, { recursive: true, force: true })
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareSampleData, type SampleData } from '../../../src/app/demo/sample-data.ts'
import { engines } from '../databases/targets.ts'
import { fillSampleStore } from './demo-data/sample-store.ts'
import { sharedReal } from './killbill/recorded-database.ts'

/**
 * The data of the demo for tests that are not about the demo: its tenant, on a server if one is at hand, and the store of the demo. Each process that opens the embedded database of the demo itself works for seconds before it answers.
 */
export async function recordedSample(): Promise<SampleData> {
  const server = engines().find(({ name }) => name !== 'pglite')
  if (server === undefined) return prepareSampleData()
  const { url, drop } = await sharedReal(server)
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-recorded-'))
  const data = {
    databaseUrl: url,
    storeUrl: `sqlite:${join(folder, 'store.db')}`,
    tenant: 'alpha',
    now: '2026-11-20T23:59:59Z',
  }
  await fillSampleStore(data)
  const dispose = async () => {
    await drop()
    await rm(folder, { recursive: true, force: true })
  }
  return { ...data, dispose }
}

import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../core/package-root.ts'
import { makeTemporaryDirectory, removeAbandoned, SAMPLES } from '../../core/temporary-directory.ts'
import { unpackDirectory } from './packed-directory.ts'

/** A copy of the sample data for this process: a billing database, a side store, and the instant at which the data ends. */
export interface SampleData {
  readonly databaseUrl: string
  readonly storeUrl: string
  readonly tenant: string
  readonly now: string
  dispose(): Promise<void>
}

/** The bundled data: an embedded database with one recorded tenant, and a store with rates, attributes and segments. */
export const PACKED_SAMPLE = join(packageRoot(), 'fixtures', 'killbill', 'demo', 'data.br')

/**
 * Unpacks the bundled data for this process. Several demos may run at the same time, and two processes must not open one embedded database.
 */
export async function prepareSampleData(): Promise<SampleData> {
  await removeAbandoned(tmpdir(), SAMPLES)
  const copy = await makeTemporaryDirectory(tmpdir(), SAMPLES)
  try {
    await unpackDirectory(await readFile(PACKED_SAMPLE), copy.path)
  } catch (error) {
    await copy.remove()
    throw error
  }
  return { ...sampleIn(copy.path), dispose: copy.remove }
}

/** The sample data in a directory. */
export function sampleIn(directory: string): Omit<SampleData, 'dispose'> {
  return {
    databaseUrl: `pglite:${join(directory, 'billing')}`,
    storeUrl: `sqlite:${join(directory, 'store.db')}`,
    tenant: 'alpha',
    now: '2026-11-20T23:59:59Z',
  }
}

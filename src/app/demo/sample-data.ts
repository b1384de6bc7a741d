import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../core/package-root.ts'
import { makeTemporaryDirectory, removeAbandoned, SAMPLES } from '../../core/temporary-directory.ts'
import type { SettingName } from '../config/settings.ts'
import { unpackDirectory } from './packed-directory.ts'

/** A copy of the sample data for this process: a billing database, a side store, and the instant at which the data ends. */
export interface SampleData {
  readonly databaseUrl: string
  readonly storeUrl: string
  readonly tenant: string
  /** Settings that name the connector and the tenant. Absent: those of Kill Bill. */
  readonly settings?: SampleSettings
  readonly now: string
  dispose(): Promise<void>
}

type SampleSettings = Readonly<Partial<Record<SettingName, string>>>

/** The samples, by billing engine. The first is the default. */
export const SAMPLE_NAMES = ['killbill', 'lago', 'stripe'] as const
export type SampleName = (typeof SAMPLE_NAMES)[number]

interface Sample {
  readonly tenant: string
  readonly settings: SampleSettings
  readonly now: string
}

/** The end of the day on which the rows end. */
const END = '2026-11-20T23:59:59Z'

const SAMPLES_BY_NAME: Readonly<Record<SampleName, Sample>> = {
  killbill: { tenant: 'alpha', settings: { 'connector.tenant': 'alpha' }, now: END },
  // Two of its subscriptions are on a plan whose price Lago keeps in the product catalog.
  lago: {
    tenant: 'North Ltd',
    settings: { 'connector.type': 'lago', 'connector.organization': 'North Ltd', 'definitions.allow_unpriced': 'true' },
    now: END,
  },
  // The rows of the mirror end at 18:00. Later in the day it would lag.
  stripe: {
    tenant: 'East Ltd',
    settings: { 'connector.type': 'stripe', 'connector.account': 'East Ltd' },
    now: '2026-11-20T19:00:00Z',
  },
}

/** The bundled data: an embedded database with one tenant, and a store with rates. That of Kill Bill also has attributes and segments. */
export function packedSample(name: SampleName): string {
  return join(packageRoot(), 'fixtures', name, 'demo', 'data.br')
}

/**
 * Unpacks the bundled data for this process. Several demos may run at the same time, and two processes must not open one embedded database.
 */
export async function prepareSampleData(name: SampleName = 'killbill'): Promise<SampleData> {
  await removeAbandoned(tmpdir(), SAMPLES)
  const copy = await makeTemporaryDirectory(tmpdir(), SAMPLES)
  try {
    await unpackDirectory(await readFile(packedSample(name)), copy.path)
  } catch (error) {
    await copy.remove()
    throw error
  }
  return { ...sampleIn(copy.path, name), dispose: copy.remove }
}

/** The sample data in a directory. */
export function sampleIn(directory: string, name: SampleName = 'killbill'): Omit<SampleData, 'dispose'> {
  return {
    databaseUrl: `pglite:${join(directory, 'billing')}`,
    storeUrl: `sqlite:${join(directory, 'store.db')}`,
    ...SAMPLES_BY_NAME[name],
  }
}

import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { packageRoot } from '../../core/package-root.ts'
import { importFxRates } from '../../workspace/exchange-rates/import/csv.ts'
import { composeEngine } from '../compose.ts'
import { sampleConfig } from './sample-config.ts'
import type { SampleData } from './sample-data.ts'

const OWN = join(packageRoot(), 'fixtures', 'killbill', 'demo')
const MOST_BYTES = 1_000_000

/** What the demo's store is filled from. */
export const STORE_FILES = {
  rates: join(packageRoot(), 'examples', 'rates.csv'),
  attributes: join(OWN, 'attributes.csv'),
  segments: join(OWN, 'segments.json'),
}

/** Puts exchange rates, two attributes and two segments into the demo's store, as a user would. */
export async function fillSampleStore(data: Omit<SampleData, 'dispose'>): Promise<void> {
  const { engine, store } = composeEngine(sampleConfig(data))
  try {
    await importFxRates(createReadStream(STORE_FILES.rates), store, { maxBytes: MOST_BYTES })
    await engine.attributes.import(createReadStream(STORE_FILES.attributes), {})
    const segments = z.array(z.unknown()).parse(JSON.parse(await readFile(STORE_FILES.segments, 'utf8')))
    for (const segment of segments) await engine.segments.create(segment)
  } finally {
    await engine.close()
  }
}

import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { composeEngine } from '../../../../src/app/compose.ts'
import { sampleConfig } from '../../../../src/app/demo/sample-config.ts'
import type { SampleData } from '../../../../src/app/demo/sample-data.ts'
import { packageRoot } from '../../../../src/core/package-root.ts'
import { importFxRates } from '../../../../src/workspace/exchange-rates/import/csv.ts'

const DEMO_FILES = join(packageRoot(), 'fixtures', 'killbill', 'demo')
const MAX_BYTES = 1_000_000

/** Imports exchange rates, two attributes and two segments into the demo's store, as a user would. */
export async function fillSampleStore(data: Omit<SampleData, 'dispose'>): Promise<void> {
  const { engine, store } = composeEngine(sampleConfig(data))
  try {
    await importFxRates(createReadStream(join(packageRoot(), 'examples', 'rates.csv')), store, { maxBytes: MAX_BYTES })
    await engine.attributes.import(createReadStream(join(DEMO_FILES, 'attributes.csv')), {})
    const segments = z.array(z.unknown()).parse(JSON.parse(await readFile(join(DEMO_FILES, 'segments.json'), 'utf8')))
    for (const segment of segments) await engine.segments.create(segment)
  } finally {
    await engine.close()
  }
}

/** Imports the rates of a sample into its store. */
export async function fillRates(data: Omit<SampleData, 'dispose'>, rates: string): Promise<void> {
  const { engine, store } = composeEngine(sampleConfig(data))
  try {
    await importFxRates(rates, store, { maxBytes: MAX_BYTES })
  } finally {
    await engine.close()
  }
}

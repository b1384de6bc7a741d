import { type Browser, chromium } from 'playwright-core'
import { chromiumProgram } from '../support/product/chromium.ts'
import { serveReady } from '../support/product/product-process.ts'
import { benchDatabase, count } from './bench-data.ts'
import type { BenchServer } from './bench-database.ts'
import { createBenchStore, openBenchEngine } from './bench-engine.ts'
import { timed } from './measure.ts'
import { circumstances } from './page-times.ts'
import { BASE_CURRENCY, NOW } from './tasks.ts'

/** A service with a filled cache over a database of the benchmarks, and a browser for it. */
export interface ServedBench {
  readonly url: string
  readonly browser: Browser
}

/** Serves the database with `size` subscriptions during `work`, and describes it on standard output. */
export async function serveBench(server: BenchServer, size: number, work: (served: ServedBench) => Promise<void>): Promise<void> {
  const program = chromiumProgram()
  if (program === undefined) throw new Error('There is no Chromium.')
  const progress = (text: string) => void process.stderr.write(`${text}\n`)
  const database = await benchDatabase(server, size, { fresh: false, progress })
  const store = await createBenchStore()
  try {
    const subscriptions = await count(database, 'subscriptions')
    // Puts the rates into the store.
    await (await openBenchEngine(database.url, store, 30_000)).close()
    const [filled, service] = await timed(() =>
      serveReady({
        PLUMBLINE_DATABASE_URL: database.url,
        PLUMBLINE_STORE_URL: store.url,
        PLUMBLINE_DEFINITIONS_BASE_CURRENCY: BASE_CURRENCY,
        PLUMBLINE_NOW: NOW,
        PLUMBLINE_CACHE_MODE: 'on',
      }),
    )
    process.stdout.write(
      `${database.target}, ${subscriptions} subscriptions, ready after ${Math.round(filled / 1000)} s; ${await circumstances()}\n`,
    )
    const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
    try {
      await work({ url: service.url, browser })
    } finally {
      await browser.close()
      await service.stop()
    }
  } finally {
    await store.remove()
    await database.drop()
  }
}

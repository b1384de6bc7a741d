import { open } from 'node:fs/promises'
import { UsageError } from '../cli/command.ts'
import type { OpenStore } from '../cli/product.ts'
import { composeStore } from '../compose.ts'
import type { StoreConfig } from '../config.ts'
import { importFxRates } from '../ingest/fx-csv.ts'

/** The side store with what the command line does to it. */
export function openStore(config: StoreConfig): OpenStore {
  const store = composeStore(config)
  return {
    async importFx(path) {
      const file = await openFile(path)
      try {
        const source = file.createReadStream({ autoClose: false })
        return await importFxRates(source, store, { maxBytes: config.limits.max_csv_bytes })
      } finally {
        await file.close()
      }
    },
    listFx: () => store.fxRates.list(),
    close: () => store.close(),
  }
}

async function openFile(path: string) {
  try {
    const file = await open(path)
    if ((await file.stat()).isDirectory()) {
      await file.close()
      throw new UsageError([`${path} is a directory`])
    }
    return file
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError([`cannot read ${path}${error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''}`])
  }
}

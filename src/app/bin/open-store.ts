import { Readable } from 'node:stream'
import { redact } from '../../core/addresses.ts'
import { withFile } from '../../facades/cli/files.ts'
import type { OpenStore } from '../../facades/cli/product.ts'
import type { RateImportOptions } from '../../ports/fx-rate-store.ts'
import type { CsvSource } from '../../workspace/csv/csv-text.ts'
import { fetchFile } from '../../workspace/csv/fetch-file.ts'
import { importFxRates } from '../../workspace/exchange-rates/import/csv.ts'
import { composeStore } from '../compose.ts'
import type { StoreConfig } from '../config/config.ts'

/** The side store with what the command line does to it. */
export function openStore(config: StoreConfig): OpenStore {
  const store = composeStore(config)
  const take = (source: CsvSource, { into = config.definitions.base_currency, ...options }: RateImportOptions) =>
    importFxRates(source, store, { ...options, maxBytes: config.limits.max_csv_bytes, into })
  return {
    importFx: (path, options) => withFile(path, (file) => take(file, options)),
    fetchFx: async (options, signal) =>
      take(Readable.from([await fetchFile(config.fx.ecb_url, config.limits.max_csv_bytes, signal)]), options),
    fxAddress: redact(config.fx.ecb_url),
    listFx: (selection) => store.fxRates.list(selection),
    close: () => store.close(),
  }
}

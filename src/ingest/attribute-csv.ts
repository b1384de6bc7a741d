import { AppError } from '../core/errors.ts'
import type { AttributeImportOptions, AttributeImportPlace, AttributeImportResult } from '../engine/ports.ts'
import { attributeBatch } from './attribute-batch.ts'
import { type AttributeHeader, readAttributeHeader } from './attribute-header.ts'
import type { CsvSource } from './csv-rows.ts'
import { type CsvRecord, csvTable } from './csv-table.ts'

const ROWS_AT_ONCE = 5_000

/**
 * Imports attributes of customers (http-api.md 7), streamed, in one transaction. Unknown customers and cells that do not fit are left out
 * and reported. AppError `invalid_csv`, `payload_too_large`, `read_only_attribute`: then nothing is written.
 */
export async function importAttributes(
  source: CsvSource,
  { onProgress, ...options }: AttributeImportOptions,
  place: AttributeImportPlace,
  maxBytes: number,
): Promise<AttributeImportResult> {
  const records = csvTable(source, maxBytes)
  try {
    const first = await records.next()
    const header = readAttributeHeader(first.done === true ? [] : first.value.cells, options)
    await refuseOwned(header, place)
    return await place.store.change(async (writer) => {
      const batch = attributeBatch(header, await writer.definitions(), { writer, place })
      for await (const rows of inBatches(records)) {
        await batch.take(rows)
        onProgress?.(batch.rowsRead())
      }
      return batch.result()
    })
  } finally {
    await records.return(undefined)
  }
}

async function refuseOwned({ attributes }: AttributeHeader, { ownedKeys }: AttributeImportPlace): Promise<void> {
  const keys = [...(await ownedKeys(attributes.map(({ key }) => key)))].sort()
  if (keys.length === 0) return
  const detail = `The billing engine owns ${keys.map((key) => `"${key}"`).join(', ')}: such values are changed there.`
  throw new AppError('read_only_attribute', detail, { context: { keys } })
}

async function* inBatches(records: AsyncIterable<CsvRecord>): AsyncGenerator<readonly CsvRecord[]> {
  let batch: CsvRecord[] = []
  for await (const record of records) {
    batch.push(record)
    if (batch.length < ROWS_AT_ONCE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

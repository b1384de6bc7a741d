import { inBatches } from '../../../core/batches.ts'
import type { AttributeImportContext, AttributeImportOptions, AttributeImportResult } from '../../../ports/attribute-store.ts'
import { csvRecords } from '../../csv/records.ts'
import type { CsvSource } from '../../csv/text.ts'
import { attributeBatch, ID_COLUMNS, readAttributeHeader } from './batch.ts'

/** Rows per batch. Other requests wait while a batch is handled. */
const ROWS_AT_ONCE = 1_000

/**
 * Imports attributes of customers (http-api.md 7), streamed and in one transaction. Unknown customers and cells of a wrong type
 * are left out and reported. After an error nothing is written: AppError `invalid_csv`, `payload_too_large`,
 * `read_only_attribute`.
 */
export async function importAttributes(
  source: CsvSource,
  { onProgress, ...options }: AttributeImportOptions,
  context: AttributeImportContext,
  maxBytes: number,
): Promise<AttributeImportResult> {
  const { separator, encoding, id_column } = options
  const marks = id_column === undefined ? ID_COLUMNS : [id_column]
  const records = csvRecords(source, { maxBytes, trim: false, separator, encoding, marks })
  try {
    const first = await records.next()
    const header = readAttributeHeader(first.done === true ? [] : first.value.cells, options)
    await context.refuseOwned(header.attributes.map(({ key }) => key))
    return await context.store.change(async (writer) => {
      const batch = attributeBatch(header, await writer.definitions(), { writer, context })
      for await (const rows of inBatches(records, ROWS_AT_ONCE)) {
        await batch.take(rows)
        onProgress?.(batch.rowsRead())
      }
      return batch.result()
    })
  } finally {
    await records.return(undefined)
  }
}

/** The beginning of a CSV file. */
export interface CsvPreview {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const ROWS = 5
const FIRST_BYTES = 262_144
/** First bytes of a ZIP archive. */
const ARCHIVE = 'PK\u0003\u0004'

/**
 * Reads the first rows of a file, however long it is; of an archive there are none, for the service is who looks into it. The service reads
 * CSV by the same library and the same rules.
 */
export async function previewOf(file: File): Promise<CsvPreview | 'archive'> {
  const beginning = await file.slice(0, FIRST_BYTES).text()
  if (beginning.startsWith(ARCHIVE)) return 'archive'
  const { parse } = await import('csv-parse/browser/esm/sync')
  const [header = [], ...rows] = parse(beginning, {
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    to: ROWS + 1,
  })
  return { header, rows }
}

/** The first rows of a CSV file. */
export interface CsvPreview {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Separator and encoding that the user chose; empty means detect. */
export interface WrittenAs {
  readonly separator: string
  readonly encoding: string
}

const ROWS = 5
const FIRST_BYTES = 262_144
/** First bytes of a ZIP archive. */
const ARCHIVE = [0x50, 0x4b, 0x03, 0x04]
const MARKS: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]
const CHARACTERS: Readonly<Record<string, string>> = { comma: ',', semicolon: ';', tab: '\t' }

/**
 * Reads the first rows of a file of any length. It cannot read an archive: only the service opens it. The service parses CSV with
 * the same library and rules. Only the result of the service counts.
 */
export async function previewOf(file: File, { separator, encoding }: WrittenAs): Promise<CsvPreview | 'archive'> {
  const beginning = new Uint8Array(await file.slice(0, FIRST_BYTES).arrayBuffer())
  if (beginsWith(beginning, ARCHIVE)) return 'archive'
  const text = textOf(beginning, encoding)
  const [line = ''] = text.trimStart().split(/[\r\n]/)
  const [, said] = /^"?sep=(.)/i.exec(line) ?? []
  const { parse } = await import('csv-parse/browser/esm/sync')
  const cellsBy = (delimiter: string): string[][] =>
    parse(said === undefined ? text : text.slice(text.indexOf(line) + line.length), {
      delimiter,
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      to: ROWS + 1,
    })
  const [header = [], ...rows] = cellsBy(CHARACTERS[separator] ?? said ?? dividing(line))
  return { header: header.slice(0, header.findLastIndex((name) => name.trim() !== '') + 1), rows }
}

function textOf(bytes: Uint8Array, named: string): string {
  const encoding = MARKS.find(([, mark]) => beginsWith(bytes, mark))?.[0] ?? (named === '' ? 'utf-8' : named)
  try {
    // The slice may end in the middle of a character.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
  } catch {
    throw new Error(`It is not ${encoding.toUpperCase()} text. Choose its encoding.`)
  }
}

/** The separator that occurs most often in a line. */
function dividing(line: string): string {
  const count = (character: string) => line.split(character).length
  return Object.values(CHARACTERS).reduce((best, character) => (count(character) > count(best) ? character : best))
}

function beginsWith(bytes: Uint8Array, first: readonly number[]): boolean {
  return first.every((byte, at) => bytes[at] === byte)
}

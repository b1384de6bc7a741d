import { parse } from 'csv-parse/sync'
import { CSV_SEPARATORS, type CsvSeparator, separatorWord } from '../../core/csv-form.ts'
import { AppError } from '../../core/errors.ts'

/** Most characters to search for the end of the header. */
const MOST_CHARACTERS = 4_194_304
const EXCEL_LINE = /^"?sep=/i
/** Beginning of an XML or HTML file. */
const MARKUP = /^<[?!a-z]/i

/** A text and its separator. The text no longer has its `sep=` line. */
interface SeparatedText {
  readonly separator: CsvSeparator
  readonly text: AsyncIterable<string>
}

/**
 * Finds the separator of a text: the `named` separator, the separator in Excel's `sep=` line, or the separator that divides the
 * header. If several separators divide the header, the column names in `marks` decide. AppError `invalid_csv` if they cannot
 * decide.
 */
export async function separated(
  text: AsyncGenerator<string>,
  {
    named,
    marks,
    instead,
  }: { readonly named: CsvSeparator | undefined; readonly marks: readonly string[]; readonly instead: string | undefined },
): Promise<SeparatedText> {
  let beginning = ''
  let isWhole = false
  while (!isWhole && endOfHeader(beginning) === undefined && beginning.length < MOST_CHARACTERS) {
    const { value, done } = await text.next()
    beginning = withoutMark(beginning + (value ?? ''))
    isWhole = done === true
  }
  const header = beginning.slice(0, endOfHeader(beginning) ?? beginning.length)
  const line = header.trimStart()
  if (MARKUP.test(line)) throw new AppError('invalid_csv', `The file is XML or HTML, not CSV.${instead ?? ''}`)
  const said = EXCEL_LINE.test(line) ? saidSeparator(line) : undefined
  if (said !== undefined && named !== undefined && said !== named) {
    throw new AppError(
      'invalid_csv',
      `The first line of the CSV file names the ${separatorWord(said)} as separator, but the request names the ${separatorWord(named)}.`,
    )
  }
  return {
    separator: named ?? said ?? foundIn(header, marks),
    text: joined(said === undefined ? beginning : beginning.slice(header.length), text),
  }
}

async function* joined(beginning: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield beginning
  yield* rest
}

function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

/** End of the first line that is not blank. Ignores line ends inside quotes. Undefined if the line has no end. */
function endOfHeader(text: string): number | undefined {
  let isQuoted = false
  let isBlank = true
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') isQuoted = !isQuoted
    const isEnd = !isQuoted && (character === '\n' || character === '\r')
    if (isEnd && !isBlank) return at
    if (!isEnd) isBlank = false
  }
  return undefined
}

function saidSeparator(line: string): CsvSeparator {
  const [, character] = /^"?sep=(.)"?[,;\t]*$/i.exec(line) ?? []
  const separator = CSV_SEPARATORS.find((known) => known === character)
  if (separator !== undefined) return separator
  throw new AppError(
    'invalid_csv',
    `The first line of the CSV file, ${JSON.stringify(line.slice(0, 20))}, names no separator that can be read: ${WORDS}.`,
  )
}

const WORDS = CSV_SEPARATORS.map(separatorWord).join(', ')

function foundIn(header: string, marks: readonly string[]): CsvSeparator {
  const possible = CSV_SEPARATORS.map((separator) => ({ separator, cells: cellsOf(header, separator) })).filter(
    ({ cells }) => cells.length > 1,
  )
  const marked = possible.filter(({ cells }) => cells.some((cell) => marks.includes(cell.trim())))
  const [first, second] = possible.length > 1 ? marked : possible
  if (possible.length === 0) return ','
  if (first !== undefined && second === undefined) return first.separator
  const words = possible.map(({ separator }) => separatorWord(separator)).join(' and by ')
  throw new AppError(
    'invalid_csv',
    `The header of the CSV file can be divided by ${words}. Name the separator (--separator, in a form the field "separator"): ${WORDS}.`,
  )
}

// If no separator gives a valid header, the error is reported when the file is read.
function cellsOf(header: string, delimiter: CsvSeparator): readonly string[] {
  try {
    const [cells = []]: readonly string[][] = parse(header, {
      delimiter,
      to: 1,
      relax_column_count: true,
      skip_empty_lines: true,
    })
    return cells
  } catch {
    return []
  }
}

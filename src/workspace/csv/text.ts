import { TextDecoder } from 'node:util'
import iconv from 'iconv-lite'
import { CSV_ENCODINGS, type CsvEncoding } from '../../core/csv-form.ts'
import { AppError } from '../../core/errors.ts'

/** A CSV file: a whole text, or pieces in the order of their arrival. */
export type CsvSource = string | AsyncIterable<string | Uint8Array>

const MARKS: readonly { readonly bytes: readonly number[]; readonly means: CsvEncoding | 'utf-32' }[] = [
  { bytes: [0xff, 0xfe, 0, 0], means: 'utf-32' },
  { bytes: [0, 0, 0xfe, 0xff], means: 'utf-32' },
  { bytes: [0xef, 0xbb, 0xbf], means: 'utf-8' },
  { bytes: [0xff, 0xfe], means: 'utf-16le' },
  { bytes: [0xfe, 0xff], means: 'utf-16be' },
]
/** Length of the longest byte order mark. */
const MARK_BYTES = 4
/** Replacement for a byte that has no character in Windows-1252. */
const NO_CHARACTER = '\ufffd'

type Decode = (piece: Uint8Array | undefined) => string

/**
 * Streams the text of a source without its byte order mark, and checks it. The text is UTF-8 unless the mark or `encoding` names
 * another encoding. AppError `invalid_csv` for invalid bytes, `payload_too_large` beyond `maxBytes`.
 */
export async function* csvText(
  source: CsvSource,
  { maxBytes, encoding }: { readonly maxBytes: number; readonly encoding?: CsvEncoding | undefined },
): AsyncGenerator<string> {
  let decode: Decode | undefined
  let beginning: Uint8Array = Buffer.alloc(0)
  let bytes = 0
  for await (const piece of typeof source === 'string' ? [source] : readable(source)) {
    bytes += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.byteLength
    if (bytes > maxBytes) {
      throw new AppError('payload_too_large', `The CSV file is larger than ${maxBytes} bytes.`, {
        context: { limit_bytes: maxBytes },
      })
    }
    if (typeof piece === 'string') yield piece
    else if (decode !== undefined) yield decode(piece)
    else {
      beginning = Buffer.concat([beginning, piece])
      if (beginning.byteLength < MARK_BYTES) continue
      decode = decoderFor(beginning, encoding)
      yield decode(beginning)
    }
  }
  if (decode === undefined) {
    decode = decoderFor(beginning, encoding)
    yield decode(beginning)
  }
  yield decode(undefined)
}

// The source may be a directory or on a broken disk. Such an error must not be reported as an error of the store.
async function* readable(source: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
  try {
    yield* source
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('invalid_csv', `The CSV file cannot be read: ${reason}.`, { cause })
  }
}

function decoderFor(beginning: Uint8Array, named: CsvEncoding | undefined): Decode {
  const marked = MARKS.find(({ bytes }) => bytes.every((byte, at) => beginning[at] === byte))?.means
  if (marked === 'utf-32') {
    throw new AppError(
      'invalid_csv',
      `The CSV file is UTF-32 text. Save it in one of these encodings: ${CSV_ENCODINGS.join(', ')}.`,
    )
  }
  if (marked !== undefined && named !== undefined && marked !== named) {
    throw new AppError(
      'invalid_csv',
      `The CSV file begins with the byte order mark of ${marked}, but the request names the encoding ${named}.`,
    )
  }
  const encoding = marked ?? named ?? 'utf-8'
  const meant = named === undefined && marked === undefined ? unmarked(beginning) : undefined
  if (meant !== undefined) throw notOf('utf-8', ` It looks like ${meant} without a byte order mark.`)
  return encoding === 'windows-1252' ? decodeWindows : strictly(encoding)
}

/** Detects UTF-16 text with ASCII letters. Without this check it would pass as UTF-8 with a zero byte next to each letter. */
function unmarked([first, second, third, fourth]: Uint8Array): CsvEncoding | undefined {
  if (first === 0 && third === 0) return 'utf-16be'
  return second === 0 && fourth === 0 ? 'utf-16le' : undefined
}

function strictly(encoding: CsvEncoding): Decode {
  const decoder = new TextDecoder(encoding, { fatal: true })
  return (piece) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined })
    } catch (cause) {
      throw notOf(encoding, '', cause)
    }
  }
}

// Does not use TextDecoder, because some versions of Node decode the special characters of this encoding as control characters of
// ISO 8859-1.
function decodeWindows(piece: Uint8Array | undefined): string {
  const text = piece === undefined ? '' : iconv.decode(Buffer.from(piece), 'windows-1252')
  if (text.includes(NO_CHARACTER)) throw notOf('windows-1252')
  return text
}

function notOf(encoding: CsvEncoding, more = '', cause?: unknown): AppError {
  const others = CSV_ENCODINGS.filter((one) => one !== encoding).join(', ')
  const name = encoding === 'windows-1252' ? 'Windows-1252' : encoding.toUpperCase()
  const remedy = `Save it as UTF-8, or name its encoding (--encoding, in a form the field "encoding"): ${others}.`
  return new AppError('invalid_csv', `The CSV file is not ${name} text.${more} ${remedy}`, { cause })
}

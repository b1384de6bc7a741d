/** Separators of CSV cells and their names. */
const SEPARATOR_WORDS = { ',': 'comma', ';': 'semicolon', '\t': 'tab' } as const

export type CsvSeparator = keyof typeof SEPARATOR_WORDS
export const CSV_SEPARATORS = Object.keys(SEPARATOR_WORDS) as readonly CsvSeparator[]
export const SEPARATOR_NAMES = Object.values(SEPARATOR_WORDS)

export const CSV_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type CsvEncoding = (typeof CSV_ENCODINGS)[number]

/** The format of a CSV file, if the sender states it. */
export interface CsvForm {
  /** Default: detected from the header. */
  readonly separator?: CsvSeparator | undefined
  /** Default: the encoding of the byte order mark, otherwise UTF-8. */
  readonly encoding?: CsvEncoding | undefined
}

/** The separator with this name. The character itself is also a name. */
export function separatorNamed(name: string): CsvSeparator | undefined {
  return CSV_SEPARATORS.find((separator) => separator === name || SEPARATOR_WORDS[separator] === name.toLowerCase())
}

/** The name of a separator. */
export function separatorWord(separator: CsvSeparator): string {
  return SEPARATOR_WORDS[separator]
}

/** The encoding with this name, in any case. */
export function encodingNamed(name: string): CsvEncoding | undefined {
  return CSV_ENCODINGS.find((encoding) => encoding === name.toLowerCase())
}

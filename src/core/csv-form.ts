/** What may divide the cells of a CSV file, and the word for it. */
const SEPARATOR_WORDS = { ',': 'comma', ';': 'semicolon', '\t': 'tab' } as const

export type CsvSeparator = keyof typeof SEPARATOR_WORDS
export const CSV_SEPARATORS = Object.keys(SEPARATOR_WORDS) as readonly CsvSeparator[]
export const SEPARATOR_NAMES = Object.values(SEPARATOR_WORDS)

export const CSV_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type CsvEncoding = (typeof CSV_ENCODINGS)[number]

/** How a CSV file is written, where its sender says so. */
export interface CsvForm {
  /** Found by the header where it is absent. */
  readonly separator?: CsvSeparator | undefined
  /** That of the byte order mark where it is absent, else UTF-8. */
  readonly encoding?: CsvEncoding | undefined
}

/** The separator of that name; the character itself is a name, too. */
export function separatorNamed(name: string): CsvSeparator | undefined {
  return CSV_SEPARATORS.find((separator) => separator === name || SEPARATOR_WORDS[separator] === name.toLowerCase())
}

/** The word for a separator. */
export function separatorWord(separator: CsvSeparator): string {
  return SEPARATOR_WORDS[separator]
}

/** The encoding of that name, in capitals or not. */
export function encodingNamed(name: string): CsvEncoding | undefined {
  return CSV_ENCODINGS.find((encoding) => encoding === name.toLowerCase())
}

import stringWidth from 'string-width'

/** Letters of scripts that run from right to left. */
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** A column of a text table. */
export interface TableColumn {
  readonly title: string
  readonly align: 'left' | 'right'
}

/**
 * Lines of an aligned table, header first. Cells and titles may contain customer names: control characters are removed, and right-to-left
 * text is isolated.
 */
export function tableLines(columns: readonly TableColumn[], rows: readonly (readonly string[])[]): string[] {
  const shown = (cell: string) => isolated(withoutControls(cell))
  const titles = columns.map(({ title }) => shown(title))
  const clean = rows.map((row) => row.map(shown))
  const widths = columns.map((_, index) => Math.max(width(titles[index] ?? ''), ...clean.map((row) => width(row[index] ?? ''))))
  const line = (cells: readonly string[]) =>
    columns
      .map((column, index) => pad(cells[index] ?? '', widths[index] ?? 0, column.align))
      .join('  ')
      .trimEnd()
  return [line(titles), ...clean.map(line)]
}

/** True if every line fits the terminal. Without a terminal every line fits. */
export function fits(lines: readonly string[], columns: number | undefined): boolean {
  return columns === undefined || lines.every((line) => width(line) <= columns)
}

/** Text without control characters, which could move the cursor, change colours or reverse the direction of text. */
export function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ').replace(/\p{Bidi_Control}/gu, '')
}

// Without isolation, a terminal that supports text direction would also reorder the neighbouring cells.
function isolated(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text
}

// East Asian characters and emoji take two cells, combining accents none.
function width(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text)
}

function pad(text: string, size: number, align: 'left' | 'right'): string {
  const blanks = ' '.repeat(Math.max(0, size - width(text)))
  return align === 'left' ? text + blanks : blanks + text
}

const WIDTH = 96

/** Text wrapped to a readable width and indented by two. The first line begins with the bullet. */
export function wrapped(text: string, bullet = ''): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= WIDTH) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.map((line, index) => `  ${index === 0 ? bullet : ' '.repeat(bullet.length)}${line}`)
}

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
} as const

/** Text in a style if `isOn`, else unchanged. */
export function paint(style: keyof typeof CODES, text: string, isOn: boolean): string {
  const [begin, end] = CODES[style]
  return isOn && text !== '' ? `\u001b[${begin}m${text}\u001b[${end}m` : text
}

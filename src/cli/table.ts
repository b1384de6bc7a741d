/** A column of a table for people. */
export interface TableColumn {
  readonly title: string
  readonly align: 'left' | 'right'
}

/** Lines of an aligned table, header first; cells are cut of control characters, for they may come from a customer's name. */
export function tableLines(columns: readonly TableColumn[], rows: readonly (readonly string[])[]): string[] {
  const clean = rows.map((row) => row.map(withoutControls))
  const widths = columns.map((column, index) => Math.max(width(column.title), ...clean.map((row) => width(row[index] ?? ''))))
  const line = (cells: readonly string[]) =>
    columns
      .map((column, index) => pad(cells[index] ?? '', widths[index] ?? 0, column.align))
      .join('  ')
      .trimEnd()
  return [line(columns.map((column) => column.title)), ...clean.map(line)]
}

/** True where no line is wider than a line of the terminal; what is no terminal has lines of any width. */
export function fits(lines: readonly string[], columns: number | undefined): boolean {
  return columns === undefined || lines.every((line) => width(line) <= columns)
}

/** Text without control characters, which could move the cursor or change colours of a terminal. */
export function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ')
}

function width(text: string): number {
  return [...text].length
}

function pad(text: string, size: number, align: 'left' | 'right'): string {
  const blanks = ' '.repeat(Math.max(0, size - width(text)))
  return align === 'left' ? text + blanks : blanks + text
}

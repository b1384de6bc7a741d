import stringWidth from 'string-width'
import { withoutControls } from '../../core/text.ts'

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

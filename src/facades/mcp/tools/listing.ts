import { countArgument, textArgument } from '../own-arguments.ts'
import { countText, MOST_ROWS, tableText } from '../table-text.ts'

/** Arguments of tools that list what is at hand as a whole. */
export const LISTING = {
  search: textArgument('search').optional().describe('Only what has this text in its name'),
  offset: countArgument('offset').optional().describe('Rows to leave out first. Default 0.'),
}

interface Listing {
  readonly search?: string | undefined
  readonly offset?: number | undefined
}

/** The rows that are asked for, and how many there are. */
export function listingText(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
  { search = '', offset = 0 }: Listing,
): string {
  const [name = ''] = columns
  const found = rows.filter((row) => String(row[name]).toLowerCase().includes(search.toLowerCase()))
  const shown = found.slice(offset, offset + MOST_ROWS)
  const count = countText(shown.length, offset, found.length, `For the rest ask with offset ${offset + shown.length}.`)
  return shown.length === 0 ? count : `${tableText(columns, shown)}\n${count}`
}

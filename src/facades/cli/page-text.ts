import { isObject } from '../../core/json.ts'
import { amountColumns } from '../presentation/table.ts'
import type { AnswerText } from './output.ts'
import { recordsText } from './text.ts'

/** A page of a list as a table of these columns; a last line counts what the page leaves out. */
export function pageText(columns: readonly string[]): AnswerText {
  return (answer, bold, width) => {
    const { data, meta } = answer
    const page = isObject(data) ? data : {}
    const rows = Array.isArray(page['rows']) ? page['rows'] : []
    const table = recordsText(rows, columns, { amounts: amountColumns(answer), currency: meta.base_currency, bold, width })
    const total = Number(page['total'])
    const shown = Number(page['offset']) + rows.length
    return rows.length === 0 || total <= rows.length ? table : `${table}${shown - rows.length + 1} to ${shown} of ${total}\n`
  }
}

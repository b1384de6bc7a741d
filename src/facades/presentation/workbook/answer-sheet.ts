import type { Cell, CellValue, WriteSheet } from 'hucre/xlsx'
import type { Answer, AnswerField } from '../../../engine/engine.ts'
import { amountFormat, cellOf, DAY_FORMAT, INSTANT_FORMAT, textCell } from './cells.ts'

const WIDTHS = { day: 12, instant: 20, amount: 16, other: 20 } as const

type Head = Pick<Answer, 'columns' | 'meta'>

/** The answer as a sheet: the columns and values of its CSV with their types, the header kept in view. */
export function answerSheet(answer: Head, table: readonly (readonly unknown[])[]): WriteSheet {
  const { fields } = answer.meta
  return {
    name: 'Answer',
    rows: [
      answer.columns.map(textCell),
      ...table.map((row) => row.map((value, index): CellValue => cellOf(value, fields[index]?.holds ?? 'other'))),
    ],
    columns: fields.map((field) => ({ width: Math.max(WIDTHS[field.holds], field.name.length + 2), ...formatOf(field, answer) })),
    cells: new Map([...headers(answer), ...otherCurrencies(answer, table)]),
    freezePane: { rows: 1 },
  }
}

function formatOf({ holds }: AnswerField, { meta: { amounts, base_currency } }: Head): { readonly numFmt?: string } {
  if (holds === 'day') return { numFmt: DAY_FORMAT }
  if (holds === 'instant') return { numFmt: INSTANT_FORMAT }
  return holds === 'amount' && amounts.unit === 'units' ? { numFmt: amountFormat(base_currency) } : {}
}

function headers({ columns }: Head): readonly [string, Partial<Cell>][] {
  return columns.map((_, column) => [`0,${column}`, { style: { font: { bold: true } } }])
}

// Amounts in the currency that their row names have its decimals.
function otherCurrencies({ columns, meta }: Head, table: readonly (readonly unknown[])[]): readonly [string, Partial<Cell>][] {
  const named = columns.indexOf('currency')
  if (meta.amounts.unit === 'cents' || meta.amounts.currency !== 'original' || named < 0) return []
  const own = meta.fields.flatMap(({ name, holds }, column) =>
    holds === 'amount' && !name.endsWith('_base_cents') ? [column] : [],
  )
  const usual = amountFormat(meta.base_currency)
  return table.flatMap((row, index) => {
    const currency = row[named]
    const numFmt = typeof currency === 'string' ? amountFormat(currency) : usual
    return numFmt === usual ? [] : own.map((column): [string, Partial<Cell>] => [`${index + 1},${column}`, { style: { numFmt } }])
  })
}

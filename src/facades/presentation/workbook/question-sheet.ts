import type { CellValue, WriteSheet } from 'hucre/xlsx'
import type { Answer } from '../../../engine/engine.ts'
import type { RawRequest } from '../raw-request.ts'
import { textCell } from './cells.ts'

/** A question as it was asked. */
export interface Asked {
  /** The call in the words of the facade: method and address, or the command. */
  readonly call: string
  readonly request: Pick<RawRequest, 'params' | 'spec'>
}

/** The question as a sheet: the call with its parameters, the moment of the snapshot, and in what the answer is written. */
export function questionSheet({ call, request }: Asked, { meta }: Pick<Answer, 'meta'>): WriteSheet {
  const { days, data_through, base_currency, amounts, definitions, warnings } = meta
  const given = [...Object.entries(request.params), ...Object.entries(request.spec)]
  const rows: CellValue[][] = [
    ['Question', call],
    ...given.map(([name, value]) => [`  ${name}`, valueText(value)]),
    ...(days === undefined
      ? []
      : [
          ['First day', days.start],
          ['Last day', days.end],
        ]),
    ['Complete up to', data_through ?? 'not known'],
    ['Base currency', base_currency],
    ['Amounts', unitText(amounts, base_currency)],
    ['Definitions in force', definitions],
    ...warnings.map(({ code, message }) => [`Warning: ${code}`, message]),
  ]
  return {
    name: 'Question',
    rows: rows.map((row) => row.map((cell) => (typeof cell === 'string' ? textCell(cell) : cell))),
    columns: [{ width: 24 }, { width: 100 }],
  }
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  const isNames = Array.isArray(value) && value.every((item) => typeof item === 'string')
  return isNames ? value.join(', ') : JSON.stringify(value)
}

function unitText({ unit, currency }: Answer['meta']['amounts'], base: string): string {
  const what = unit === 'units' ? 'units' : 'cents, a hundredth of the unit in every currency,'
  if (currency !== 'original') return `${what} of ${currency}`
  return `${what} of the currency that the row names; what ends in _base_cents is in ${base}`
}

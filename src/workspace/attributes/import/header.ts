import { MOST_KEYS_AT_ONCE } from '../../../core/attribute.ts'
import { attributeKeyFault } from '../../../core/attribute-value.ts'
import { AppError } from '../../../core/errors.ts'
import type { AttributeImportOptions, IdKind } from '../../../ports/attribute-store.ts'
import { headerError } from '../../csv/csv-stream.ts'

/** Columns that say who the customer is, the first that is there. */
export const ID_COLUMNS: readonly string[] = ['customer_id', 'external', 'email']

/** What the columns of an import are. */
export interface AttributeHeader {
  readonly id: { readonly name: string; readonly index: number; readonly kind: IdKind }
  readonly attributes: readonly { readonly key: string; readonly index: number }[]
}

/** Reads the header (http-api.md 7). AppError `invalid_csv` with the column at fault. */
export function readAttributeHeader(
  names: readonly string[],
  { id_column, id_kind }: Pick<AttributeImportOptions, 'id_column' | 'id_kind'>,
): AttributeHeader {
  const name = id_column ?? ID_COLUMNS.find((column) => names.includes(column))
  if (name === undefined) {
    const known = ID_COLUMNS.join(', ')
    throw new AppError('invalid_csv', `The header has no column that says who the customer is: none of ${known}.`)
  }
  const index = names.indexOf(name)
  if (index < 0) throw headerError(`The header lacks the column ${JSON.stringify(name)} that says who the customer is.`, name)
  const attributes = names.flatMap((key, at) => (at === index || key.trim() === '' ? [] : [{ key, index: at }]))
  if (attributes.length === 0) throw new AppError('invalid_csv', 'The header has no column with an attribute.')
  if (attributes.length > MOST_KEYS_AT_ONCE) throw tooMany(attributes.length)
  for (const { key } of attributes) {
    const fault = attributeKeyFault(key)
    if (fault !== undefined) throw headerError(`The column ${JSON.stringify(key)} cannot be an attribute. ${fault}`, key)
  }
  return { id: { name, index, kind: id_kind ?? kindOf(name) }, attributes }
}

function tooMany(count: number): AppError {
  const detail = `The header has ${count} columns with attributes; one file may set ${MOST_KEYS_AT_ONCE}.`
  return new AppError('invalid_csv', detail, { context: { limit: MOST_KEYS_AT_ONCE } })
}

function kindOf(column: string): IdKind {
  return column === 'external' || column === 'email' ? column : 'id'
}

import type { AttributeNote, AttributeType, StoredAttribute, StoredEntry } from '../../core/attribute.ts'
import { ATTRIBUTE_TYPES } from '../../core/attribute.ts'
import { withoutPadding } from '../../core/attribute-value.ts'
import { InternalError } from '../../core/errors.ts'
import { textCell, textOf } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { instantForStore, instantFromStore } from './instants.ts'

/** Column that holds the values of a type. */
export function valueColumn(type: AttributeType): string {
  return `value_${type}`
}

/** A stored value as the program uses it. */
export function storedValue(row: Row, type: AttributeType): string | boolean {
  const cell = row[valueColumn(type)]
  if (type === 'boolean') return cell === true || cell === 1
  const text = textOf(row, valueColumn(type))
  if (type === 'number') return withoutPadding(text)
  return type === 'timestamp' ? text.slice(0, 19) : text
}

/** The type of a stored value. Only the column of this type is not null. */
function typeOfValue(row: Row): AttributeType {
  const type = ATTRIBUTE_TYPES.find((candidate) => row[valueColumn(candidate)] !== null)
  if (type === undefined) throw new InternalError('a stored attribute value has no value')
  return type
}

export function definitionOf(row: Row): StoredAttribute {
  return {
    key: textOf(row, 'attribute_key'),
    label: textOf(row, 'label'),
    type: typeNamed(textOf(row, 'type')),
    source: textOf(row, 'source'),
    description: textCell(row, 'description'),
    ...datesOf(row),
  }
}

export function noteOf(row: Row): AttributeNote {
  return {
    key: textOf(row, 'attribute_key'),
    label: textCell(row, 'label'),
    type: row['type'] === null ? null : typeNamed(textOf(row, 'type')),
    description: textCell(row, 'description'),
    ...datesOf(row),
  }
}

export function entryOf(row: Row): StoredEntry {
  const type = typeOfValue(row)
  return {
    source_id: textOf(row, 'source_id'),
    customer_id: textOf(row, 'customer_id'),
    key: textOf(row, 'attribute_key'),
    type,
    value: storedValue(row, type),
    origin: textOf(row, 'origin'),
    updated_at: instantFromStore(textOf(row, 'updated_at')),
  }
}

/** `created_at` and `updated_at` of a row. */
export function datesOf(row: Row): { readonly created_at: string; readonly updated_at: string } {
  return {
    created_at: instantFromStore(textOf(row, 'created_at')),
    updated_at: instantFromStore(textOf(row, 'updated_at')),
  }
}

/** The row of a definition or note. */
export function rowOf({ key, created_at, updated_at, ...fields }: StoredAttribute | AttributeNote): Record<string, unknown> {
  return {
    attribute_key: key,
    ...fields,
    created_at: instantForStore(created_at),
    updated_at: instantForStore(updated_at),
  }
}

function typeNamed(name: string): AttributeType {
  const type = ATTRIBUTE_TYPES.find((candidate) => candidate === name)
  if (type === undefined) throw new InternalError(`the store has an attribute type "${name}"`)
  return type
}

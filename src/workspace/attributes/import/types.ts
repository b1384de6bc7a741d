import type { AttributeType, StoredAttribute } from '../../../core/attribute.ts'
import { changesAsNumber, inferAttributeType, looksNumeric } from '../../../core/attribute-value.ts'
import type { AttributeImportResult, AttributeWriter } from '../../../ports/attribute-store.ts'
import type { CsvRecord } from '../../csv/csv-stream.ts'
import type { AttributeHeader } from './header.ts'

type Column = AttributeHeader['attributes'][number]
type KeptAsText = AttributeImportResult['kept_as_text'][number]

/** A leading zero is part of a code, also where the values of an earlier file looked like numbers. */
const LEADING_ZERO = /^[+-]?0\d/

/** Types of the attributes of an import. */
export interface AttributeTypes {
  /** Type that the value in a column of a row takes; `ahead` are the rows read with it. Undefined for a value that does not fit. */
  typeFor(column: Column, record: CsvRecord, ahead: readonly CsvRecord[]): Promise<AttributeType | undefined>
  /** Type of a key by now. */
  typeOf(key: string): AttributeType | undefined
  created(): readonly string[]
  keptAsText(): readonly KeptAsText[]
}

/**
 * Known keys keep their type. The first value of a new key decides its type, but a new key is no number once a value of it would not stay as it
 * is: then all its values are text.
 */
export function attributeTypes(
  definitions: ReadonlyMap<string, StoredAttribute>,
  { writer, at, most }: { readonly writer: AttributeWriter; readonly at: string; readonly most: number },
): AttributeTypes {
  const created = new Map<string, AttributeType>()
  /** New keys of text whose values all look like numbers, with the first that a number would change. */
  const kept = new Map<string, KeptAsText>()

  const define = async (key: string, type: AttributeType) => {
    await writer.define({ key, type, label: key, source: 'csv', description: null, created_at: at, updated_at: at })
    created.set(key, type)
  }
  const keep = async ({ key, index }: Column, { row, cells }: CsvRecord) => {
    await define(key, 'string')
    kept.set(key, { row, key, value: (cells[index] ?? '').slice(0, most) })
  }
  const changes =
    ({ index }: Column) =>
    (record: CsvRecord) =>
      changesAsNumber(record.cells[index] ?? '')

  return {
    async typeFor(column, record, ahead) {
      const { key, index } = column
      const cell = record.cells[index] ?? ''
      const known = definitions.get(key)
      if (known !== undefined) {
        const isDamaged = known.type === 'number' && known.source === 'csv' && LEADING_ZERO.test(cell)
        return isDamaged ? undefined : known.type
      }
      const before = created.get(key)
      if (before === undefined) {
        const type = inferAttributeType(cell)
        const changing = looksNumeric(cell) ? [record, ...ahead].find(changes(column)) : undefined
        if (changing !== undefined) await keep(column, changing)
        else if (type !== undefined) await define(key, type)
      } else if (before === 'number' && changesAsNumber(cell)) {
        await writer.numbersToText(key, 'csv', at)
        await keep(column, record)
      }
      if (!looksNumeric(cell)) kept.delete(key)
      return created.get(key)
    },
    typeOf: (key) => definitions.get(key)?.type ?? created.get(key),
    created: () => [...created.keys()].sort(),
    keptAsText: () => [...kept.values()],
  }
}

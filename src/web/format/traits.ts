import { COLUMNS } from '../../../docs/openapi/columns.ts'
import type { ColumnTraits, Unit } from '../../core/column.ts'

const DECLARED: ReadonlyMap<string, Partial<ColumnTraits>> = new Map(Object.entries(COLUMNS))

/** The attributes that the API declares for columns of this name. A comparison has those of its measure. */
export function traitsOf(name: string): Partial<ColumnTraits> {
  return DECLARED.get(name) ?? DECLARED.get(name.replace(/^(previous|change)_/, '')) ?? {}
}

/** Label of a column, if it declares one. A comparison has none. */
export function declaredLabel(name: string): string | undefined {
  return DECLARED.get(name)?.label
}

/** Unit of a column. The same name has the same unit in every answer. */
export function unitOf(name: string): Unit {
  return traitsOf(name).unit ?? 'count'
}

import { COLUMNS } from '../../../docs/openapi/columns.ts'
import type { Unit } from '../../core/column.ts'

const UNITS: ReadonlyMap<string, Unit> = new Map(Object.entries(COLUMNS).map(([name, { unit }]) => [name, unit]))

/** Unit of a column, as the API declares it. The same name has the same unit in every answer. */
export function unitOf(name: string): Unit {
  return UNITS.get(name) ?? UNITS.get(name.replace(/^(previous|change)_/, '')) ?? 'count'
}

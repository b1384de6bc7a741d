import { unitOf } from '../../../src/web/format/traits.ts'

/** True for the names of columns that hold amounts, by the names alone, as the page takes them. */
export function namesAmount(name: string): boolean {
  return unitOf(name) === 'money'
}

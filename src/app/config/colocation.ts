import { readAddress, serverKind } from '../../databases/addresses/read-address.ts'

/** Why the billing database cannot read the side store's tables, as far as the addresses tell; undefined where it may. */
export function colocationProblem(databaseUrl: string | undefined, storeUrl: string): string | undefined {
  if (databaseUrl === undefined) return undefined
  const [database, store] = [serverKind(databaseUrl), serverKind(storeUrl)]
  if (database === undefined || database !== store) {
    return 'store.colocated: needs database.url and store.url on one PostgreSQL, MySQL or MariaDB server'
  }
  const [billing, side] = [databaseIn(databaseUrl), databaseIn(storeUrl)]
  if (store === 'postgres' && billing !== side) {
    return `store.colocated: needs both in one PostgreSQL database; database.url leads to "${billing}", store.url to "${side}"`
  }
  if (store === 'mysql' && !/^[a-z_][a-z0-9_]{0,62}$/.test(side)) {
    return `store.colocated: needs a store whose database has a plain lower-case name, not "${side}"`
  }
  return undefined
}

function databaseIn(url: string): string {
  const reading = readAddress(url)
  return reading !== undefined && 'address' in reading ? (reading.address.database ?? '') : ''
}

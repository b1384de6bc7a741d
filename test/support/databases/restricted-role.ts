import { randomBytes } from 'node:crypto'
import { killbillGrants } from '../../../connectors/killbill/grants.ts'
import type { TestDatabase } from './test-database.ts'

/** A role that may read what is documented and whose rights a test changes. */
export interface RestrictedRole {
  /** Address of the database as this role. */
  readonly url: string
  /** As grants name it. */
  readonly grantee: string
  readonly name: string
  drop(): Promise<void>
}

/** Makes a role with the documented grants in a database. */
export async function createRole(database: TestDatabase, grants = killbillGrants): Promise<RestrictedRole> {
  const name = `pl_reader_${randomBytes(4).toString('hex')}`
  const password = randomBytes(8).toString('hex')
  const dialect = database.dialect.name
  const url = new URL(database.url)
  const place = { database: url.pathname.slice(1), schema: 'public', tables: [] }
  for (const statement of grants({ dialect, user: name, ...place })) await database.adminQuery(statement)
  await database.adminQuery(passwordStatement(dialect, name, password))
  url.username = name
  url.password = password
  const grantee = dialect === 'postgres' ? name : `${name}@'%'`
  return {
    url: url.href,
    grantee,
    name,
    async drop() {
      if (dialect === 'postgres') await database.adminQuery(`drop owned by ${name} cascade`)
      await database.adminQuery(dialect === 'postgres' ? `drop role ${name}` : `drop user ${grantee}`)
    },
  }
}

/** Gives a role that the documented grants have made its password. */
export function passwordStatement(dialect: string, name: string, password: string): string {
  return dialect === 'postgres'
    ? `alter role ${name} password '${password}'`
    : `alter user ${name}@'%' identified by '${password}' account unlock`
}

import type { Target, TestDatabase } from '../../databases/test-database.ts'
import { fixtureDigest } from './killbill-fixture.ts'
import { createKillbillSchema } from './load-killbill.ts'

const SOURCES = ['killbill-schema.ts', 'load-killbill.ts'].map((name) => new URL(name, import.meta.url))

/** A new database with the empty tables of a Kill Bill installation, copied if that is quicker than making them. */
export async function killbillDatabase(target: Target): Promise<TestDatabase> {
  if (target.copyOf !== undefined) return target.copyOf({ key: `empty_${fixtureDigest(SOURCES)}`, fill: createKillbillSchema })
  const database = await target.createDatabase()
  await createKillbillSchema(database)
  return database
}

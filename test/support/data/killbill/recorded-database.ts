import type { Target, Template, TestDatabase } from '../../databases/test-database.ts'
import { fixtureDigest } from './killbill-fixture.ts'
import { loadReal } from './load-killbill.ts'

const SOURCES = ['killbill-schema.ts', 'load-killbill.ts', 'killbill-fixture.ts', 'sql-literals.ts']

/** A database with the recorded tenants alpha and beta, loaded once per machine. All test files share it: read only! */
export function sharedReal(target: Target): Promise<TestDatabase> {
  return target.sharedDatabase(real())
}

/** The same for who grants rights in it or adds to it: a copy, except where databases are not copied, on MySQL and MariaDB, where all share one. */
export function copyOfReal(target: Target): Promise<TestDatabase> {
  return target.copyOf === undefined ? sharedReal(target) : target.copyOf(real())
}

function real(): Template {
  const key = `real_${fixtureDigest(SOURCES.map((name) => new URL(name, import.meta.url)))}`
  return { key, fill: (database) => loadReal(database) }
}

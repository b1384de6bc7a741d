import { fixtureDigest } from './killbill-fixture.ts'
import { loadReal } from './load-killbill.ts'
import type { Target, TestDatabase } from './test-database.ts'

const SOURCES = ['killbill-schema.ts', 'load-killbill.ts', 'killbill-fixture.ts', 'sql-literals.ts']

/**
 * A database with the recorded tenants alpha and beta, loaded once per machine. Treat it as read only: on MySQL and MariaDB all test
 * files share one.
 */
export function sharedReal(target: Target): Promise<TestDatabase> {
  const key = `real_${fixtureDigest(SOURCES.map((name) => new URL(name, import.meta.url)))}`
  return target.fromTemplate({ key, fill: (database) => loadReal(database) })
}

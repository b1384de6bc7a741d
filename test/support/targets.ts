import { afterAll, describe, inject } from 'vitest'
import { mysqlTarget } from './target-mysql.ts'
import { pgliteTarget } from './target-pglite.ts'
import type { TargetName, TargetPlace } from './target-places.ts'
import { postgresTarget } from './target-postgres.ts'
import type { Target, TestDatabase } from './test-database.ts'

export type { TargetName } from './target-places.ts'
export type { Target, Template, TestDatabase } from './test-database.ts'

/**
 * One `describe` per database at hand, the databases made inside dropped at its end. `only` narrows to the targets that a case
 * is about.
 */
export function describeTargets(
  name: string,
  define: (target: Target) => void,
  options: { readonly only?: readonly TargetName[] } = {},
): void {
  const { only } = options
  for (const target of targets().filter((candidate) => only === undefined || only.includes(candidate.name))) {
    describe(`${name} [${target.name}]`, () => {
      const created: TestDatabase[] = []
      const keep = (database: TestDatabase) => {
        created.push(database)
        return database
      }
      afterAll(async () => {
        await Promise.all(created.splice(0).map((database) => database.drop()))
      })
      define({
        ...target,
        createDatabase: async () => keep(await target.createDatabase()),
        fromTemplate: async (template) => keep(await target.fromTemplate(template)),
      })
    })
  }
}

/** Every target at hand; whoever calls this drops the databases it makes. */
export function targets(): readonly Target[] {
  return inject('targetPlaces').map(targetAt)
}

function targetAt({ name, url }: TargetPlace): Target {
  switch (name) {
    case 'pglite':
      return pgliteTarget
    case 'postgres':
      return postgresTarget(url)
    case 'mariadb':
    case 'mysql':
      return mysqlTarget(name, url)
  }
}

import { afterAll, describe, inject, it } from 'vitest'
import { mysqlTarget } from './target-mysql.ts'
import { pgliteTarget } from './target-pglite.ts'
import type { TargetName, TargetPlace } from './target-places.ts'
import { postgresTarget } from './target-postgres.ts'
import type { Target, TestDatabase } from './test-database.ts'

export type { TargetName } from './target-places.ts'
export type { Target, Template, TestDatabase } from './test-database.ts'

/** Which of the databases at hand a case runs on. */
interface Choice {
  readonly only?: readonly TargetName[]
  /** PGlite, whose engine is PostgreSQL's, stands in where that is not at hand: for cases whose point is the data. */
  readonly pglite?: 'stand-in'
}

/** One `describe` per database at hand, the databases made inside dropped at its end. */
export function describeTargets(name: string, define: (target: Target) => void, choice: Choice = {}): void {
  const chosenTargets = chosen(choice)
  // A file without any test would count as broken.
  if (chosenTargets.length === 0) describe.skip(`${name} [no such database]`, () => it('runs where it is at hand', () => {}))
  for (const target of chosenTargets) {
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

function chosen({ only, pglite }: Choice): readonly Target[] {
  const atHand = targets().filter((target) => only === undefined || only.includes(target.name))
  const hasPostgres = atHand.some(({ name }) => name === 'postgres')
  return atHand.filter(({ name }) => !(name === 'pglite' && pglite === 'stand-in' && hasPostgres))
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

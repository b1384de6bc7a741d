import { afterAll, describe, inject, it } from 'vitest'
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
  describeOn(
    targets().filter((target) => only === undefined || only.includes(target.name)),
    name,
    define,
  )
}

/** One `describe` on PostgreSQL: a server if one is at hand, otherwise PGlite. */
export function onPostgres(name: string, define: (target: Target) => void): void {
  const chosen = engines().filter((target) => target.name === 'postgres' || target.name === 'pglite')
  describeOn(chosen, name, define)
}

/** One `describe` for each chosen database. The databases made inside are dropped at its end. */
export function describeOn(chosen: readonly Target[], name: string, define: (target: Target) => void): void {
  // A file without any test would count as broken.
  if (chosen.length === 0) describe.skip(`${name} [no such database]`, () => it('runs where it is at hand', () => {}))
  for (const target of chosen) {
    describe(`${name} [${target.name}]`, () => {
      const created: TestDatabase[] = []
      const keep = (database: TestDatabase) => {
        created.push(database)
        return database
      }
      afterAll(async () => {
        await Promise.all(created.splice(0).map((database) => database.drop()))
      })
      const { copyOf } = target
      define({
        ...target,
        createDatabase: async () => keep(await target.createDatabase()),
        sharedDatabase: async (template) => keep(await target.sharedDatabase(template)),
        ...(copyOf === undefined ? {} : { copyOf: async (template) => keep(await copyOf(template)) }),
      })
    })
  }
}

/** One target per engine at hand. The caller drops the databases it makes. */
export function engines(): readonly Target[] {
  const atHand = targets()
  const hasPostgres = atHand.some((target) => target.name === 'postgres')
  return atHand.filter((target) => !(hasPostgres && target.name === 'pglite'))
}

/** Whether a target gets the cases of the first engine. */
export function isFirst({ name, actsAsFirst }: Target): boolean {
  return actsAsFirst ?? name === engines()[0]?.name
}

/** Every target at hand. The caller drops the databases it makes. */
export function targets(): readonly Target[] {
  return inject('targetPlaces').map(targetAt)
}

const known = new Map<TargetName, Target>()

/** The same one each time: what is shared is kept open by it. */
function targetAt(place: TargetPlace): Target {
  const target = known.get(place.name) ?? openTarget(place)
  known.set(place.name, target)
  return target
}

function openTarget({ name, url }: TargetPlace): Target {
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

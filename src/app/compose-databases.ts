import { type LakeDatabase, snapshotOf } from '../cache/lake/databases/database.ts'
import { trinoWritePrivileges } from '../databases/trino/privileges.ts'
import { heldOnlyRefusal } from '../execution/session/held-session.ts'
import type { Executor } from '../ports/executor.ts'
import type { Snapshot } from '../ports/snapshot.ts'
import type { Config } from './config/config.ts'
import { placeOfDatabase } from './config/lake-databases.ts'

/** The names and schemas of several databases. Undefined: there is one, in `database.url`. */
export function databasePlaces({ database, lake }: Config): readonly Pick<LakeDatabase, 'name' | 'place'>[] | undefined {
  return lake.databases?.map((table) => ({ name: table.name, place: placeOfDatabase(table, database) }))
}

/** An executor that reads the tables of each database apart. A statement that names no database is refused: it would read one of them. */
export function apartFrom(executor: Executor, databases: readonly Pick<LakeDatabase, 'name' | 'place'>[]): Executor {
  return {
    dialect: executor.dialect,
    variant: executor.variant,
    withSnapshot: (work, options) => executor.withSnapshot((snapshot) => work(refusing(snapshot)), options),
    state: async () => ({
      ...(await executor.state()),
      schema: databases.map(({ place }) => `${place.catalog}.${place.schema}`).join(', '),
    }),
    async writePrivileges(tables) {
      const found: string[] = []
      for (const database of databases) {
        const own = await executor.withSnapshot((snapshot) => trinoWritePrivileges(snapshotOf(snapshot, database), tables))
        found.push(...own.map((right) => `${database.name}: ${right}`))
      }
      return found
    },
    tableSizes: (snapshot, tables) => executor.tableSizes(snapshot, tables),
    load: () => executor.load(),
    close: () => executor.close(),
  }
}

function refusing(snapshot: Snapshot): Snapshot {
  const checked = (statement: Parameters<Snapshot['query']>[0]) => {
    if (statement.place === undefined) throw heldOnlyRefusal()
    return statement
  }
  return {
    ...snapshot,
    query: async (statement) => snapshot.query(checked(statement)),
    async *stream(statement) {
      yield* snapshot.stream(checked(statement))
    },
  }
}

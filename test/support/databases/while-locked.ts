import type { TestDatabase } from './test-database.ts'

/** Runs while another session holds the accounts, so that every reader of them waits. */
export async function whileLocked<T>(database: TestDatabase, work: () => Promise<T>): Promise<T> {
  const isPostgres = database.dialect.name === 'postgres'
  await database.adminQuery(isPostgres ? 'begin; lock table accounts in access exclusive mode' : 'lock tables accounts write')
  try {
    return await work()
  } finally {
    await database.adminQuery(isPostgres ? 'rollback' : 'unlock tables')
  }
}

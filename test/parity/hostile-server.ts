import type { Engine } from '../../src/engine/contract.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import type { ServerPrograms } from '../support/databases/servers/find-programs.ts'
import { startMariadb } from '../support/databases/servers/start-mariadb.ts'
import { startMysql } from '../support/databases/servers/start-mysql.ts'
import { mysqlTarget } from '../support/databases/target-mysql.ts'
import type { Target, TestDatabase } from '../support/databases/test-database.ts'
import { type CountedCache, cachedEngineOver } from '../support/product/counted-cache.ts'
import { type EngineOptions, engineOver, ratesOnly } from '../support/product/recorded-engine.ts'
import { bodyOf, everyMetric, type Question } from './every-metric.ts'
import type { HostileServer } from './hostile-settings.ts'

/** The questions to every hostile database. */
export const HOSTILE_QUESTIONS: readonly Question[] = everyMetric({ start: '2023-11-01', end: '2024-05-10' })

const OPTIONS: Omit<EngineOptions, 'store' | 'settings'> = {
  tenant: ['all'],
  now: new Date('2024-05-20T12:00:00Z'),
  definitions: { allow_unpriced: true },
}

/** A database with the history that all of these tests read. */
export async function historyOn(target: Target): Promise<TestDatabase> {
  return (await fillDatabase(target, generatedHistory(7, 25))).database
}

/** The engine over such a database, as whom the address names. */
export async function engineAs(database: TestDatabase, url: string): Promise<Engine> {
  return engineOver(database, { ...OPTIONS, store: await ratesOnly(RATES_CSV), settings: { url } })
}

/** The same with a cache. */
export async function cachedEngineAs(database: TestDatabase, url: string): Promise<{ engine: Engine; cache: CountedCache }> {
  return cachedEngineOver(database, { ...OPTIONS, store: await ratesOnly(RATES_CSV), settings: { url } })
}

/** The answers to the questions, by their names. */
export async function answersOf(engine: Engine, questions: readonly Question[]): Promise<Readonly<Record<string, string>>> {
  const answers: Record<string, string> = {}
  for (const { name, ask } of questions) answers[name] = bodyOf(await ask(engine))
  return answers
}

/** A server with the history, whose settings a test chooses. */
export interface OwnHostileServer {
  readonly database: TestDatabase
  /** Address of a role that may read and is no administrator. */
  readonly reader: string
  /** Names of the switches of the optimizer, each with whether it is on. */
  switches(): Promise<ReadonlyMap<string, boolean>>
  /** Runs `work` while new sessions begin with these settings. */
  under<T>(hostile: HostileServer, work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Starts one from the programs of MySQL or MariaDB. */
export async function startHostile(name: 'mysql' | 'mariadb', programs: ServerPrograms): Promise<OwnHostileServer> {
  const { mysql, mariadb } = programs
  const server = await (name === 'mysql' ? startMysql(needed(mysql)) : startMariadb(needed(mariadb), []))
  try {
    const database = await historyOn(mysqlTarget(name, server.url))
    const url = new URL(database.url)
    await database.adminQuery("create user hostile_reader@'%' identified by 'hostile'")
    await database.adminQuery(`grant select on ${url.pathname.slice(1)}.* to hostile_reader@'%'`)
    url.username = 'hostile_reader'
    url.password = 'hostile'
    return {
      database,
      reader: url.href,
      async switches() {
        const [row] = await database.adminQuery('select @@global.optimizer_switch as switches')
        const pairs = String(row?.['switches']).split(',')
        return new Map(pairs.map((pair) => [pair.split('=')[0] ?? '', pair.endsWith('=on')]))
      },
      async under({ global, atConnect }, work) {
        for (const [setting, value] of Object.entries(global)) await database.adminQuery(`set global ${setting} = ${value}`)
        await database.adminQuery('set global init_connect = ?', [atConnect.join('; ')])
        try {
          return await work()
        } finally {
          await database.adminQuery("set global init_connect = ''")
          for (const setting of Object.keys(global)) await database.adminQuery(`set global ${setting} = default`)
        }
      },
      async close() {
        await database.drop()
        await server.close()
      },
    }
  } catch (error) {
    await server.close()
    throw error
  }
}

function needed<T>(programs: T | undefined): T {
  if (programs === undefined) throw new Error('the programs of this server are not at hand')
  return programs
}

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import pg from 'pg'

// biome-ignore lint/style/noProcessEnv: where the test databases are
const { TEST_POSTGRES_URL, TEST_MARIADB_URL, TEST_MYSQL_URL } = process.env
const POSTGRES = TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const MYSQL = TEST_MARIADB_URL ?? TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/'

/** An empty place for a side store. */
export interface StorePlace {
  readonly kind: 'postgres' | 'mysql' | 'embedded'
  readonly url: string
  readonly baseDirectory: string
  /** Runs a statement beside the store; rows as the driver gives them. Servers only. */
  query(text: string): Promise<readonly Record<string, unknown>[]>
  remove(): Promise<void>
}

/** A fresh PostgreSQL database. */
export async function postgresPlace(): Promise<StorePlace> {
  const database = randomName()
  await onPostgres(POSTGRES, `create database ${database}`)
  const url = withPath(POSTGRES, database)
  const remove = async () => void (await onPostgres(POSTGRES, `drop database ${database} with (force)`))
  return { kind: 'postgres', url, baseDirectory: '/', query: (text) => onPostgres(url, text), remove }
}

/** A fresh MariaDB or MySQL database whose defaults are not the store's. */
export async function mysqlPlace(): Promise<StorePlace> {
  const database = randomName()
  await onMysql(MYSQL, `create database ${database} character set latin1 collate latin1_swedish_ci`)
  const url = withPath(MYSQL, database)
  const remove = async () => void (await onMysql(MYSQL, `drop database ${database}`))
  return { kind: 'mysql', url, baseDirectory: '/', query: (text) => onMysql(url, text), remove }
}

/** A directory that does not exist yet. */
export async function embeddedPlace(): Promise<StorePlace> {
  const baseDirectory = await mkdtemp(join(tmpdir(), 'plumbline-store-'))
  const query = async () => {
    throw new Error('an embedded store has no second connection')
  }
  const remove = () => rm(baseDirectory, { recursive: true, force: true })
  return { kind: 'embedded', url: 'pglite:./deep/data', baseDirectory, query, remove }
}

function randomName(): string {
  return `pl_${randomBytes(6).toString('hex')}`
}

function withPath(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

async function onPostgres(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

async function onMysql(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const connection = await mysql.createConnection(url)
  try {
    const [rows] = await connection.query(text)
    return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : []
  } finally {
    await connection.end()
  }
}

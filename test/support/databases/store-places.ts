import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { inject } from 'vitest'
import type { Workspace } from '../../../src/core/workspace.ts'
import type { Store, WorkspaceStore } from '../../../src/ports/store.ts'
import { isInTurn } from './rotation.ts'
import type { TargetName } from './target-places.ts'

/** An empty place for a side store. */
export interface StorePlace {
  readonly url: string
  readonly baseDirectory: string
  /** Runs a statement in the store's database. Rows as the driver gives them. Servers only. */
  query(text: string): Promise<readonly Record<string, unknown>[]>
  remove(): Promise<void>
}

/** The workspace of tests that need just one. */
export const WORKSPACE: Workspace = { name: 'test', source_ids: ['s1'] }

/** A workspace's part of a store. */
export function ownedIn(store: Store, workspace: Workspace = WORKSPACE): WorkspaceStore {
  const owned = store.inWorkspace?.(workspace)
  if (owned === undefined) throw new Error('the store has no workspaces')
  return owned
}

type MakePlace = () => Promise<StorePlace>
type StoreServer = Exclude<TargetName, 'pglite'>
type PlaceKind = StoreServer | 'sqlite'
/** On PGlite, as on sqlite, the embedded store. */
export type StoreKind = PlaceKind | 'pglite'

export const STORE_SERVERS: readonly StoreServer[] = ['postgres', 'mariadb', 'mysql']

/** Those of `kinds` at hand, each with what makes an empty place there; sqlite, the embedded store, always is. */
export function storePlaces(kinds: readonly PlaceKind[]): readonly (readonly [PlaceKind, MakePlace])[] {
  const isAtHand = (kind: PlaceKind) => kind === 'sqlite' || inject('targetPlaces').some(({ name }) => name === kind)
  return kinds.filter(isAtHand).map((kind) => [kind, () => storePlace(kind)])
}

/**
 * The same of the embedded store and of one server, which turns, for cases that are about more than what a store keeps: that every store
 * keeps it is shown by `store`.
 */
export function storePlacesInTurn(kinds: readonly PlaceKind[]): readonly (readonly [PlaceKind, MakePlace])[] {
  const places = storePlaces(kinds)
  const servers = places.filter(([kind]) => kind !== 'sqlite')
  return [...places.filter(([kind]) => kind === 'sqlite'), ...servers.filter((_, index) => isInTurn(index, servers.length))]
}

/** An empty place on the server of a target, which must be at hand, or in a directory. */
export function storePlace(kind: StoreKind): Promise<StorePlace> {
  if (kind === 'sqlite' || kind === 'pglite') return embeddedPlace()
  const server = inject('targetPlaces').find((place) => place.name === kind)
  if (server === undefined) throw new Error(`there is no ${kind} here`)
  return kind === 'postgres' ? postgresPlace(server.url) : mysqlPlace(server.url)
}

/** A fresh database with the schema of the store yet to be made. */
async function postgresPlace(server: string): Promise<StorePlace> {
  const database = randomName()
  await onPostgres(server, `create database ${database}`)
  const url = withPath(server, database)
  const remove = async () => void (await onPostgres(server, `drop database ${database} with (force)`))
  return { url, baseDirectory: '/', query: (text) => onPostgres(url, text), remove }
}

/** A fresh database whose defaults are not the store's. */
async function mysqlPlace(server: string): Promise<StorePlace> {
  const database = randomName()
  await onMysql(server, `create database ${database} character set latin1 collate latin1_swedish_ci`)
  const url = withPath(server, database)
  const remove = async () => void (await onMysql(server, `drop database ${database}`))
  return { url, baseDirectory: '/', query: (text) => onMysql(url, text), remove }
}

/** A directory that does not exist yet. */
export async function embeddedPlace(): Promise<StorePlace> {
  const baseDirectory = await mkdtemp(join(tmpdir(), 'plumbline-store-'))
  const query = async () => {
    throw new Error('an embedded store has no second connection')
  }
  const remove = () => rm(baseDirectory, { recursive: true, force: true })
  return { url: 'sqlite:./deep/data/store.db', baseDirectory, query, remove }
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

import { randomBytes } from 'node:crypto'
import { digits, type Fragment, fn, ident, sql, value } from '../../connector-kit/query-runner.ts'
import { AppError, ConfigurationError } from '../../core/errors.ts'
import type { Executor } from '../../ports/executor.ts'
import type { Row } from '../../ports/rows.ts'
import { type Opening, packOpening, unpackOpening } from './opening.ts'
import { isIceberg, type LakePlace, runIn, tableIn } from './place.ts'
import { tableOf } from './steps-as-tables.ts'

/** A complete set of held tables for one instant. */
export interface Publication {
  /** `p<seconds since 1970>_<four hexadecimal digits>`. The names of its tables begin with it. */
  readonly id: string
  /** By the clock of the writer's machine. */
  readonly made_at: string
  /** Seconds that it took to make it. */
  readonly seconds?: number
  /** The instant for which the rows are right. */
  readonly now: string
  /** The instant up to which the billing tables were surely complete. Null: nobody knows. */
  readonly data_through: string | null
  /** A digest of the program, the settings and the definitions that made the rows. */
  readonly header: string
  /** `sessionDigest` of the session that made the rows. */
  readonly session: string
  /** The Iceberg snapshot of each billing table. Null: none. */
  readonly versions: Readonly<Record<string, string | null>>
  /** Rows of each held relation. */
  readonly rows: Readonly<Record<string, number>>
}

/**
 * The table of the publications. A row is added for each sign of life of a writer, and one when its publication is complete. So a reader sees a whole
 * publication or none of it.
 */
const STATE = 'plumbline_publications'
/** A writer that was silent for this long is given up. */
const SILENCE_SECONDS = 300
/** Characters of an opening in one row. */
const PART = 500_000

/** The id of a new publication. */
export function newId(at: Date): string {
  return `p${Math.floor(at.getTime() / 1000)}_${randomBytes(2).toString('hex')}`
}

const ID = /^p\d+_[0-9a-f]{4}$/
/** The names of tables that belong to publications. */
const OF_PUBLICATION = /^(p\d+_[0-9a-f]{4})_(?:\d+_)?(?:raw|inline|step|held|opening)(?:_|$)/

/** The publications in a schema. */
export interface Publications {
  /** Complete ones, that of the latest instant first. Empty if there is no table of publications. */
  list(): Promise<readonly Publication[]>
  openingOf(id: string): Promise<Opening>
}

/** The publications in a schema, for their writer. */
export interface PublicationWriter extends Publications {
  /** Creates the schema and the table of publications if they are missing. */
  prepare(): Promise<void>
  /** Takes part as a writer. AppError `conflict` if another one is at work. */
  begin(id: string, name: string): Promise<void>
  /** A sign of life. */
  beat(id: string, name: string): Promise<void>
  /**
   * Shows a publication to all readers at once. AppError `conflict` if another writer has removed its tables meanwhile, or has published a later
   * instant.
   */
  complete(publication: Publication, opening: Opening): Promise<void>
  /** Removes the tables of a publication, and what the table of publications says of it. */
  remove(id: string): Promise<void>
  /** Removes the signs of life of this publication, and joins the files of the table of publications. */
  tidy(id: string): Promise<void>
  /** Removes these tables. */
  drop(tables: readonly string[]): Promise<void>
  /** The publications of which there are tables, and nobody works on them any more. */
  abandoned(): Promise<readonly string[]>
}

/** The publications in a schema. `executor` writes if its caller does. */
export function createPublications(executor: Pick<Executor, 'withSnapshot'>, place: LakePlace): PublicationWriter {
  const state = tableIn(place, STATE)
  const run = (label: string, statement: Fragment): Promise<readonly Row[]> =>
    executor.withSnapshot((snapshot) => runIn(snapshot, label, statement))
  const add = (id: string, kind: 'running' | 'complete', content: string) =>
    run(
      kind,
      sql`insert into ${state} (id, kind, at, content)
values (${value(id, 'text')}, ${value(kind, 'text')}, cast(current_timestamp at time zone 'UTC' as timestamp(6)), ${value(content, 'text')})`,
    )
  const tables = async (): Promise<readonly string[]> => {
    const rows = await run(
      'tables',
      sql`select table_name from ${ident(place.catalog)}.information_schema.tables where table_schema = ${value(place.schema, 'text')}`,
    )
    return rows.map((row) => String(row['table_name']))
  }
  /** Writers at work: the newest sign of life of each, the one that began first at the beginning. */
  const working = () =>
    run(
      'working',
      sql`select seen.id, max_by(seen.content, seen.at) as name, min(seen.at) as began_at from ${state} as seen
group by seen.id
having count_if(seen.kind = 'complete') = 0
  and ${fn('add_seconds', sql`max(seen.at)`, digits(SILENCE_SECONDS))} > cast(current_timestamp at time zone 'UTC' as timestamp(6))
order by min(seen.at), seen.id`,
    )
  const isThere = async () => (await tables()).includes(STATE)

  const self: PublicationWriter = {
    async list() {
      if (!(await isThere())) return []
      const rows = await run('publications', sql`select content from ${state} where kind = 'complete'`)
      const found = rows.map((row) => JSON.parse(String(row['content'])) as Publication)
      // The id becomes a part of names of tables. A writer that was slow may complete after one that began later.
      return found.filter(({ id }) => ID.test(id)).sort(laterFirst)
    },
    async openingOf(id) {
      const rows = await run('opening', sql`select content from ${tableIn(place, tableOf(id, 'opening'))} order by part`)
      return unpackOpening(rows.map((row) => String(row['content'])).join(''))
    },
    async prepare() {
      if (!(await executor.withSnapshot((snapshot) => isIceberg(snapshot, place))))
        throw new ConfigurationError([
          `lake.schema: the catalog ${place.catalog} of Trino is not Iceberg, so it cannot hold publications`,
        ])
      const [known] = await run(
        'schema',
        sql`select schema_name from ${ident(place.catalog)}.information_schema.schemata where schema_name = ${value(place.schema, 'text')}`,
      )
      if (known === undefined)
        await run('schema', sql`create schema if not exists ${ident(place.catalog)}.${ident(place.schema)}`)
      if (await isThere()) return
      await run('state', sql`create table if not exists ${state} (id varchar, kind varchar, at timestamp(6), content varchar)`)
    },
    async begin(id, name) {
      await add(id, 'running', name)
      const [first] = await working()
      if (first === undefined || first['id'] === id) return
      const text = `Another writer publishes at the moment: ${String(first['name'])}, since ${String(first['began_at'])}. A writer that is silent for ${SILENCE_SECONDS / 60} minutes is given up.`
      throw new AppError('conflict', text)
    },
    async beat(id, name) {
      await add(id, 'running', name)
    },
    async complete(publication, opening) {
      const packed = packOpening(opening)
      const table = tableIn(place, tableOf(publication.id, 'opening'))
      await run('opening', sql`create table ${table} (part bigint, content varchar)`)
      for (let part = 0; part * PART < packed.length; part += 1) {
        const content = packed.slice(part * PART, (part + 1) * PART)
        await run(
          'opening',
          sql`insert into ${table} (part, content) values (${value(part, 'integer')}, ${value(content, 'text')})`,
        )
      }
      const there = new Set(await tables())
      const gone = Object.keys(publication.rows).filter((relation) => !there.has(tableOf(publication.id, 'held', relation)))
      if (gone.length > 0) {
        const text = `Another writer has removed tables of ${publication.id}, because its writer was silent for too long: ${gone.join(', ')}.`
        throw new AppError('conflict', text)
      }
      const later = (await self.list()).find(({ header, now }) => header === publication.header && now > publication.now)
      if (later !== undefined) {
        const text = `Another writer has published ${later.id}, which shows a later instant (${later.now}) than ${publication.id} (${publication.now}).`
        throw new AppError('conflict', text)
      }
      await add(publication.id, 'complete', JSON.stringify(publication))
    },
    async remove(id) {
      // A reader that begins now must not choose it.
      await run('remove', sql`delete from ${state} where id = ${value(id, 'text')}`)
      await self.drop((await tables()).filter((table) => OF_PUBLICATION.exec(table)?.[1] === id))
    },
    async tidy(id) {
      await run('quiet', sql`delete from ${state} where id = ${value(id, 'text')} and kind = 'running'`)
      await run('join', sql`alter table ${state} execute optimize`)
      await run('expire', sql`alter table ${state} execute expire_snapshots(retention_threshold => '7d')`)
    },
    async drop(names) {
      for (const name of names) await run('drop', sql`drop table if exists ${tableIn(place, name)}`)
    },
    async abandoned() {
      const kept = new Set([...(await working()).map(({ id }) => id), ...(await self.list()).map(({ id }) => id)])
      const found = (await tables()).flatMap((table) => OF_PUBLICATION.exec(table)?.[1] ?? [])
      const stated = await run('stated', sql`select distinct id from ${state}`)
      return [...new Set([...found, ...stated.map(({ id }) => String(id))])].filter((id) => !kept.has(id))
    },
  }
  return self
}

function laterFirst(a: Publication, b: Publication): number {
  const keyOf = ({ now, made_at, id }: Publication) => `${now} ${made_at} ${id}`
  return keyOf(a) < keyOf(b) ? 1 : -1
}

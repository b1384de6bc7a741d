import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { postgres as dialect } from '../../../src/compiler/dialects/postgres.ts'
import { createPgliteExecutor } from '../../../src/databases/pglite.ts'
import { EXACT_PARSERS } from '../../../src/databases/postgres/types.ts'
import type { Row } from '../../../src/ports/rows.ts'
import { keptOpen, MODEST, type Target, type Template, type TestDatabase, trackExecutors } from './test-database.ts'

const CACHE = new URL('../../../node_modules/.cache/plumbline', import.meta.url).pathname
const parsers = EXACT_PARSERS

// Starting from an archive is several times quicker than making a new data directory.
const EMPTY: Template = { key: 'empty', fill: async () => {} }

// Emptied databases for the next caller: a new one takes seconds to start.
const spare: PGlite[] = []

const CLEAR = `
  do $$ declare name text; begin
    for name in select nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' loop
      execute format('drop schema %I cascade', name);
    end loop;
  end $$;
  create schema public authorization pg_database_owner;
  grant usage on schema public to public`

/** PGlite databases in the memory of the test's process; filled ones are kept as an archive of the data directory. */
export const pgliteTarget: Target = {
  name: 'pglite',
  dialect,
  async createDatabase() {
    const engine = spare.pop() ?? (await fromArchive(EMPTY))
    return open(engine, async () => {
      if (spare.includes(engine)) return
      await engine.exec(CLEAR)
      // On its own, as it refuses to be one of several.
      await engine.exec('discard all')
      spare.push(engine)
    })
  },
  sharedDatabase: keptOpen(async (template) => own(await fromArchive(template))),
  copyOf: async (template) => own(await fromArchive(template)),
}

/** A database in a directory, for programs that open it there. The caller closes it. */
export async function pgliteOn(dataDir: string): Promise<PGlite> {
  const archive = await archiveOf(EMPTY)
  if (!existsSync(archive)) await (await fromArchive(EMPTY)).close()
  return PGlite.create({ dataDir, parsers, loadDataDir: new Blob([await readFile(archive)]) })
}

async function archiveOf({ key }: Template): Promise<string> {
  return join(CACHE, `${key}-${await engineVersion()}.tar`)
}

async function fromArchive(template: Template): Promise<PGlite> {
  const archive = await archiveOf(template)
  if (existsSync(archive)) return PGlite.create({ parsers, loadDataDir: new Blob([await readFile(archive)]) })
  const engine = await PGlite.create({ parsers })
  await template.fill(own(engine))
  await engine.exec('analyze')
  const dump = await engine.dumpDataDir('none')
  await mkdir(CACHE, { recursive: true })
  // Under another name first: a second process must never read half an archive.
  const draft = `${archive}.${randomBytes(4).toString('hex')}`
  await writeFile(draft, Buffer.from(await dump.arrayBuffer()))
  await rename(draft, archive)
  return engine
}

// A data directory fits the version that wrote it.
async function engineVersion(): Promise<string> {
  const manifest = await readFile(new URL('../../../node_modules/@electric-sql/pglite/package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

function own(engine: PGlite): TestDatabase {
  return open(engine, () => engine.close())
}

function open(engine: PGlite, leave: () => Promise<void>): TestDatabase {
  const executors = trackExecutors((settings) => createPgliteExecutor({ database: engine, dialect, ...MODEST, ...settings }))
  return {
    target: 'pglite',
    dialect,
    url: 'pglite:',
    executor: executors.executor,
    async adminQuery(sql, values) {
      if (values !== undefined) return (await engine.query<Row>(sql, [...values])).rows
      return ((await engine.exec(sql)).at(-1)?.rows ?? []) as Row[]
    },
    async drop() {
      await executors.closeAll()
      await leave()
    },
  }
}

import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { createTable } from '../../src/cache/held/held-tables.ts'
import { readRows } from '../../src/cache/mirror/copy-rows.ts'
import { duckdb } from '../../src/compiler/dialects/duckdb.ts'
import { type Customers, customersIn, type RawTable } from '../../src/connector-kit/mirror-source.ts'
import { sql, statementOf } from '../../src/connector-kit/query-runner.ts'
import { openDuckdb } from '../../src/databases/duckdb/duckdb.ts'
import { describeTargets } from '../support/databases/targets.ts'

/** The first row has a carriage return, because the reader of files looks for the end of lines there. */
const TEXTS = [
  'a\rb',
  'a\r\nb',
  'a\nb',
  '"quoted", with a comma',
  '\\.',
  '\\N',
  'NULL',
  '',
  ' blanks ',
  "it's é",
  'tab\tbed',
  '\\"',
]

/** Texts that begin with a byte order mark. The embedded database drops it. */
const MARKED = ['\uFEFFa', '\uFEFF']

const TABLE: RawTable = {
  name: 'texts',
  columns: [
    { name: 'record_id', type: 'integer' },
    { name: 'content', type: 'text' },
  ],
  select: (customers) =>
    sql`select t.record_id, t.content from texts as t where ${customersIn(sql`t.record_id`, customers, 'integer')} order by t.record_id`,
}

describeTargets('raw rows of any text', (target) => {
  it('arrive unchanged, through a file and through memory, for thousands of keys', async () => {
    const texts = target.name === 'pglite' ? TEXTS : [...TEXTS, ...MARKED]
    const database = await target.createDatabase()
    const mirror = await openDuckdb({ dialect: duckdb, memoryMb: 100, directory: tmpdir() })
    try {
      await database.adminQuery('create table texts (record_id integer primary key, content varchar(100))')
      const isMysql = target.name !== 'postgres' && target.name !== 'pglite'
      for (const [index, text] of texts.entries()) {
        const literal = `'${text.replaceAll("'", "''")}'`
        // MySQL reads backslashes in literals.
        await database.adminQuery(`insert into texts values (${index}, ${isMysql ? literal.replaceAll('\\', '\\\\') : literal})`)
      }
      await database.adminQuery(`insert into texts values (${texts.length}, null)`)
      const keys = Array.from({ length: 3_000 }, (_, index) => String(index))
      const range = { from: '0', through: String(texts.length) }
      const kinds: readonly Customers[] = ['all', { keys }, { keys: keys.slice(100), range }, { keys: keys.slice(0, 100) }]
      for (const customers of kinds) {
        const read = await database
          .executor()
          .withSnapshot((snapshot) => readRows(snapshot, [TABLE], customers, mirror.directory))
        const rows = await mirror.write(async (writer) => {
          await writer.query(statementOf(sql`drop table if exists work.texts`, duckdb, 'test'))
          await writer.query(statementOf(createTable(sql`work.texts`, TABLE.columns, duckdb), duckdb, 'test'))
          await read.load(writer)
          return writer.query(statementOf(sql`select content from work.texts order by record_id`, duckdb, 'test'))
        })
        expect(rows.map((row) => row['content'])).toEqual([...texts, null])
      }
    } finally {
      await mirror.close()
    }
  })
})

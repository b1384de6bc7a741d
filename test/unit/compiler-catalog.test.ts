import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { loadCatalog } from '../../src/compiler/catalog.ts'
import { packageRoot } from '../../src/core/package-root.ts'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** A catalog of these files; `sql/` is the product's folder, `connector/` a connector's, `other/` another's. */
function load(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'catalog-'))
  folders.push(root)
  for (const folder of ['sql/relations', 'sql/metrics', 'connector', 'other']) mkdirSync(join(root, folder), { recursive: true })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return loadCatalog({ sql: join(root, 'sql'), relations: [join(root, 'connector'), join(root, 'other')] })
}

const query = (name: string, body: string) => `-- metric: m\n-- query: ${name}\n-- unsliced\n${body}`

describe('loadCatalog', () => {
  it('finds queries and relations and prefers the variant of the dialect', () => {
    const catalog = load({
      'sql/relations/one.sql': '-- relation: one\nselect 1 as x',
      'connector/two.sql': '-- relation: two\nselect 2 as x',
      'connector/two.mysql.sql': '-- relation: two\nselect 22 as x',
      'sql/metrics/m/q.sql': query('q', 'select 1 as x'),
    })
    expect(catalog.relations()).toEqual(['one', 'two'])
    expect(catalog.queries()).toEqual([{ metric: 'm', query: 'q' }])
    expect(catalog.relation('two', 'postgres')?.nodes).toEqual([{ kind: 'text', text: 'select 2 as x' }])
    expect(catalog.relation('two', 'mysql')?.nodes).toEqual([{ kind: 'text', text: 'select 22 as x' }])
    expect(catalog.relation('one', 'mysql')?.nodes).toEqual([{ kind: 'text', text: 'select 1 as x' }])
    expect(catalog.relation('three', 'mysql')).toBeUndefined()
    expect(() => catalog.query('m', 'other', 'postgres')).toThrow('no SQL file for m.other')
    expect(Object.isFrozen(catalog) && Object.isFrozen(catalog.query('m', 'q', 'postgres').nodes)).toBe(true)
  })

  it('reads each file once, because another installation may take the place of this one', () => {
    const catalog = () => loadCatalog({ sql: join(root, 'sql'), relations: [] })
    const root = mkdtempSync(join(tmpdir(), 'catalog-'))
    folders.push(root)
    for (const folder of ['relations', 'metrics']) mkdirSync(join(root, 'sql', folder), { recursive: true })
    const write = (name: string, text: string) => writeFileSync(join(root, 'sql', 'relations', name), text)
    write('one.sql', '-- relation: one\nselect 1 as x')
    const before = catalog()
    write('one.sql', '-- relation: one\nselect 11 as x')
    write('two.sql', '-- relation: two\nselect 2 as x')
    const after = catalog()
    expect(after.relations()).toEqual(['one'])
    expect(after.relation('one', 'postgres')?.nodes).toEqual([{ kind: 'text', text: 'select 1 as x' }])
    expect(after.relation('one', 'postgres')).toBe(before.relation('one', 'postgres'))
  })

  it("a connector's relation replaces the product's, whatever its variants", () => {
    const catalog = load({
      'sql/relations/one.sql': '-- relation: one\nselect 1 as x',
      'sql/relations/one.mysql.sql': '-- relation: one\nselect 11 as x',
      'connector/one.sql': '-- relation: one\nselect 2 as x',
    })
    expect(catalog.relation('one', 'mysql')?.nodes).toEqual([{ kind: 'text', text: 'select 2 as x' }])
    expect(catalog.relations()).toEqual(['one'])
  })

  const failures: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
    [
      'a relation in a metric folder',
      { 'sql/metrics/m/one.sql': '-- relation: one\nselect 1 as x' },
      /holds files with `-- metric:`/,
    ],
    ['a query in a relation folder', { 'connector/q.sql': query('q', 'select 1 as x') }, /holds files with `-- relation:` only/],
    [
      'a metric in the wrong folder',
      { 'sql/metrics/n/q.sql': query('q', 'select 1 as x') },
      /folder is named `n` but the header says `metric: m`/,
    ],
    [
      'one relation from two places',
      { 'other/one.sql': '-- relation: one\nselect 1 as x', 'connector/one.sql': '-- relation: one\nselect 1 as x' },
      /already supplies relation\.one/,
    ],
    [
      'a variant alone',
      { 'connector/one.mysql.sql': '-- relation: one\nselect 1 as x' },
      /neutral file of the same name, which is missing/,
    ],
    [
      'relations in a circle',
      {
        'connector/a.sql': '-- relation: a\n-- reads: b\nselect x from relation.b as b',
        'connector/b.sql': '-- relation: b\n-- reads: a\nselect x from relation.a as a',
      },
      /read each other: a → b → a/,
    ],
    [
      'one parameter with two types',
      {
        'connector/a.sql': '-- relation: a\n-- param: p text\nselect :p as x',
        'sql/metrics/m/q.sql':
          '-- metric: m\n-- query: q\n-- reads: a\n-- param: p date\n-- unsliced\nselect :p as x from relation.a as fact',
      },
      /:p is date here and text in .*a\.sql/,
    ],
    [
      'a CTE that would hide a table',
      {
        'connector/a.sql': '-- relation: a\nselect x from tags as tag',
        'sql/metrics/m/q.sql':
          '-- metric: m\n-- query: q\n-- reads: a\n-- unsliced\nwith tags as (select 1 as x) select tags.x from tags join relation.a as fact on true',
      },
      /the CTE tags would hide the table tags/,
    ],
  ]

  it.each(failures)('refuses %s', (_name, files, message) => {
    expect(() => load(files)).toThrow(message)
  })

  it('reports the breaches of all files at once', () => {
    const files = { 'connector/a.sql': '-- relation: b\nselect :p as x', 'connector/c.sql': '-- relation: c\nselect 1;' }
    expect(() => load(files)).toThrow(/a\.sql:1:1:[\s\S]*a\.sql:2:8:[\s\S]*c\.sql:2:9:/)
  })

  it('loads the files of the product', () => {
    const catalog = loadCatalog({
      sql: join(packageRoot(), 'sql'),
      relations: [join(packageRoot(), 'connectors/killbill/relations')],
    })
    expect(catalog.relations()).toContain('mrr_movement')
    // Decision 102: a fence that goes, or comes, changes how long PostgreSQL plans or executes.
    const isFenced = (name: string) => {
      const header = catalog.relation(name, 'postgres')?.header
      return header?.kind === 'relation' && header.fenced
    }
    expect([...catalog.relations()].filter(isFenced).sort()).toEqual(['kb_fact', 'kb_piece', 'usage_mean'])
  })
})

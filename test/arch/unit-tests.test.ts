import { dirname, posix } from 'node:path'
import { expect, it } from 'vitest'
import { importsOf, sourceFiles } from './source-tree.ts'

/** The packages that speak to databases. Plumbline reaches a database through one of them. */
const DRIVERS = ['pg', 'mysql2', 'libsql', 'knex', '@duckdb/node-api', '@electric-sql/pglite', 'testcontainers']

const files = new Map(
  ['src', 'connectors', 'test'].flatMap((folder) => sourceFiles(folder, ['.ts'])).map((file) => [file.path, file]),
)

/** The way of imports from a file to a driver; undefined where there is none. Types are no imports when the tests run. */
function wayToDriver(path: string, seen = new Set<string>()): readonly string[] | undefined {
  const file = files.get(path)
  if (file === undefined || seen.has(path)) return undefined
  seen.add(path)
  for (const { specifier, typeOnly } of importsOf(file)) {
    if (typeOnly) continue
    if (DRIVERS.some((name) => specifier === name || specifier.startsWith(`${name}/`))) return [path, specifier]
    const way = specifier.startsWith('.') ? wayToDriver(posix.join(dirname(path), specifier), seen) : undefined
    if (way !== undefined) return [path, ...way]
  }
  return undefined
}

const tests = [...files.keys()].filter((path) => path.startsWith('test/unit/'))

it('unit tests reach no database: neither a target nor a store nor an executor', () => {
  expect(tests.length).toBeGreaterThan(30)
  expect(tests.flatMap((path) => wayToDriver(path)?.join(' → ') ?? [])).toEqual([])
})

it('other tests do, as this test would find', () => {
  expect(wayToDriver('test/store/rates.test.ts')?.at(-1)).toBe('knex')
  expect(wayToDriver('test/metrics/churn.test.ts')?.at(-1)).toMatch(/^(mysql2|pg|@electric-sql)/)
})

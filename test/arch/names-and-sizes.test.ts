import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importsOf, ROOT, type SourceFile, sourceFiles } from './source-tree.ts'

const TOP_LEVEL = [
  '.ci',
  '.gitignore',
  'CHANGELOG.md',
  'Dockerfile',
  '.dockerignore',
  'LICENSE',
  'README.md',
  'connectors',
  'docs',
  'docker-compose.yml',
  'examples',
  'fixtures',
]
const TOP_LEVEL_CODE = ['package-lock.json', 'package.json', 'sql', 'src', 'test', 'tsconfig.json']
const UNTRACKED = ['.git', '.cache', 'node_modules', 'dist', 'coverage', 'plumbline-data']

/** Written by a program, and as long as the API is. */
const GENERATED = ['src/core/zone-data.ts']

const code = [...sourceFiles('src', ['.ts', '.tsx']), ...sourceFiles('connectors', ['.ts'])].filter(
  ({ path }) => !GENERATED.includes(path),
)
const statements = [...sourceFiles('sql', ['.sql']), ...sourceFiles('connectors', ['.sql'])]

/** The largest share of all files. The aim is 0.25. Types, and programs that a file starts, count as imports. */
const LONELY_SHARE = 0.3

/** The files that import a file, tests too. */
const importersOf = new Map<string, Set<string>>()
for (const file of [...code, ...sourceFiles('test', ['.ts', '.tsx'])])
  for (const specifier of [...importsOf(file).map(({ specifier }) => specifier), ...programsIn(file)]) {
    const path = posix.join(dirname(file.path), specifier)
    if (specifier.startsWith('.')) importersOf.set(path, (importersOf.get(path) ?? new Set()).add(file.path))
  }

/** Programs that a file starts: `threadProgram('sqlite.thread', import.meta.url)`. */
function programsIn({ text }: SourceFile): string[] {
  return [...text.matchAll(/threadProgram\('([^']+)'/g)].map(([, name]) => `./${name}.ts`)
}

describe('names and sizes (docs/development.md)', () => {
  it('the top level holds what it should and nothing else', () => {
    const known = [...TOP_LEVEL, ...TOP_LEVEL_CODE, ...UNTRACKED]
    expect(readdirSync(ROOT).filter((name) => !known.includes(name))).toEqual([])
  })

  it('TypeScript files are kebab-case, SQL files snake_case, and no folder is a drawer', () => {
    const badCode = code.filter((file) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)?\.tsx?$/.test(basename(file.path)))
    const badSql = statements.filter((file) => !/^[a-z0-9_]+(\.(mysql|duckdb))?\.sql$/.test(basename(file.path)))
    const drawers = [...code, ...statements].filter((file) => /(^|\/)(utils?|helpers?|misc|common)(\/|\.)/.test(file.path))
    expect([...badCode, ...badSql, ...drawers].map((file) => file.path)).toEqual([])
  })

  it('no TypeScript file is above 300 lines, no SQL above 120', () => {
    expect(code.filter((file) => file.lines > 300).map((file) => `${file.path}: ${file.lines}`)).toEqual([])
    expect(statements.filter((file) => file.lines > 120).map((file) => `${file.path}: ${file.lines}`)).toEqual([])
  })

  it('a file is what one reads together: few files have one importer and no test', () => {
    // A released migration never changes, and only the list of all imports it.
    const judged = code.filter(({ path }) => !path.includes('/migrations/'))
    const lonely = judged.filter(({ path }) => {
      const importers = [...(importersOf.get(path) ?? [])]
      return importers.length === 1 && !importers[0]?.startsWith('test/')
    })
    expect(lonely.length / judged.length, lonely.map(({ path }) => path).join('\n')).toBeLessThanOrEqual(LONELY_SHARE)
  })

  it('every metric folder has a folder of SQL and the reverse', () => {
    const folders = (path: string) =>
      existsSync(join(ROOT, path))
        ? readdirSync(join(ROOT, path), { withFileTypes: true })
            .filter((entry) => entry.isDirectory())
            .map((entry) => entry.name.replaceAll('-', '_'))
        : []
    expect(
      folders('src/metrics')
        .filter((name) => name !== 'readings')
        .sort(),
    ).toEqual(folders('sql/metrics').sort())
  })
})

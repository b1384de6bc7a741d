import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT, sourceFiles } from './source-tree.ts'

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
const GENERATED = ['src/client/api.ts', 'src/facades/http/openapi/examples.ts']

const code = [...sourceFiles('src', ['.ts', '.tsx']), ...sourceFiles('connectors', ['.ts'])].filter(
  ({ path }) => !GENERATED.includes(path),
)
const statements = [...sourceFiles('sql', ['.sql']), ...sourceFiles('connectors', ['.sql'])]

describe('names and sizes (docs/development.md)', () => {
  it('the top level holds what it should and nothing else', () => {
    const known = [...TOP_LEVEL, ...TOP_LEVEL_CODE, ...UNTRACKED]
    expect(readdirSync(ROOT).filter((name) => !known.includes(name))).toEqual([])
  })

  it('TypeScript files are kebab-case, SQL files snake_case, and no folder is a drawer', () => {
    const badCode = code.filter((file) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)?\.tsx?$/.test(basename(file.path)))
    const badSql = statements.filter((file) => !/^[a-z0-9_]+(\.mysql)?\.sql$/.test(basename(file.path)))
    const drawers = [...code, ...statements].filter((file) => /(^|\/)(utils?|helpers?|misc|common)(\/|\.)/.test(file.path))
    expect([...badCode, ...badSql, ...drawers].map((file) => file.path)).toEqual([])
  })

  it('files are small: median at most 80 lines, none above 300; SQL at most 120', () => {
    const sorted = code.map((file) => file.lines).sort((a, b) => a - b)
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(80)
    expect(code.filter((file) => file.lines > 300).map((file) => `${file.path}: ${file.lines}`)).toEqual([])
    expect(statements.filter((file) => file.lines > 120).map((file) => `${file.path}: ${file.lines}`)).toEqual([])
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

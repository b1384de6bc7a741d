import { dirname, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importsOf, type SourceFile, sourceFiles } from './source-tree.ts'

const sources = [...sourceFiles('src', ['.ts']), ...sourceFiles('connectors', ['.ts'])]

/** What each folder may import besides itself; `!` marks folders of which only the types may be used. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  core: [],
  compiler: ['core'],
  relations: ['core', 'compiler'],
  query: ['core', 'compiler', 'relations', '!engine/ports'],
  'connector-kit': ['core', 'compiler', 'relations', '!engine/ports'],
  metrics: ['core', 'compiler', 'relations', 'query'],
  cache: ['core', 'compiler', 'relations', 'connector-kit', '!engine/ports', '!engine/read-through'],
  engine: ['core', 'compiler', 'relations', 'query', 'metrics', 'connector-kit'],
  executors: ['core', 'compiler', '!engine/ports'],
  store: ['core', '!engine/ports'],
  ingest: ['core', '!engine/ports'],
  http: ['core', 'engine'],
  cli: ['core', 'engine'],
  connectors: ['core', 'connector-kit'],
}

/** Folders above the layers: they wire the parts together. */
const WIRING = ['compose', 'config', 'bin', 'demo', 'cli', 'http']

const PACKAGE_FENCES: Record<string, readonly string[]> = {
  hono: ['src/http/', 'src/bin/serve.ts'],
  '@hono/': ['src/http/', 'src/bin/serve.ts'],
  citty: ['src/cli/'],
  knex: ['src/store/'],
  pg: ['src/executors/'],
  mysql2: ['src/executors/'],
  '@duckdb/': ['src/executors/'],
  '@electric-sql/pglite': ['src/executors/', 'src/store/', 'src/demo/'],
  testcontainers: [],
  vitest: [],
}

function layerOf(path: string): string {
  const parts = path.split('/')
  if (parts[0] === 'connectors') return 'connectors'
  return (parts[1] ?? '').replace(/\.ts$/, '')
}

function target(file: SourceFile, specifier: string): string {
  return posix.normalize(posix.join(dirname(file.path), specifier))
}

function layerBreaches(file: SourceFile): string[] {
  const layer = layerOf(file.path)
  const allowed = MAY_IMPORT[layer]
  if (allowed === undefined) return []
  return importsOf(file)
    .filter((entry) => entry.specifier.startsWith('.'))
    .flatMap((entry) => {
      const path = target(file, entry.specifier)
      const into = layerOf(path)
      const typed = entry.typeOnly && allowed.some((rule) => rule.startsWith('!') && path.startsWith(`src/${rule.slice(1)}`))
      return into === layer || allowed.includes(into) || typed ? [] : [`${file.path} imports ${path}`]
    })
}

describe('dependency direction (architecture: layers)', () => {
  it('each folder imports only itself and the layers below', () => {
    expect(
      sources
        .filter((file) => !WIRING.includes(layerOf(file.path)) || ['http', 'cli'].includes(layerOf(file.path)))
        .flatMap(layerBreaches),
    ).toEqual([])
  })

  it('only compose.ts imports concrete connectors, and no connector imports another', () => {
    const offenders = sources.flatMap((file) =>
      importsOf(file)
        .filter((entry) => entry.specifier.startsWith('.'))
        .map((entry) => target(file, entry.specifier))
        .filter((path) => path.startsWith('connectors/') && !file.path.startsWith(posix.join(...path.split('/').slice(0, 2))))
        .filter(() => file.path !== 'src/compose.ts')
        .map((path) => `${file.path} imports ${path}`),
    )
    expect(offenders).toEqual([])
  })

  it('packages stay behind their fences', () => {
    const offenders = sources.flatMap((file) =>
      importsOf(file).flatMap((entry) => {
        const fence = Object.entries(PACKAGE_FENCES).find(
          ([name]) => entry.specifier === name || entry.specifier.startsWith(name.endsWith('/') ? name : `${name}/`),
        )
        return fence === undefined || fence[1].some((path) => file.path.startsWith(path))
          ? []
          : [`${file.path} imports ${entry.specifier}`]
      }),
    )
    expect(offenders).toEqual([])
  })

  it('only config.ts reads the environment', () => {
    const offenders = sources.filter((file) => /process\.env/.test(file.text) && !/^src\/config(\.ts|\/)/.test(file.path))
    expect(offenders.map((file) => file.path)).toEqual([])
  })

  it('there are no import cycles', () => {
    const graph = new Map(
      sources.map((file) => [
        file.path,
        importsOf(file)
          .filter((entry) => entry.specifier.startsWith('.') && !entry.typeOnly)
          .map((entry) => target(file, entry.specifier)),
      ]),
    )
    expect(cyclesOf(graph)).toEqual([])
  })
})

function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const cycles: string[] = []
  const walk = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
    if (trail.includes(path) || done.has(path)) return
    for (const next of graph.get(path) ?? []) walk(next, [...trail, path])
    done.add(path)
  }
  for (const path of graph.keys()) walk(path, [])
  return cycles
}

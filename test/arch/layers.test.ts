import { dirname, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importsOf, type SourceFile, sourceFiles } from './source-tree.ts'

const sources = [...sourceFiles('src', ['.ts', '.tsx']), ...sourceFiles('connectors', ['.ts'])]

/** What each folder may import besides itself, the lowest first. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  core: [],
  addresses: ['core'],
  compiler: ['core'],
  ports: ['core', 'compiler'],
  relations: ['core', 'compiler'],
  query: ['core', 'compiler', 'ports', 'relations'],
  'connector-kit': ['core', 'compiler', 'ports', 'relations'],
  connectors: ['core', 'connector-kit'],
  measuring: ['core', 'compiler', 'ports', 'relations', 'query'],
  metrics: ['core', 'compiler', 'ports', 'relations', 'query', 'measuring'],
  executors: ['core', 'addresses', 'compiler', 'ports'],
  store: ['core', 'addresses', 'ports'],
  ingest: ['core', 'ports'],
  cache: ['core', 'compiler', 'ports', 'relations', 'connector-kit'],
  answering: ['core', 'compiler', 'ports', 'relations', 'query', 'connector-kit', 'measuring', 'metrics'],
  records: ['core', 'compiler', 'ports', 'query', 'connector-kit', 'measuring', 'answering'],
  attributes: ['core', 'compiler', 'ports', 'query', 'answering', 'records'],
  segments: ['core', 'compiler', 'ports', 'relations', 'query', 'metrics', 'answering'],
  dashboards: ['core', 'ports', 'query', 'answering'],
  books: ['core', 'ports', 'query', 'answering', 'records'],
  rates: ['core', 'ports', 'query', 'answering', 'records'],
  sources: ['core', 'ports', 'query', 'records'],
  auth: ['core', 'ports', 'query', 'records'],
  checks: ['core', 'ports', 'relations', 'query', 'connector-kit', 'metrics', 'answering', 'records', 'sources'],
  engine: [
    'core',
    'compiler',
    'ports',
    'query',
    'connector-kit',
    'metrics',
    'answering',
    'records',
    'attributes',
    'segments',
    'dashboards',
    'books',
    'rates',
    'sources',
    'auth',
    'checks',
  ],
  mcp: ['core', 'engine'],
  http: ['core', 'engine', 'mcp'],
  cli: ['core', 'engine', 'mcp'],
  // What runs in other people's programs, browsers too, brings nothing along.
  client: [],
  // The page is a client; of the rest it takes what a column's name says of its unit, and nothing that needs a server.
  web: ['core', 'client'],
}

/** Folders above the layers: they wire the parts together. */
const WIRING = ['compose', 'built-in-connectors', 'built-in-platforms', 'index', 'config', 'bin', 'demo', 'cli', 'http']

/** The lists of what is built in. */
const BUILT_IN = ['src/built-in-connectors.ts', 'src/built-in-platforms.ts']

const PACKAGE_FENCES: Record<string, readonly string[]> = {
  hono: ['src/http/', 'src/bin/serve.ts'],
  '@hono/': ['src/http/', 'src/bin/serve.ts'],
  '@modelcontextprotocol/server': ['src/mcp/'],
  '@modelcontextprotocol/client': [],
  'prom-client': ['src/http/prometheus/'],
  citty: ['src/cli/'],
  'string-width': ['src/cli/'],
  knex: ['src/store/'],
  pg: ['src/executors/'],
  mysql2: ['src/addresses/', 'src/executors/'],
  '@duckdb/': ['src/executors/'],
  libsql: ['src/store/'],
  jose: ['src/auth/', 'src/store/'],
  oauth4webapi: ['connectors/quickbooks/', 'src/auth/', 'src/web/auth/'],
  react: ['src/web/'],
  'react-dom': ['src/web/main.tsx'],
  '@tanstack/': ['src/web/'],
  '@base-ui/': ['src/web/'],
  echarts: ['src/web/charts/'],
  'p-queue': ['connectors/quickbooks/'],
  'p-retry': ['connectors/quickbooks/'],
  'lossless-json': ['connectors/quickbooks/'],
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
      return into === layer || allowed.includes(into) ? [] : [`${file.path} imports ${path}`]
    })
}

describe('dependency direction (docs/development.md)', () => {
  it('each folder imports only itself and the layers below', () => {
    expect(
      sources
        .filter((file) => !WIRING.includes(layerOf(file.path)) || ['http', 'cli'].includes(layerOf(file.path)))
        .flatMap(layerBreaches),
    ).toEqual([])
  })

  it('no arrow runs up: a folder may import only what stands before it in the table', () => {
    const layers = Object.keys(MAY_IMPORT)
    const upwards = Object.entries(MAY_IMPORT).flatMap(([layer, allowed]) =>
      allowed
        .filter((into) => layers.indexOf(into) === -1 || layers.indexOf(into) > layers.indexOf(layer))
        .map((into) => `${layer} → ${into}`),
    )
    expect(upwards).toEqual([])
  })

  it('only the lists of those built in import concrete connectors, and no connector imports another', () => {
    const offenders = sources.flatMap((file) =>
      importsOf(file)
        .filter((entry) => entry.specifier.startsWith('.'))
        .map((entry) => target(file, entry.specifier))
        .filter((path) => path.startsWith('connectors/') && !file.path.startsWith(posix.join(...path.split('/').slice(0, 2))))
        .filter(() => !BUILT_IN.includes(file.path))
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

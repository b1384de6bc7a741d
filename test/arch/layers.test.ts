import { dirname, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importsOf, type SourceFile, sourceFiles } from './source-tree.ts'

const sources = [...sourceFiles('src', ['.ts', '.tsx']), ...sourceFiles('connectors', ['.ts'])]

/** The folders that each folder may import, the lowest first. A folder may import itself. A folder in a folder that has no entry belongs to the one above it. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  core: [],
  'databases/addresses': ['core'],
  compiler: ['core'],
  ports: ['core', 'compiler'],
  relations: ['core', 'compiler'],
  query: ['core', 'compiler', 'ports', 'relations'],
  'workspace/records': ['core', 'query'],
  'connector-kit': ['core', 'compiler', 'ports', 'relations'],
  connectors: ['core', 'connector-kit'],
  'metrics/readings': ['core', 'compiler', 'ports', 'relations', 'query'],
  metrics: ['core', 'compiler', 'ports', 'relations', 'query', 'metrics/readings'],
  databases: ['core', 'databases/addresses', 'compiler', 'ports'],
  'cache/held': ['core', 'compiler', 'ports', 'relations', 'connector-kit'],
  'cache/mirror': ['core', 'compiler', 'ports', 'relations', 'connector-kit', 'cache/held'],
  'cache/lake': ['core', 'compiler', 'ports', 'relations', 'connector-kit', 'cache/held'],
  'workspace/store': ['core', 'databases/addresses', 'ports'],
  'workspace/csv': ['core', 'ports'],
  'workspace/attributes/import': ['core', 'ports', 'workspace/csv'],
  'workspace/exchange-rates/import': ['core', 'ports', 'workspace/csv'],
  'workspace/goals/import': ['core', 'ports', 'workspace/csv'],
  'workspace/expenses/import': ['core', 'ports', 'workspace/csv'],
  execution: ['core', 'compiler', 'ports', 'relations', 'query', 'connector-kit', 'metrics/readings', 'metrics'],
  records: ['core', 'compiler', 'ports', 'query', 'connector-kit', 'metrics/readings', 'execution'],
  'records/ledger': ['core', 'compiler', 'ports', 'relations', 'query', 'metrics/readings', 'metrics', 'execution', 'records'],
  evidence: ['core', 'compiler', 'ports', 'query', 'connector-kit', 'metrics/readings', 'metrics', 'execution'],
  'records/billing-health': ['core', 'compiler', 'ports', 'query', 'execution', 'records', 'evidence'],
  'workspace/attributes': ['core', 'compiler', 'ports', 'query', 'execution', 'records', 'workspace/records'],
  'workspace/marks': ['core', 'ports', 'query', 'execution', 'workspace/records'],
  'workspace/segments': ['core', 'compiler', 'ports', 'relations', 'query', 'metrics', 'execution', 'workspace/records'],
  'workspace/dashboards': ['core', 'ports', 'query', 'execution', 'workspace/records'],
  'workspace/deliveries': ['core', 'ports', 'query', 'execution', 'workspace/records'],
  'workspace/notes': ['core', 'ports', 'query', 'execution', 'workspace/records'],
  'workspace/goals': ['core', 'ports', 'query', 'metrics', 'execution', 'workspace/records'],
  'workspace/expenses': ['core', 'ports', 'query', 'execution', 'records'],
  'workspace/exchange-rates': ['core', 'ports', 'query', 'execution', 'records', 'workspace/records'],
  'workspace/expenses/sources': ['core', 'ports', 'query', 'records', 'workspace/records'],
  auth: ['core', 'ports', 'query', 'records', 'workspace/records'],
  'workspace/links': ['core', 'ports', 'query', 'execution', 'workspace/records', 'workspace/dashboards', 'auth'],
  'trust/checks': [
    'core',
    'ports',
    'relations',
    'query',
    'connector-kit',
    'metrics',
    'execution',
    'records',
    'workspace/deliveries',
    'workspace/expenses/sources',
  ],
  'trust/verify': ['core', 'ports', 'query', 'connector-kit', 'metrics', 'execution', 'workspace/exchange-rates'],
  engine: [
    'core',
    'compiler',
    'ports',
    'query',
    'connector-kit',
    'metrics/readings',
    'metrics',
    'execution',
    'records',
    'records/billing-health',
    'records/ledger',
    'evidence',
    'workspace/attributes',
    'workspace/marks',
    'workspace/segments',
    'workspace/dashboards',
    'workspace/deliveries',
    'workspace/notes',
    'workspace/goals',
    'workspace/expenses',
    'workspace/exchange-rates',
    'workspace/expenses/sources',
    'workspace/records',
    'workspace/links',
    'auth',
    'trust/checks',
    'trust/verify',
  ],
  'facades/presentation': ['core', 'query', 'engine'],
  'facades/deliveries': ['core', 'query', 'workspace/records', 'engine', 'facades/presentation'],
  'facades/mcp': ['core', 'engine', 'facades/presentation'],
  'facades/http': ['core', 'workspace/records', 'engine', 'facades/presentation', 'facades/deliveries', 'facades/mcp'],
  'facades/socket': ['core', 'engine', 'facades/presentation'],
  'facades/cli': ['core', 'engine', 'facades/presentation', 'facades/deliveries', 'facades/mcp'],
  // docs/openapi: types and columns that `npm run client` writes.
  openapi: [],
  // The client runs in programs of others and in browsers, so it brings nothing else along.
  client: ['openapi'],
  // The page is a client. It knows what columns declare, and takes nothing else that needs a server.
  web: ['core', 'openapi', 'client'],
}

/** Folders above the layers: they wire the parts together. */
const WIRING = ['app', 'index']

/** The list of the built-in connectors and platforms. */
const BUILT_IN = ['src/app/built-in.ts']

const PACKAGE_FENCES: Record<string, readonly string[]> = {
  hono: ['src/facades/http/', 'src/app/bin/serve.ts'],
  '@hono/': ['src/facades/http/', 'src/app/bin/serve.ts'],
  '@modelcontextprotocol/server': ['src/facades/mcp/'],
  '@modelcontextprotocol/client': [],
  'prom-client': ['src/facades/http/prometheus/'],
  citty: ['src/facades/cli/'],
  'string-width': ['src/facades/presentation/'],
  nodemailer: ['src/app/channels/'],
  knex: ['src/workspace/store/'],
  pg: ['src/databases/'],
  mysql2: ['src/databases/addresses/', 'src/databases/'],
  '@duckdb/': ['src/databases/'],
  libsql: ['src/workspace/store/'],
  jose: ['src/auth/', 'src/workspace/store/'],
  oauth4webapi: ['connectors/quickbooks/', 'src/auth/', 'src/web/auth/'],
  react: ['src/web/'],
  // The page starts in main.tsx. A table must have all its rows before the browser prints, so it cannot wait for the next turn.
  'react-dom': ['src/web/main.tsx', 'src/web/parts/table.tsx'],
  '@tanstack/': ['src/web/'],
  '@base-ui/': ['src/web/'],
  echarts: ['src/web/charts/'],
  'p-queue': ['connectors/quickbooks/'],
  'p-retry': ['connectors/quickbooks/'],
  'lossless-json': ['connectors/quickbooks/', 'src/databases/trino/'],
  '@electric-sql/pglite': ['src/databases/', 'src/workspace/store/', 'src/app/demo/'],
  testcontainers: [],
  vitest: [],
}

function layerOf(path: string): string {
  const parts = path.replace(/\.tsx?$/, '').split('/')
  if (parts[0] === 'connectors') return 'connectors'
  const folders = parts.slice(1).map((_, index) => parts.slice(1, index + 2).join('/'))
  return folders.findLast((folder) => folder in MAY_IMPORT) ?? folders[0] ?? ''
}

function target(file: SourceFile, specifier: string): string {
  return posix.normalize(posix.join(dirname(file.path), specifier))
}

function layerBreaches(file: SourceFile): string[] {
  const layer = layerOf(file.path)
  const allowed = MAY_IMPORT[layer]
  if (allowed === undefined) return [`${file.path} belongs to no layer`]
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
    expect(sources.filter((file) => !WIRING.includes(layerOf(file.path))).flatMap(layerBreaches)).toEqual([])
  })

  it('no arrow runs up: a folder may import only folders before it in the table', () => {
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

  it('only app/config reads the environment', () => {
    const offenders = sources.filter((file) => /process\.env/.test(file.text) && !file.path.startsWith('src/app/config/'))
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

import { makeOutline } from '../../src/app/bin/outline.ts'
import type { Answer, Engine } from '../../src/engine/engine.ts'
import { runCli } from '../../src/facades/cli/main.ts'
import type { OpenOptions, OpenProduct, Product } from '../../src/facades/cli/product.ts'
import { BUILT_IN_METRICS } from '../../src/metrics/built-in.ts'
import { traitsOf, unitOf } from '../../src/web/format/traits.ts'

/** One call that the command line made, in order. */
export type Call = readonly [name: string, ...args: unknown[]]

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  readonly calls: readonly Call[]
}

/** An answer of the MRR kind; parts as given. */
export function answer(data: unknown, columns: readonly string[], overrides: Partial<Answer['meta']> = {}): Answer {
  const meta = {
    data_through: '2025-05-31T12:00:00.000Z',
    definitions: '0123456789ab',
    warnings: [],
    base_currency: 'USD',
    fields: columns.map((name) => ({
      name,
      holds: unitOf(name) === 'money' ? ('amount' as const) : ('other' as const),
      description: '',
      ...traitsOf(name),
      label: name,
      unit: unitOf(name),
    })),
    amounts: { unit: 'cents' as const, currency: 'USD' },
    ...overrides,
  }
  const kind = Array.isArray(data) ? 'rows' : typeof data === 'object' && data !== null ? 'object' : 'scalar'
  return { data, kind, columns, meta }
}

/** Stands in for the composition and records what is asked of it; `engine` replaces single operations. */
export function recordingProduct(calls: Call[], engine: Partial<Engine>, product: Partial<Product & OpenProduct> = {}): Product {
  const record =
    <T>(name: string, result: T) =>
    (...args: unknown[]): T => {
      calls.push([name, ...args])
      return result
    }
  const opened = {
    engine: {
      query: (...args: Parameters<Engine['query']>) => {
        const [metric, params, spec] = args
        calls.push(['query', metric, params, spec])
        return engine.query?.(...args) ?? Promise.resolve(answer(17133, ['mrr']))
      },
      metricRows: (...args: Parameters<Engine['metricRows']>) => {
        const [metric, params, spec] = args
        calls.push(['metricRows', metric, params, spec])
        return engine.metricRows?.(...args) ?? Promise.resolve(answer({ total: 0, limit: 100, offset: 0, rows: [] }, []))
      },
      bridge: (...args: Parameters<Engine['bridge']>) => {
        const [metric, params, spec] = args
        calls.push(['bridge', metric, params, spec])
        const [from, to] = ['a', 'b'].map((definitions) => ({ definitions, value: 1 }))
        return (
          engine.bridge?.(...args) ?? Promise.resolve(answer({ measure: 'mrr', from, to, steps: [], residual: 0 }, ['measure']))
        )
      },
      summary: (...args: Parameters<Engine['summary']>) => {
        const [params, spec] = args
        calls.push(['summary', params, spec])
        return engine.summary?.(...args) ?? Promise.resolve(answer({ mrr: 17133 }, ['mrr']))
      },
      list: (...args: Parameters<Engine['list']>) => {
        const [name, params, spec] = args
        calls.push(['list', name, params, spec])
        return engine.list?.(...args) ?? Promise.resolve(answer({ total: 0, limit: 100, offset: 0, rows: [] }, []))
      },
      compile: () => Promise.resolve([]),
      metrics: () => ['churn', 'mrr'],
      metric: () => undefined,
      ...('fields' in engine ? { fields: engine.fields } : {}),
      check: engine.check ?? (() => Promise.resolve([])),
    } as unknown as Engine,
    importFx: record(
      'importFx',
      Promise.resolve({
        rows_read: 2,
        rows_upserted: 1,
        rows_rejected: [{ row: 2, reason: 'bad date' }],
        rows_rejected_total: 1,
      }),
    ),
    fetchFx: record('fetchFx', Promise.resolve({ rows_read: 2, rows_upserted: 80, rows_rejected: [], rows_rejected_total: 0 })),
    today: '2025-05-31',
    fxAddress: 'https://rates.example.com/history.zip',
    listFx: record('listFx', Promise.resolve([{ date: '2025-01-01', from: 'EUR', to: 'USD', rate: '1.0837' }])),
    serve: record('serve', Promise.resolve({ url: 'http://127.0.0.1:8000', stop: record('stop', Promise.resolve()) })),
    close: record('close', Promise.resolve()),
    ...(product as Partial<OpenProduct>),
  }
  return {
    version: '0.1.0',
    outline: makeOutline,
    metrics: () => Promise.resolve(BUILT_IN_METRICS),
    open: (options: OpenOptions) => {
      calls.push(['open', options])
      return Promise.resolve(opened)
    },
    openStore: (options: OpenOptions) => {
      calls.push(['openStore', options])
      return Promise.resolve(opened)
    },
    openDemo: (options: OpenOptions) => {
      calls.push(['openDemo', options])
      return Promise.resolve(opened)
    },
    openDemoStore: () => {
      calls.push(['openDemoStore'])
      return Promise.resolve(opened)
    },
    init: record('init', Promise.resolve({ steps: ['wrote plumbline.toml'], found: null })),
    grants: record('grants', Promise.resolve(['create role x'])),
    ...product,
  }
}

/** Runs a command line against a recording product. */
export async function run(
  argv: readonly string[],
  engine: Partial<Engine> = {},
  product: Partial<Product & OpenProduct> = {},
  stop = new AbortController().signal,
): Promise<Outcome> {
  const calls: Call[] = []
  let stdout = ''
  let stderr = ''
  const io = {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) },
    stop,
  }
  const code = await runCli(argv, io, recordingProduct(calls, engine, product))
  return { code, stdout, stderr, calls }
}

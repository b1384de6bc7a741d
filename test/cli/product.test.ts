import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProduct } from '../../src/app/bin/product.ts'
import { builtInRegistry } from '../../src/metrics/built-in.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { firstEngineAndOneOther, isInTurn, sampleOf } from '../support/databases/rotation.ts'
import { isFirst } from '../support/databases/targets.ts'
import { runOver, runProduct } from './run-product.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-cli-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = (argv: readonly string[], environment: Record<string, string> = {}) => runProduct(folder, argv, environment)

firstEngineAndOneOther(
  'the command line over a real database',
  (target) => {
    let environment: Record<string, string>
    beforeAll(async () => {
      environment = {
        PLUMBLINE_DATABASE_URL: (await sharedReal(target)).url,
        PLUMBLINE_CONNECTOR_TENANT: 'alpha',
        PLUMBLINE_NOW: '2026-11-20T23:59:59Z',
        PLUMBLINE_STORE_URL: 'none',
        PLUMBLINE_DEFINITIONS_BASE_CURRENCY: 'USD',
      }
    })

    it('JSON and CSV are byte for byte what the service sends', async () => {
      const questions: [string[], string][] = [
        [['mrr', '--dimension', 'currency'], '/api/metrics/mrr?dimensions=currency'],
        [
          ['mrr', 'breakdown', '--start', '2026-01-01', '--end', '2026-01-31', '--dimension', 'currency'],
          '/api/metrics/mrr/breakdown?start=2026-01-01&end=2026-01-31&dimensions=currency',
        ],
        [
          ['waterfall', '--start=2026-01-01', '--end=2026-03-31', '--dimension=currency', '--filter', 'currency=EUR'],
          '/api/metrics/mrr/waterfall?start=2026-01-01&end=2026-03-31&dimensions=currency&filter=currency=EUR',
        ],
        [
          ['churn', '--start=2026-01-01', '--end=2026-03-31', '--granularity=month'],
          '/api/metrics/churn?start=2026-01-01&end=2026-03-31&granularity=month',
        ],
        [['retention', '--start=2026-01-01', '--end=2026-03-31'], '/api/metrics/retention?start=2026-01-01&end=2026-03-31'],
        [
          ['ltv', 'cohort', '--start=2026-01-01', '--end=2026-03-31', '--dimension=currency'],
          '/api/metrics/ltv/cohort?start=2026-01-01&end=2026-03-31&dimensions=currency',
        ],
        [
          ['trials', 'funnel', '--start=2026-01-01', '--end=2026-03-31', '--dimension=plan_id'],
          '/api/metrics/trials/funnel?start=2026-01-01&end=2026-03-31&dimensions=plan_id',
        ],
        [
          ['trials', 'series', '--start=2026-01-01', '--end=2026-03-31', '--interval=week'],
          '/api/metrics/trials/series?start=2026-01-01&end=2026-03-31&interval=week',
        ],
        [
          ['usage-revenue', '--start=2026-01-01', '--end=2026-03-31', '--dimension=currency'],
          '/api/metrics/usage-revenue?start=2026-01-01&end=2026-03-31&dimensions=currency',
        ],
        [
          ['usage-revenue', 'by-customer', '--start=2026-01-01', '--end=2026-03-31', '--filter=currency=USD'],
          '/api/metrics/usage-revenue/by-customer?start=2026-01-01&end=2026-03-31&filter=currency=USD',
        ],
        [
          ['summary', '--end=2026-03-31', '--filter=customer.currency=USD'],
          '/api/metrics/summary?end=2026-03-31&filter=customer.currency=USD',
        ],
        [['metrics'], '/api/metrics'],
        [['fields', 'mrr'], '/api/metrics/mrr/fields'],
      ]
      const product = createProduct({
        // Commands ask the database itself, and nobody waits here for a cache to be filled.
        environment: { ...environment, PLUMBLINE_SERVER_PORT: '0', PLUMBLINE_CACHE_MODE: 'off' },
        cwd: folder,
        home: undefined,
      })
      const opened = await product.open({})
      const service = await opened.serve()
      // Commands share the connections of the service, so that each need not look at the database again.
      const asked = (argv: readonly string[]) =>
        runOver({ ...product, open: async () => ({ ...opened, close: async () => {} }) }, argv)
      try {
        for (const [index, [argv, path]] of sampleOf(target, questions, { first: 3 }).entries()) {
          const body = await (await fetch(service.url + path)).text()
          expect(await asked([...argv, '--format', 'json'])).toEqual({ code: 0, stdout: `${body}\n`, stderr: '' })
          if (argv[0] === 'metrics' || argv[0] === 'fields' || !isInTurn(index, 2)) continue
          const csv = await (await fetch(`${service.url}${path}&format=csv`)).text()
          expect(await asked([...argv, '--format', 'csv'])).toEqual({ code: 0, stdout: csv, stderr: '' })
          expect(csv.split('\r\n').length).toBeGreaterThan(2)
        }
      } finally {
        await service.stop()
        await opened.close()
      }
    })

    it('check finds nothing wrong with a Kill Bill database', async () => {
      const { code, stdout } = await run(['check'], environment)
      expect(stdout).toMatch(/^ok +connection/m)
      expect(stdout).toMatch(/^ok +relations_exact +.*subscription_span/m)
      expect(stdout).not.toMatch(/^ok +relations_absent/m)
      expect(stdout).not.toMatch(/^failure/m)
      expect(code).toBe(0)
    })

    it('check fails on any other database, with exit 5', async () => {
      const { url } = await target.createDatabase()
      const { code, stdout } = await run(['check', '--format', 'json'], { ...environment, PLUMBLINE_DATABASE_URL: url })
      expect(code).toBe(5)
      expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ level: 'failure' }))
    })

    it('check of a tenant that does not exist says which there are, with exit 5', async () => {
      const { code, stdout } = await run(['check'], { ...environment, PLUMBLINE_CONNECTOR_TENANT: 'gamma' })
      expect(stdout).toMatch(/^failure +engine +connector\.tenant: no tenant "gamma"; there are "alpha", "beta"$/m)
      expect(code).toBe(5)
    })

    // Refusals before the database is asked, and their exit codes.
    if (!isFirst(target)) return

    it('without a store expenses are refused by its name; their accepted inputs are still listed', async () => {
      expect((await run(['metrics'], environment)).stdout).toContain('expenses')
      expect((await run(['fields', 'expenses'], environment)).stdout).toContain('account_type')
      expect((await run(['explain', 'expenses'], environment)).stdout).toContain('bills and expenses')
      for (const argv of [['expenses'], ['expenses', 'by-vendor', '--start', '2025-01-01', '--end', '2025-12-31']]) {
        const { code, stdout, stderr } = await run([...argv, '--format', 'json'], environment)
        expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
        expect(JSON.parse(stderr)).toMatchObject({
          code: 'unsupported_by_connector',
          detail: expect.stringContaining('side store'),
        })
      }
    })

    it('a missing rate is refused with exit 3', async () => {
      const { code, stdout, stderr } = await run(['mrr', '--format', 'json'], environment)
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
      expect(JSON.parse(stderr)).toMatchObject({ code: 'missing_fx_rate', base_currency: 'USD' })
    })

    it('a refusal of the engine is exit 3', async () => {
      const { code, stderr } = await run(['mrr', '--end', '2026-01-31', '--dimension', 'plan'], environment)
      expect(code).toBe(3)
      expect(stderr).toContain('--dimension: Unknown dimension "plan".')
      expect(stderr).toContain('--start: ')
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

describe('the command line without a database', () => {
  it('bad configuration is exit 2, all of it at once', async () => {
    const outcome = await run(['mrr'], { PLUMBLINE_SERVER_PORT: 'many' })
    expect(outcome).toMatchObject({ code: 2, stdout: '' })
    expect(outcome.stderr).toContain('database.url')
    expect(outcome.stderr).toContain('server.port')
    expect((await run(['mrr', '--config', 'none.toml'])).code).toBe(2)
    expect((await run(['mrr'], { PLUMBLINE_DATABASE_URL: 'postgres://x', PLUMBLINE_CONNECTOR: 'other' })).stderr).toContain(
      'killbill',
    )
  })

  it('an unreachable database is exit 4', async () => {
    const environment = { PLUMBLINE_DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none', PLUMBLINE_STORE_URL: 'none' }
    for (const command of ['mrr', 'summary', 'check']) {
      const outcome = await run([command], environment)
      expect(outcome).toMatchObject({ code: 4, stdout: '' })
      expect(outcome.stderr).toContain('cannot be reached')
      expect(outcome.stderr).not.toContain('secret')
    }
  })

  it('explain prints the whole definition of each metric', async () => {
    const environment = { PLUMBLINE_DATABASE_URL: 'postgres://127.0.0.1:1/none', PLUMBLINE_STORE_URL: 'none' }
    expect(builtInRegistry().metrics.size).toBeGreaterThan(3)
    for (const { name, queries, docs } of builtInRegistry().metrics.values()) {
      const json = await run(['explain', name, '--format', 'json'], environment)
      expect(json).toMatchObject({ code: 0, stderr: '' })
      const definition = JSON.parse(json.stdout)
      expect(definition).toMatchObject({ metric: name, ...docs })
      expect(definition.query_types.map((query: { query_type: string }) => query.query_type)).toEqual(Object.keys(queries))
      const { stdout } = await run(['explain', name.replaceAll('_', '-')], environment)
      const words = stdout.replaceAll(/\s+/g, ' ')
      for (const text of [docs.formula, ...docs.assumptions, ...docs.edge_cases, docs.example.text]) expect(words).toContain(text)
    }
    const csv = await run(['explain', 'churn', '--format', 'csv'], environment)
    expect(csv.stdout).toMatch(/^metric,summary,query_types,formula,assumptions,edge_cases,example\r\nchurn,/)
    expect(await run(['explain', 'chrun'], environment)).toMatchObject({ code: 3, stdout: '' })
  })

  it('init writes a file that works, and prepares the store', async () => {
    const first = await run(['init'])
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toContain('plumbline.toml')
    expect(await readFile(join(folder, 'plumbline.toml'), 'utf8')).toContain('[database]')
    expect(await run(['fx', 'list'])).toEqual({ code: 0, stdout: '(no rows)\n', stderr: '' })
    await writeFile(join(folder, 'plumbline.toml'), '[store]\nurl = "none"\n')
    const again = await run(['init'])
    expect(again.code).toBe(3)
    expect(again.stderr).toContain('--force')
    expect((await run(['init', '--force'])).code).toBe(0)
    expect(await readFile(join(folder, 'plumbline.toml'), 'utf8')).toContain('[database]')
    expect((await run(['init', '--config', 'missing/folder/x.toml'])).code).toBe(2)
  })

  it('rates go in and come out', async () => {
    await writeFile(join(folder, 'rates.csv'), 'date,from,to,rate\n2025-01-01,EUR,USD,1.0837\n2025-13-01,EUR,USD,1\n')
    const imported = await run(['fx', 'import', join(folder, 'rates.csv'), '--format', 'json'])
    expect(imported.code).toBe(3)
    expect(JSON.parse(imported.stdout)).toEqual({
      rows_read: 2,
      rows_upserted: 1,
      rows_rejected: [{ row: 2, reason: expect.any(String) }],
      rows_rejected_total: 1,
    })
    expect((await run(['fx', 'list', '--format', 'csv'])).stdout).toBe('date,from,to,rate\r\n2025-01-01,EUR,USD,1.0837\r\n')
    expect((await run(['fx', 'import', join(folder, 'none.csv')])).code).toBe(2)
    expect((await run(['fx', 'import', folder])).code).toBe(2)
    await writeFile(join(folder, 'broken.csv'), 'date,from\n')
    const broken = await run(['fx', 'import', join(folder, 'broken.csv'), '--format', 'json'])
    expect(broken.code).toBe(3)
    expect(JSON.parse(broken.stderr)).toMatchObject({ code: 'invalid_csv', issues: [{ code: 'invalid_csv' }] })
    expect((await run(['fx', 'list'], { PLUMBLINE_STORE_URL: 'none' })).code).toBe(3)
  })
})

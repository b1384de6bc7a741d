import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProduct } from '../../src/app/bin/product.ts'
import type { OpenProduct } from '../../src/facades/cli/product.ts'
import { runOver } from './run-product.ts'

describe('the demo', () => {
  let folder: string
  let demo: OpenProduct
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumbline-demo-test-'))
    await writeFile(join(folder, 'plumbline.toml'), '[database]\nurl = "postgres://127.0.0.1:1/none"\n')
    const product = createProduct({ environment: { PLUMBLINE_STORE_URL: 'none' }, cwd: folder, home: undefined })
    demo = await product.openDemo({})
  })
  afterAll(async () => {
    await demo?.close()
    await rm(folder, { recursive: true })
  })

  /** A command line on the one demo, which takes seconds to open. */
  const run = (...argv: readonly string[]) => {
    const product = createProduct({ environment: {}, cwd: folder, home: undefined })
    return runOver({ ...product, openDemo: async () => ({ ...demo, close: async () => {} }) }, argv)
  }

  it('its store comes with rates, two attributes and two segments; neither file nor environment reaches it', async () => {
    const { engine } = demo
    const stored = (await engine.attributes.list()).filter(({ source }) => source === 'csv').map(({ key }) => key)
    expect(stored).toEqual(['channel', 'satisfaction'])
    const segments = await engine.segments.list()
    expect(segments.map(({ name }) => name).sort()).toEqual(['Partners', 'Unhappy'])
    for (const { id, warnings } of segments) {
      expect(warnings).toEqual([])
      expect((await engine.query('mrr', {}, { segment: id })).data).toBeGreaterThan(0)
    }
    expect(await engine.rates.list({ latest: 'true' })).toMatchObject([{ from: 'EUR' }, { from: 'GBP' }, { from: 'JPY' }])
    expect(await run('mrr', '--demo')).toMatchObject({ code: 0, stdout: '51,148.37 USD\n' })
  })

  it('prints its summary', async () => {
    const { code, stdout, stderr } = await run('demo', '--once')
    expect(code).toBe(0)
    expect(stderr).toMatch(/^Unpacking the sample data and starting its database, which usually takes about \d+ seconds …$/m)
    expect(stdout).toMatch(/^MRR on 2026-11-20: [\d,.]+ USD$/m)
    expect(stdout.match(/█/g)?.length).toBeGreaterThan(100)
    expect(stdout).toContain('contraction')
    expect(stdout).toMatch(/^\/api\/metrics\/summary$/m)
    expect(stdout).toMatch(/^\/api\/metrics\/retention\?start=2026-05-01&end=2026-10-31$/m)
    // The way to the dashboard is alone at the end.
    expect(stdout).toMatch(/\n\nDashboard: run the demo on a terminal without --once, or `plumbline --demo serve --open`\n$/)
  })

  it('ends by itself without a terminal', async () => {
    const { code, stdout, stderr } = await run('demo', '--interactive')
    expect(code).toBe(0)
    expect(stdout).toContain('MRR on 2026-11-20: 51,148.37 USD')
    expect(stderr).not.toContain('running at')
  })
})

it('of another engine has its own sample, with rates, and a mirror that does not lag', async () => {
  const product = createProduct({ environment: {}, cwd: tmpdir(), home: undefined })
  const { engine, close } = await product.openDemo({ sample: 'stripe' })
  try {
    const { data, meta } = await engine.query('mrr')
    expect(data).toBe(1_863_520)
    expect(meta.warnings.map(({ code }) => code)).toEqual(['inferred'])
    const { data: found } = await engine.metricRows('mrr', { limit: '5' })
    expect((found as { readonly rows: readonly object[] }).rows[0]).toHaveProperty('evidence')
  } finally {
    await close()
  }
})

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProduct } from '../../src/app/bin/product.ts'
import type { OpenProduct, Product } from '../../src/facades/cli/product.ts'
import { runOver } from './run-product.ts'

const RESULTS = [
  'summary',
  'mrr',
  'mrr --last 3m',
  'mrr breakdown',
  'why',
  'churn --dimension plan_id --type revenue',
  'retention',
  'ltv',
  'customers --limit 2',
  'invoices --limit 2',
  'subscriptions --limit 2',
  'metrics',
  'fields mrr',
  'explain mrr',
  'check',
  'verify --check mrr_adds_up',
  'segments list',
  'attributes list',
  'fx missing',
  'sources list',
  'grants --dialect postgres --user reader',
]
const TEXTS = ['--help', '--version', 'mrr --help', 'completion bash', 'completion zsh', 'completion fish', '__complete mrr --']
const REFUSED = [
  'mrr --dimension plan',
  'mrr --range banana',
  'mrr --bogus',
  'mrr brekdown',
  'churn --end 2025-01-01',
  'nonsense',
]

describe('every output ends with a line feed', () => {
  let folder: string
  let product: Product
  let demo: OpenProduct
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumbline-lines-'))
    const real = createProduct({ environment: {}, cwd: folder, home: undefined })
    demo = await real.openDemo({})
    product = { ...real, openDemo: async () => ({ ...demo, close: async () => {} }) }
  }, 120_000)
  afterAll(async () => {
    await demo.close()
    await rm(folder, { recursive: true })
  })

  it.each(RESULTS)('%s', async (line) => {
    for (const format of ['text', 'json', 'csv']) {
      const argv = [...line.split(' '), '--format', format, '--demo']
      const { code, stdout } = await runOver(product, argv)
      expect([0, 5], `${line} ${format}`).toContain(code)
      expect(stdout, `${line} ${format}`).toMatch(format === 'csv' ? /[^\n]\r\n$/ : /[^\n]\n$/)
      if (format === 'json') expect(() => JSON.parse(stdout)).not.toThrow()
    }
  })

  it.each(TEXTS)('%s', async (line) => {
    const { code, stdout } = await runOver(product, line.split(' '))
    expect(code).toBe(0)
    expect(stdout).toMatch(/[^\n]\n$/)
  })

  it.each(REFUSED)('the error of %s', async (line) => {
    for (const format of ['text', 'json']) {
      const { code, stdout, stderr } = await runOver(product, [...line.split(' '), '--format', format, '--demo'])
      expect([2, 3], line).toContain(code)
      expect(stdout).toBe('')
      expect(stderr, `${line} ${format}`).toMatch(/[^\n]\n$/)
    }
  })

  it('a file, too', async () => {
    const path = join(folder, 'mrr.json')
    await runOver(product, ['mrr', '--demo', '-o', path])
    expect(await readFile(path, 'utf8')).toBe('5114837\n')
  })
})

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProduct } from '../../src/app/bin/product.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Product } from '../../src/facades/cli/product.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { runOver } from './run-product.ts'

/** The guide "Close a month in ten minutes" (docs/ledger.md), on recorded data. */
oneEngineInRotation('plumbline ledger close', (target) => {
  let directory: string
  let product: Product
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'plumbline-close-test-'))
    const { url } = await sharedReal(target)
    const settings = [
      '[database]',
      `url = ${JSON.stringify(url)}`,
      '[connector]',
      'tenant = "alpha"',
      '[definitions]',
      'base_currency = "USD"',
      '[cache]',
      'mode = "off"',
      '[clock]',
      'now = "2026-11-21T00:00:00Z"',
      '[ledger.accounts]',
      'revenue = "4000"',
      '"revenue.usage" = "4010"',
    ]
    await writeFile(join(directory, 'plumbline.toml'), settings.join('\n'))
    product = createProduct({ environment: {}, cwd: directory, home: undefined })
    const rates = await runOver(product, ['fx', 'import', join(packageRoot(), 'fixtures/killbill/real/expected/fx.csv')])
    expect(rates.code, rates.stderr).toBe(0)
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))
  const close = (out: string, ...more: readonly string[]) =>
    runOver(product, ['ledger', 'close', '2026-09', '--out', join(directory, out), ...more])
  const rows = async (out: string, file: string): Promise<Record<string, string>[]> =>
    parse(await readFile(join(directory, out, file), 'utf8'), { columns: true })

  it('writes the same files twice, with checks that hold', async () => {
    const options = ['--net-terms', '365']
    const [first, second] = [await close('a', ...options), await close('b', ...options)]
    expect([first.code, second.code], first.stderr).toEqual([0, 0])
    expect(first.stdout.match(/^ok /gm)).toHaveLength(10)
    const files = (await readdir(join(directory, 'a'))).sort()
    expect(files).toEqual((await readdir(join(directory, 'b'))).sort())
    expect(files).toContain('ledger-2026-09.xlsx')
    for (const name of files)
      expect((await readFile(join(directory, 'a', name))).equals(await readFile(join(directory, 'b', name))), name).toBe(true)
    const page = await readFile(join(directory, 'a', 'README.md'), 'utf8')
    expect(page).toContain('# The books of 2026-09')
    expect(page).toContain('- Data complete up to: 2026-11-2')
    expect(page).toContain(
      '- Options: spread=day, one_off=at_once, unbilled=accrue, revenue_kinds=all, net_terms=365, buckets=30,60,90, receivables_rate=issued, definitions=default\n',
    )
    const sum = (list: readonly Record<string, string>[], column: string) =>
      list.reduce((total, row) => total + Math.round(100 * Number(row[column])), 0)
    const books = await rows('a', 'trial-balance.csv')
    expect(sum(books, 'debit')).toBe(sum(books, 'credit'))
    const receivable = books.find((row) => row['account'] === 'accounts_receivable')?.['debit']
    expect(sum(await rows('a', 'open-invoices.csv'), 'balance_base')).toBe(Math.round(100 * Number(receivable)))
    expect(await rows('a', 'waterfall.csv')).toHaveLength(13)
    const bridge = await rows('a', 'mrr-bridge.csv')
    const [steps, end] = [bridge.slice(0, -1), bridge.slice(-1)]
    expect(bridge[0]).toMatchObject({ step: 'mrr', label: 'MRR' })
    expect(sum(steps, 'amount')).toBe(sum(end, 'amount'))
    expect(sum(end, 'amount')).toBe(sum(await rows('a', 'revenue.csv'), 'recognized'))
    expect((await rows('a', 'receivables.csv'))[0]).not.toMatchObject({ balance: '0.00' })
    const names = (await rows('a', 'journal.csv')).map((line) => line['account_name'])
    expect(names).toEqual(expect.arrayContaining(['4000', '4010', 'Deferred revenue']))
  })

  it('closes months on the day that the configuration names (D99)', async () => {
    const environment = { PLUMBLINE_LEDGER_CLOSE_DAYS: '5' }
    const closing = createProduct({ environment, cwd: directory, home: undefined })
    const run = async (out: string, over: Product, ...more: readonly string[]) => {
      const { code, stderr } = await runOver(over, ['ledger', 'close', '2026-09', '--out', join(directory, out), ...more])
      expect(code, stderr).toBe(0)
      return readFile(join(directory, out, 'README.md'), 'utf8')
    }
    expect(await run('closed', closing)).toMatch(/- Options: .*ledger\.close_days=5.*opening_known_at=2026-09-05\n/)
    expect(await run('open', product, '--opening-known-at', '2026-09-05')).not.toContain('close_days')
    const [closed, open] = [await rows('closed', 'corrections.csv'), await rows('open', 'corrections.csv')]
    expect(closed.map((row) => row['recognized_now'])).toEqual(open.map((row) => row['recognized_now']))
    expect((await rows('open', 'revenue.csv'))[0]?.['late']).toBe('0.00')
  })

  it('shows the bridge from MRR to revenue of a month, by its name or by words', async () => {
    const bridge = async (...words: readonly string[]) => runOver(product, ['ledger', 'mrr-bridge', ...words])
    const [json, named] = [await bridge('2026-10', '--json'), await bridge('--period', 'last month', '--json')]
    expect([json.code, named.code], json.stderr + named.stderr).toEqual([0, 0])
    expect(JSON.parse(json.stdout)).toEqual(JSON.parse(named.stdout))
    const { recognized, ...steps } = JSON.parse(json.stdout) as Record<string, number>
    expect(Object.values(steps).reduce((sum, amount) => sum + amount, 0)).toBe(recognized)
    const [text, rows] = [
      await bridge('2026-10'),
      await runOver(product, [
        'rows',
        'ledger',
        '--query-type',
        'mrr_bridge',
        '--period',
        '2026-10',
        '--measure',
        'rates',
        '--json',
      ]),
    ]
    expect([text.code, rows.code], text.stderr + rows.stderr).toEqual([0, 0])
    expect(text.stdout).toMatch(/recognized/i)
    expect((JSON.parse(rows.stdout) as { sum: number }).sum).toBe(steps['rates'])
    for (const [words, problem] of [
      [['2026-Q3'], 'must be a month (YYYY-MM)'],
      [['yesterday'], 'must be a month (YYYY-MM)'],
      [['2026-11'], 'over for a day'],
      [['2026-10', '--period', '2026-09'], '--period repeats the month'],
      [['--start', '2026-10-01'], '--start'],
    ] as const) {
      const ran = await bridge(...words)
      expect([ran.code === 0, ran.stdout], words.join(' ')).toEqual([false, ''])
      expect(ran.stderr).toContain(problem)
    }
    // A command for any query refuses the days, and adds none.
    for (const days of [
      ['--start', '2026-10-01'],
      ['--range', '2026-10'],
      ['--at', '2026-10-31'],
    ]) {
      const ran = await runOver(product, ['rows', 'ledger', '--query-type', 'deferred', ...days])
      expect([ran.code, ran.stdout], days.join(' ')).toEqual([3, ''])
      expect(ran.stderr).toContain('This query is about one month: name it in "period"')
      if (days[0] === '--start') expect(ran.stderr).not.toContain('--end')
    }
  })

  it.each([
    ['2026-13', 2],
    ['last month', 2],
    ['2999-01', 2],
  ])('refuses %s', async (month, code) => {
    const ran = await runOver(product, ['ledger', 'close', month, '--out', join(directory, 'refused')])
    expect([ran.code, ran.stdout]).toEqual([code, ''])
    expect(ran.stderr).toContain('the month must be one that has been over for a day')
    expect(await readdir(directory)).not.toContain('refused')
  })
})

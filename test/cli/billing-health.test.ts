import { beforeAll, expect, it } from 'vitest'
import { createProduct } from '../../src/app/bin/product.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Product } from '../../src/facades/cli/product.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'
import { runOver } from './run-product.ts'

type Cells = Readonly<Record<string, unknown>>

/** The last day of which the recording has all invoice runs. */
const RANGE = ['--start', '2024-01-01', '--end', '2026-11-19']
/** Cents of a month by class on the last 90 days of alpha: 148158 of parked accounts, -34571 of a reverted quantity. */
const MONTHLY = 148_158 + 34_571

oneEngineInRotation('plumbline billing-health', (target) => {
  let alpha: Engine
  let withoutRates: Engine
  beforeAll(async () => {
    const database = await sharedReal(target)
    alpha = await engineOver(database, { tenant: ['alpha'] })
    withoutRates = await engineOver(database, { tenant: ['alpha'], store: await ratesOnly('date,from,to,rate\n') })
  })

  function run(line: readonly string[], engine = alpha) {
    const product: Product = {
      ...createProduct({ environment: {}, cwd: '.', home: undefined }),
      open: async () => ({
        engine,
        today: '2026-11-21',
        serve: () => Promise.reject(new Error('nothing is served here')),
        close: async () => {},
      }),
    }
    return runOver(product, ['billing-health', ...line])
  }

  it('the text has the classes, then the ten largest findings', async () => {
    const { code, stdout, stderr } = await run(RANGE)
    expect([code, stderr]).toEqual([0, ''])
    const [days, classes = '', findings = ''] = stdout.split('\n\n')
    expect(days).toBe('118969 of 120943 days are billed as agreed, from 2024-01-01 to 2026-11-19.')
    const read = classes.split('\n').map((row) => row.trim().split(/\s{2,}/))
    expect(read.slice(1)).toEqual([
      ['account_parked', '8', '5', '1,199', '3,039.81', '0.00'],
      ['transferred', '2', '2', '27', '-473.73', '0.00'],
      ['quantity_reverted', '5', '5', '748', '-3,109.50', '0.00'],
    ])
    const rows = findings.trim().split('\n')
    expect(rows).toHaveLength(1 + 10)
    expect(rows[1]).toContain('Agreed: 4 units for 33000 JPY a month. Billed: 10 units for 82500 JPY a month, from 2025-09-23')
  })

  it('JSON and CSV are the answer of GET /api/billing-health', async () => {
    const { data } = await alpha.billingHealth({}, {})
    const json = await run(['--format', 'json'])
    expect([json.code, json.stderr]).toEqual([0, ''])
    expect(JSON.parse(json.stdout)).toEqual(data)
    const csv = await run(['--format', 'csv'])
    const [head, row] = csv.stdout.split(/\r?\n/)
    expect(head).toBe(Object.keys(data as Cells).join(','))
    expect(row).toContain('2026-08-23,2026-11-20,USD,12890002,12716171,173831,113587,26694,26084,0,0,')
  })

  it.each([
    [MONTHLY - 1, [], 5],
    [MONTHLY, [], 0],
    [0, ['--class', 'account_parked'], 5],
    [0, ['--class', 'double_billed'], 0],
    [148_158, ['--class', 'account_parked'], 0],
    [148_157, ['--class', 'account_parked', '--format', 'json'], 5],
  ] as const)('--fail-above %i %j exits with %i', async (limit, more, code) => {
    const found = await run(['--fail-above', String(limit), ...more])
    expect([found.code, found.stderr]).toEqual([code, ''])
    expect(found.stdout).not.toBe('')
  })

  it('an amount that is not known is above each limit', async () => {
    const found = await run(['--fail-above', '999999999999999', '--format', 'json'], withoutRates)
    expect(found.code).toBe(5)
    expect(found.stderr).toContain('No exchange rate for')
    expect(JSON.parse(found.stdout)).toMatchObject({ monthly_base_cents: null })
  })

  it.each([
    ['--fail-above 1.5', 2, '--fail-above must be a whole number of cents, not "1.5"'],
    ['--fail-above=-1', 2, '--fail-above must be a whole number of cents, not "-1"'],
    ['--limit 3', 2, 'option --limit does not apply'],
    ['--class nonsense', 3, 'available: double_billed, stuck_draft'],
    ['--state nonsense', 3, '"state" must be open or closed'],
    ['--start 2026-13-01', 3, '--start: "start" must be a date (YYYY-MM-DD)'],
    ['--start 2026-11-30', 3, 'up to yesterday, 2026-11-20'],
    ['--filter shape=round', 3, 'Unknown filter "shape"'],
    ['--format yaml', 3, 'text, json, csv or xlsx'],
  ])('%s is refused', async (line, code, says) => {
    const found = await run(line.split(' '))
    expect([found.code, found.stdout]).toEqual([code, ''])
    expect(found.stderr).toContain(says)
  })
})

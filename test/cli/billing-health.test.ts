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
/** Cents at stake on the last 90 days of alpha: a month of open findings, and the days of the closed ones, all of parked accounts. */
const PARKED = { under: 172_658, over: 24_500, closed: 2_062 }
const REVERTED = 34_571
const AT_STAKE = PARKED.under + PARKED.over + PARKED.closed + REVERTED
/** Cents by class in the whole recording. All findings are closed, because the range ends before yesterday. */
const CLOSED = { account_parked: 502_129 + 198_148, transferred: 47_373, quantity_reverted: 741_510 }
const ALL_CLOSED = CLOSED.account_parked + CLOSED.transferred + CLOSED.quantity_reverted

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
    const [head, ...lines] = csv.stdout.split(/\r?\n/)
    const { classes, healthy_days } = data as Cells & { readonly classes: readonly Cells[] }
    expect(head).toBe(Object.keys(classes[0] ?? {}).join(','))
    expect(lines.map((line) => line.split(',')[0])).toEqual(['account_parked', 'quantity_reverted', 'healthy', ''])
    expect(lines[0]).toBe(Object.values(classes[0] ?? {}).join(','))
    expect(lines[2]?.split(',')[4]).toBe(String(healthy_days))
  })

  it.each([
    [AT_STAKE - 1, [], 5],
    [AT_STAKE, [], 0],
    [0, ['--class', 'account_parked'], 5],
    [0, ['--class', 'double_billed'], 0],
    [PARKED.under + PARKED.over, ['--class', 'account_parked', '--state', 'open'], 0],
    [PARKED.under + PARKED.over - 1, ['--class', 'account_parked', '--state', 'open', '--format', 'json'], 5],
    [PARKED.closed, ['--state', 'closed'], 0],
    [PARKED.closed - 1, ['--state', 'closed'], 5],
    [ALL_CLOSED, RANGE, 0],
    [ALL_CLOSED - 1, RANGE, 5],
    [CLOSED.transferred - 1, [...RANGE, '--state', 'closed', '--class', 'transferred'], 5],
  ] as const)('--fail-above %i %j exits with %i', async (limit, more, code) => {
    const found = await run(['--fail-above', String(limit), ...more])
    expect([found.code, found.stderr]).toEqual([code, ''])
    expect(found.stdout).not.toBe('')
  })

  it('the text tells of days that cannot be compared', async () => {
    const billingHealth: Engine['billingHealth'] = async (...asked) => {
      const found = await alpha.billingHealth(...asked)
      return { ...found, data: { ...(found.data as Cells), unpriced_days: 31, unpriced_subscriptions: 2 } }
    }
    const { stdout } = await run([], { ...alpha, billingHealth })
    expect(stdout).toContain('\n31 days of 2 subscriptions cannot be compared, because a price is unknown.\n')
    expect((await run([])).stdout).not.toContain('cannot be compared')
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

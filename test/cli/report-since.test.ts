import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProduct } from '../../src/app/bin/product.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Block, Briefing } from '../../src/facades/presentation/briefing/briefing.ts'
import { insertRows } from '../support/data/killbill/insert-rows.ts'
import { loadReal } from '../support/data/killbill/load-killbill.ts'
import { literal } from '../support/data/killbill/sql-literals.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { runOver } from './run-product.ts'

const MADE = '2026-11-21T00:00:00Z'
const LATER = '2026-11-25T00:00:00Z'
const DAYS = { start: '2025-11-01', end: '2026-10-31' }

oneEngineInRotation('plumbline report --since', (target) => {
  let directory: string
  let database: TestDatabase
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'plumbline-since-test-'))
    database = await target.createDatabase()
    await loadReal(database)
    await settle(MADE)
    const rates = await run(['fx', 'import', join(packageRoot(), 'fixtures/killbill/real/expected/fx.csv')])
    expect(rates.code, rates.stderr).toBe(0)
    await made('report', 'board', '-o', path('earlier.json'))
    await settle(LATER)
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  const path = (name: string) => join(directory, name)
  const settle = (now: string) =>
    writeFile(
      path('plumbline.toml'),
      [
        ...['[database]', `url = ${JSON.stringify(database.url)}`, '[connector]', 'tenant = "alpha"'],
        ...['[definitions]', 'base_currency = "USD"', '[cache]', 'mode = "off"', '[clock]', `now = "${now}"`],
      ].join('\n'),
    )
  const run = (words: readonly string[]) => runOver(createProduct({ environment: {}, cwd: directory, home: undefined }), words)
  const made = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await run(words)
    expect(code, stderr).toBe(0)
    return stdout
  }
  const changesIn = async (name: string) => {
    const { blocks } = JSON.parse(await made('report', 'weekly', '--since', path(name), '--format', 'json')) as Briefing
    const block = blocks.at(-1) as Extract<Block, { readonly kind: 'sentences' }>
    expect(block.title).toBe(`Changed since the briefing of ${DAYS.start} to ${DAYS.end}`)
    return block.sentences
  }
  const edited = async (name: string, edit: (briefing: Record<string, unknown>) => unknown) =>
    writeFile(path(name), JSON.stringify(edit(JSON.parse(await readFile(path('earlier.json'), 'utf8')))))

  it('says that nothing has changed as long as nothing has', async () => {
    const sentences = await changesIn('earlier.json')
    expect(sentences).toEqual([expect.stringMatching(/^None of its \d{3} numbers has changed\.$/)])
  })

  it('names the numbers that a cancellation written later has changed, and the movement', async () => {
    const [largest] = JSON.parse(
      await made('rows', 'mrr', '--query-type', 'current', '--at', DAYS.end, '--limit', '1', '--format', 'json'),
    ).rows
    const [subscription] = await database.adminQuery(
      `select account_record_id, tenant_record_id from subscription_events
       where subscription_id = ${literal(largest.subscription_id, 'text', target.dialect.name)}`,
    )
    const [last] = await database.adminQuery('select max(record_id) as number from subscription_events')
    await insertRows(database, 'subscription_events', [
      {
        ...{ record_id: Number(last?.['number']) + 1, subscription_id: largest.subscription_id, user_type: 'CANCEL' },
        ...{ effective_date: '2026-10-15 12:00:00', created_date: '2026-11-23 09:00:00', quantity: null },
        ...{ account_record_id: subscription?.['account_record_id'], tenant_record_id: subscription?.['tenant_record_id'] },
      },
    ])
    const before = JSON.parse(await readFile(path('earlier.json'), 'utf8')) as Briefing
    const mrrOf = ({ blocks: [first] }: Briefing) => Number(first?.kind === 'figures' ? first.figures[0]?.value : undefined)
    const now = mrrOf(before) - largest.amount_base_cents
    const [count, ...sentences] = await changesIn('earlier.json')
    expect(count).toMatch(/^\d+ of its \d{3} numbers have changed\.$/)
    const dollars = (cents: number) =>
      (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    expect(sentences).toContain(
      `At the end of 2026-10, and the change in a year, MRR: ${dollars(mrrOf(before))} then, ${dollars(now)} now.`,
    )
    expect(sentences).toContain(`MRR by month, 2026-10, MRR: ${dollars(mrrOf(before))} then, ${dollars(now)} now.`)
    expect(sentences.filter((sentence) => /recorded since|it is gone| on 20.* then, /.test(sentence))).toEqual([
      `${largest.customer_name}, churn on 2026-10-15: ${dollars(-largest.amount_base_cents)} USD, recorded since.`,
    ])
    // Months before the cancellation are those of before.
    expect(sentences.filter((sentence) => /2026-0\d, (MRR|New|Churn)/.test(sentence))).toEqual([])
  })

  it('says what it cannot compare', async () => {
    await edited('undated.json', ({ movements: _, ...briefing }) => ({ ...briefing, definitions: 'other' }))
    const sentences = await changesIn('undated.json')
    expect(sentences).toContain('The file has no movements of MRR, so those of today cannot be compared with them.')
    expect(sentences).toContain('The definitions or the time zone have changed, too, so the numbers may mean something else.')
  })

  it('names movements that are gone, and those with another amount', async () => {
    type Movement = { customer_name: string; type: string; day: string; amount_base_cents: number }
    let kept: readonly Movement[] = []
    await edited('other.json', (briefing) => {
      kept = briefing['movements'] as readonly Movement[]
      const [first, ...rest] = kept
      return {
        ...briefing,
        movements: [{ ...first, customer_id: 'nobody', customer_name: 'Nobody' }, { ...first, amount_base_cents: 5 }, ...rest],
      }
    })
    const [first] = kept
    const sentences = await changesIn('other.json')
    const name = `${first?.type} on ${first?.day}`
    expect(sentences).toContainEqual(expect.stringMatching(new RegExp(`^Nobody, ${name}: .* USD then, and it is gone\\.$`)))
    expect(sentences).toContainEqual(
      expect.stringMatching(new RegExp(`^${first?.customer_name}, ${name}: 0\\.05 USD then, .* USD now\\.$`)),
    )
  })

  it.each([
    ['no file', async () => {}, 'cannot read'],
    [
      'no briefing',
      () => writeFile(path('bad.json'), '{"name": "board"}'),
      'This is no briefing that "plumbline report … -o earlier.json" wrote',
    ],
    ['no JSON', () => writeFile(path('bad.json'), 'MRR: 5'), 'is not JSON'],
    [
      'another currency',
      () => edited('bad.json', (briefing) => ({ ...briefing, base_currency: 'EUR' })),
      'The earlier briefing is in EUR and this one in USD',
    ],
  ])('refuses %s', async (_name, write, message) => {
    await write()
    const { code, stdout, stderr } = await run(['report', 'weekly', '--since', path('bad.json')])
    expect([code === 0, stdout]).toEqual([false, ''])
    expect(stderr).toContain(message)
  })
})

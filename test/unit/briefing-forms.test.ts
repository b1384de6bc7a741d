import { expect, it } from 'vitest'
import { BOARD } from '../../src/facades/presentation/briefing/board.ts'
import type { Block, Briefing } from '../../src/facades/presentation/briefing/briefing.ts'
import { briefingHtml } from '../../src/facades/presentation/briefing/html.ts'
import { briefingSlack } from '../../src/facades/presentation/briefing/slack.ts'
import { briefingTeams } from '../../src/facades/presentation/briefing/teams.ts'
import { briefingText } from '../../src/facades/presentation/briefing/text.ts'
import { WEEKLY } from '../../src/facades/presentation/briefing/weekly.ts'
import { TEAMS_MESSAGE } from '../support/product/teams-double.ts'

const table = (rows: number, cell = 'Acme'): Block => ({
  ...{ kind: 'table', title: 'Customers', page: 'customers', more: 1, hasBars: true },
  columns: [{ title: 'Name' }, { title: 'MRR', unit: 'money' }],
  rows: Array.from({ length: rows }, (_, index) => [`${cell} ${index}`, 1_000 * (index + 1)]),
})
const briefing = (...blocks: readonly Block[]): Briefing => ({
  ...{
    name: 'weekly',
    title: 'A week',
    days: { start: '2026-11-09', end: '2026-11-15' },
    data_through: null,
    base_currency: 'JPY',
  },
  ...{ time_zone: 'Asia/Tokyo', definitions: 'abc', blocks, left_out: [{ title: 'Trials', reason: 'There are none.' }] },
  warnings: ['Two prices are missing.'],
})
const sectionsOf = (given: Briefing) =>
  briefingSlack(given, 'https://p.example').blocks.flatMap(({ type, text }) =>
    type === 'section' ? [(text as { readonly text: string }).text] : [],
  )

it('writes amounts with the decimals of the currency, bars, and what is lacking', () => {
  const text = briefingText(briefing(table(2)))
  expect(text).toContain('Acme 0   10  ████████████\nAcme 1   20  ████████████████████████\nOne more is left out.')
  expect(text).toContain('The data reaches an unknown instant. Amounts are in JPY, and days in Asia/Tokyo. Definitions abc.')
  expect(text).toContain('Without "Trials": There are none.\nTwo prices are missing.')
})

it.each([
  [
    [
      ['a', 0],
      ['b', 0],
    ],
    'only zeros',
  ],
  [
    [
      ['a', -5],
      ['b', 5],
    ],
    'a value below zero',
  ],
  [[['a', 5]], 'a single value'],
] as const)('has no bars for %j: %s', (rows, _name) => {
  const one = { ...table(1), rows } as Block
  expect(briefingText(briefing(one))).not.toContain('█')
  expect(briefingHtml(briefing(one))).not.toContain('class="bar"')
})

it('shows no value as a dash, and fractions change by percentage points', () => {
  const figures: Block = {
    ...{ kind: 'figures', title: 'Figures', page: '' },
    figures: [
      { title: 'MRR', value: null, unit: 'money', days: 'now' },
      { title: 'NRR', value: 0.9, unit: 'fraction', days: 'a year', change: -0.015 },
      { title: 'Customers', value: 7, unit: 'count', days: 'now', change: 2 },
      { title: 'GRR', value: 0.9, unit: 'fraction', days: 'a year', change: -0.00001 },
    ],
  }
  const text = briefingText(briefing(figures))
  for (const line of [
    /^MRR +– +\(now\)$/m,
    /^NRR +90.00% +-1.50 pp +\(a year\)$/m,
    /^Customers +7 +\+2 +\(now\)$/m,
    /^GRR +90.00% +0.00 pp +\(a year\)$/m,
  ])
    expect(text).toMatch(line)
})

it('cuts a long table for Slack at whole lines, and keeps every message within its limits', () => {
  const [section = ''] = sectionsOf(briefing(table(200)))
  expect(section.length).toBeLessThanOrEqual(3_000)
  expect(section).toMatch(/^\*<https:\/\/p\.example\/customers\|Customers>\*\n```[\s\S]*…```$/)
  const [, long = ''] = sectionsOf(briefing({ kind: 'sentences', title: 'T', page: '', sentences: ['x'.repeat(9_000)] }))
  expect([long.length > 2_900, long.length <= 3_000]).toEqual([true, true])
  const { blocks } = briefingSlack(briefing(...Array.from({ length: 90 }, () => table(1))))
  expect(blocks).toHaveLength(50)
  expect(JSON.stringify(blocks.at(-1))).toContain('Slack takes no more blocks, so the last ones are left out.')
  expect(JSON.stringify(briefingSlack(briefing(table(1))).blocks)).not.toContain('left out.\n')
})

it('closes a table for Slack whose one row is longer than a message', () => {
  const [section = ''] = sectionsOf(briefing(table(1, 'y'.repeat(9_000))))
  expect(section.length).toBeLessThanOrEqual(3_000)
  expect((section.match(/```/g) ?? []).length % 2).toBe(0)
})

it('names no address without the one of the dashboard', () => {
  expect(briefingHtml(briefing(table(1)))).not.toContain('<a ')
  expect(briefingHtml(briefing(table(1)), 'https://p.example')).toContain('<a href="https://p.example/customers"')
})

it.each([
  ['2026-03-01', '2026-02-16', '2026-02-22', '2025-02-01', '2026-01-31'],
  ['2026-03-02', '2026-02-23', '2026-03-01', '2025-03-01', '2026-02-28'],
  ['2027-01-01', '2026-12-21', '2026-12-27', '2025-12-01', '2026-11-30'],
  ['2027-01-04', '2026-12-28', '2027-01-03', '2026-01-01', '2026-12-31'],
])('made on %s, a week is from %s to %s, and a year from %s to %s', (today, monday, sunday, first, last) => {
  expect(WEEKLY.daysOf(today)).toEqual({ start: monday, end: sunday })
  expect(BOARD.daysOf(today)).toEqual({ start: first, end: last })
})

const HOSTILE = [
  '<!channel>',
  '=HYPERLINK("http://evil.example")',
  '"><script>alert(1)</script>',
  '[free](https://evil.example)',
  'a\r\nb **bold**',
  '',
]

it('is a card of Teams in which names are text without markup', () => {
  for (const name of HOSTILE) {
    const message = briefingTeams(
      briefing(table(3, name), { kind: 'sentences', title: name, page: 'mrr', sentences: [name] }),
      'https://p.example',
    )
    const read = TEAMS_MESSAGE.safeParse(message)
    expect(read.error?.message).toBeUndefined()
    // Only rich texts, which have no markup, hold text; links lead to the origin alone.
    const written = JSON.stringify(message)
    expect(written).not.toContain('"TextBlock"')
    expect(written.match(/"url":"[^"]*/g)?.every((url) => url.startsWith('"url":"https://p.example/'))).toBe(true)
    expect(written).not.toMatch(/\\[rn]/)
  }
})

it.each([10, 100, 1_000, 20_000])('is a card of at most 28 KB with %i rows, and says what it lacks', (rows) => {
  const message = briefingTeams(
    briefing(table(rows), table(5), { kind: 'sentences', title: 'Why', page: 'mrr', sentences: Array(rows).fill('Because.') }),
  )
  expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(28 * 1024)
  expect(TEAMS_MESSAGE.safeParse(message).success).toBe(true)
  expect(JSON.stringify(message).includes('Teams takes no more')).toBe(rows > 10)
})

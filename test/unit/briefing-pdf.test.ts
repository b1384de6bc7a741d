import { expect, it } from 'vitest'
import type { Block, Briefing } from '../../src/facades/presentation/briefing/briefing.ts'
import { briefingPdf } from '../../src/facades/presentation/briefing/pdf.ts'
import { readPdf } from '../support/product/pdf-text.ts'

const series = (rows: number): Block => ({
  ...{ kind: 'table', title: 'MRR by month', page: 'mrr', more: 0, hasBars: true },
  columns: [{ title: 'Period' }, { title: 'MRR', unit: 'money' }],
  rows: Array.from({ length: rows }, (_, index) => [`2026-${String(index + 1).padStart(2, '0')}`, 100_000 * (index + 1)]),
})
const names = (given: readonly string[], more = 0): Block => ({
  ...{ kind: 'table', title: 'Customers', page: 'customers', more, hasBars: false },
  columns: [{ title: 'Name' }, { title: 'Share', unit: 'fraction' }],
  rows: given.map((name) => [name, 0.125]),
})
const FIGURES: Block = {
  ...{ kind: 'figures', title: 'Figures', page: '' },
  figures: [
    { title: 'MRR', value: 123_456, unit: 'money', days: 'at the end of 2026-11-15', change: -500 },
    { title: 'Net revenue retention', value: null, unit: 'fraction', days: 'a year' },
  ],
}
const briefing = (...blocks: readonly Block[]): Briefing => ({
  ...{ name: 'weekly', title: 'A week', days: { start: '2026-11-09', end: '2026-11-15' }, base_currency: 'EUR' },
  ...{
    data_through: '2026-11-16T05:00:00.000Z',
    definitions: 'abc',
    blocks,
    left_out: [],
    warnings: ['Two prices are missing.'],
  },
})
const pagesOf = async (given: Briefing, origin?: string) => (await readPdf(await briefingPdf(given, origin))).pages

it('has a cover, a page for each block, and texts that can be read', async () => {
  const sentences: Block = { kind: 'sentences', title: 'What changed', page: 'mrr', sentences: ['One left.', 'Two came.'] }
  const { title, pages } = await readPdf(await briefingPdf(briefing(FIGURES, series(12), sentences, names(['Acme'], 3))))
  const [cover, figures, chart, changes, table] = pages
  expect([title, pages.length]).toEqual(['A week', 5])
  expect(cover?.text).toContain('A week\n2026-11-09 to 2026-11-15\nThe data reaches 2026-11-16 05:00 UTC. Amounts are in EUR')
  expect(cover?.text).toContain('Two prices are missing.')
  expect(figures?.text).toContain('MRR\n1,234.56 EUR\n-5.00, at the end of 2026-11-15\nNet revenue retention\n–\na year')
  expect(chart?.text).toMatch(/12,000\.00\n2026-12[\s\S]*2026-01 1,000\.00\n[\s\S]*2026-12 12,000\.00\nA week 3 of 5$/)
  expect(changes?.text).toContain('What changed\nOne left.\nTwo came.')
  expect(table?.text).toContain('Acme 12.50%\n3 more are left out.')
})

it('is tagged: headings, a picture with words for it, and a table with heads', async () => {
  const [cover, chart] = await pagesOf(briefing(series(2)))
  expect(cover?.tags).toEqual(['H1', 'P', 'P', 'P'])
  expect(chart?.tags).toEqual(['H2', 'Figure', 'Table', ...['TR', 'TH', 'TH'], ...['TR', 'TD', 'TD'], ...['TR', 'TD', 'TD']])
})

it('has no chart where bars would mislead', async () => {
  const one = await pagesOf(briefing(series(1)))
  expect(one[1]?.tags).not.toContain('Figure')
})

it('goes on to further pages when a table is long, and loses no row', async () => {
  const all = Array.from({ length: 90 }, (_, index) => `Customer ${index}.`)
  const pages = await pagesOf(briefing(names(all)))
  expect(pages.length).toBeGreaterThan(3)
  const text = pages.map((page) => page.text).join('\n')
  for (const name of all) expect(text).toContain(name)
})

it('goes on to further pages when there are many figures', async () => {
  const [one] = (FIGURES as Extract<Block, { readonly kind: 'figures' }>).figures
  const many = Array.from({ length: 14 }, (_, index) => ({ ...(one as NonNullable<typeof one>), title: `Figure ${index}.` }))
  const pages = await pagesOf(briefing({ kind: 'figures', title: 'Figures', page: '', figures: many }))
  expect(pages).toHaveLength(3)
  expect(pages[1]?.text.match(/Figure \d+\./g)).toEqual(many.slice(0, 9).map(({ title }) => title))
  expect(pages[2]?.text.match(/Figure \d+\./g)).toEqual(many.slice(9).map(({ title }) => title))
})

it('shows hostile names as text, and links only its own pages', async () => {
  const hostile = ['=HYPERLINK("http://evil.example")', '"><script>', '(a) \\) Tj', 'two\r\nlines', 'Ωmega Привет Zażółć']
  const pages = await pagesOf(briefing(names(hostile)), 'https://p.example')
  const text = (pages[1]?.text ?? '').replace(/\s+/g, ' ')
  for (const name of hostile) expect(text).toContain(name.replace(/\s+/g, ' '))
  expect(pages.flatMap(({ links }) => links)).toEqual(['https://p.example/customers'])
})

it('is the same file for the same briefing', async () => {
  const [one, again, other] = await Promise.all([FIGURES, FIGURES, series(3)].map((block) => briefingPdf(briefing(block))))
  expect(Buffer.from(one ?? [])).toEqual(Buffer.from(again ?? []))
  expect(Buffer.from(one ?? []).equals(Buffer.from(other ?? []))).toBe(false)
})

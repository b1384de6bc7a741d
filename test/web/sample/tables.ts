import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { formatValue } from '../../../src/web/format/numbers.ts'
import type { ServedPage } from '../../support/product/served-page.ts'

type Row = Readonly<Record<string, unknown>>

const PHONE = 360
const columnOf = (table: Locator, place: number) => table.locator(`tbody td:nth-child(${place})`).allInnerTexts()
const sum = (rows: readonly Row[], key: string) => rows.reduce((total, row) => total + Number(row[key]), 0)

export function tables(served: ServedPage): void {
  describe('tables', () => {
    it('every column sorts, numbers by size and texts by name, and the sums stay', async () => {
      const { page, problems } = await served.show('/churn?range=last-12-months')
      const rows = (await served.ask('/api/metrics/churn?range=last-12-months&dimensions=cancel_reason')) as Row[]
      const card = page.getByRole('region', { name: 'By reason', exact: true })
      const head = (name: string) => card.getByRole('columnheader', { name })
      expect(await head('Churned').getAttribute('aria-sort')).toBe('descending')
      await head('Cancellation reason').getByRole('button').click()
      expect(await head('Cancellation reason').getAttribute('aria-sort')).toBe('ascending')
      expect(await head('Churned').getAttribute('aria-sort')).toBe('none')
      const names = await columnOf(card, 1)
      const known = names.filter((name) => name !== '–')
      expect(known).toEqual([...known].sort())
      // The reason that nobody gave is last in both directions.
      expect(names.at(-1)).toBe('–')
      await head('Cancellation reason').getByRole('button').click()
      expect(await columnOf(card, 1)).toEqual([...known.toReversed(), '–'])
      await head('Logo churn').getByRole('button').click()
      expect(await head('Logo churn').getAttribute('aria-sort')).toBe('descending')
      const rates = (await columnOf(card, 2)).map((text) => Number.parseFloat(text))
      expect(rates).toEqual([...rates].sort((one, other) => other - one))
      // Each reason has the same customers at the start, so only the churned ones add up.
      expect(await card.locator('tfoot').innerText()).toMatch(new RegExp(`^Total\\s+${sum(rows, 'churn_count')}\\s*$`))
      expect(problems).toEqual([])
    })

    it('a table that is a part of a longer list sorts by asking the API again', async () => {
      const { page, settled, problems } = await served.show('/usage?range=last-12-months')
      const path = '/api/metrics/usage-revenue/by-customer?range=last-12-months'
      const all = (await served.ask(path)) as Row[]
      const card = page.getByRole('region', { name: 'By customer', exact: true })
      expect(all.length).toBeGreaterThan(await card.locator('tbody tr').count())
      await card.getByRole('columnheader', { name: 'Revenue' }).getByRole('button').click()
      await card.getByRole('columnheader', { name: 'Revenue' }).getByRole('button').click()
      await settled()
      const least = (await served.ask(`${path}&order=revenue&limit=25`)) as Row[]
      expect(await columnOf(card, 1)).toEqual(least.map((row) => String(row['customer_name'])))
      // The sum of a part would be no number of anything.
      expect(await card.locator('tfoot').count()).toBe(0)
      expect(problems).toEqual([])
    })

    it('tenure is in its natural order, and levels add up over plans but not over months', async () => {
      const { page } = await served.show('/churn?range=last-12-months')
      const tenure = (await columnOf(page.getByRole('region', { name: 'By tenure', exact: true }), 1)).slice(0, -1).map(Number)
      expect(tenure.length).toBeGreaterThan(2)
      expect(tenure).toEqual([...tenure].sort((one, other) => one - other))

      const explored = await served.show('/explore?metric=mrr&range=last-3-months&dimensions=plan_id')
      const months = (await served.ask('/api/metrics/mrr?range=last-3-months&interval=month')) as Row[]
      const pivot = explored.page.getByRole('region', { name: 'Pivot table', exact: true })
      expect((await pivot.locator('tfoot').innerText()).trim().split(/\s+/)).toEqual([
        'Total',
        ...months.map((row) => formatValue(Number(row['mrr']), 'money', { currency: 'USD' })),
      ])
      const card = explored.page.getByRole('region', { name: 'MRR', exact: true })
      await card.getByRole('button', { name: 'Table' }).click()
      const [, , level = '', change = ''] = await card.locator('tfoot :is(th, td)').allInnerTexts()
      expect(level).toBe('')
      expect(change).toBe(formatValue(sum(months, 'amount_base'), 'money', { currency: 'USD', precise: true }))
    })

    it('on a phone a wide table says that it scrolls and keeps its first column', async () => {
      const { page, overflow } = await served.show('/explore?metric=mrr&range=last-12-months&dimensions=plan_id', {
        width: PHONE,
      })
      const frame = page.getByRole('region', { name: 'Pivot table', exact: true }).locator('.scroll-frame')
      await frame.getByText('Scroll for more columns →').waitFor()
      expect(await frame.getAttribute('data-more')).toBe('true')
      const scrolled = frame.locator('.table-scroll')
      const first = frame.locator('tbody td').first()
      const before = await first.boundingBox()
      await scrolled.evaluate((element) => element.scrollTo({ left: element.scrollWidth }))
      await frame.getByText('← Scroll back').waitFor()
      expect(await frame.getAttribute('data-more')).toBe('false')
      const after = await first.boundingBox()
      expect(Math.abs((after?.x ?? 0) - (before?.x ?? -1))).toBeLessThan(1)
      expect(await overflow()).toBe(0)
    })
  })
}

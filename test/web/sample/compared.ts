import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { formatChange, formatValue } from '../../../src/web/format/numbers.ts'
import type { ServedPage } from '../../support/product/served-page.ts'

type Row = Readonly<Record<string, unknown>>

const USD = { currency: 'USD', precise: true }
const cents = (value: unknown) => formatValue(Number(value), 'money', USD)
const change = (value: unknown) => formatChange(Number(value), 'money', USD)
const cardOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const RANGE = 'start=2026-08-01&end=2026-10-31&interval=month'

export function comparedPeriods(served: ServedPage): void {
  describe('a period is compared with another one', () => {
    it('the menu compares periods or segments, and never both', async () => {
      const { page, settled } = await served.show(`/mrr?${RANGE}`)
      const query = (name: string) => new URL(page.url()).searchParams.getAll(name)
      await page.getByRole('button', { name: 'Compare: none' }).click()
      await page.getByRole('menuitemradio', { name: 'Year before' }).click()
      await settled()
      expect(query('compare_to')).toEqual(['year'])
      await page.getByRole('button', { name: 'Compare: year before' }).click()
      await page.getByRole('menuitemcheckbox', { name: 'Partners' }).click()
      await page.keyboard.press('Escape')
      await settled()
      expect(query('compare_to')).toEqual([])
      expect(query('compare_segments').length).toBe(1)
      await page.getByRole('button', { name: 'Compare: 1 segment' }).click()
      await page.getByRole('menuitemradio', { name: 'Previous period' }).click()
      await settled()
      expect(query('compare_to')).toEqual(['previous'])
      expect(query('compare_segments')).toEqual([])
    })

    it('a chart draws it with its days, and the table has both numbers and the change', async () => {
      const { page, problems, accessibility } = await served.show(`/mrr?${RANGE}&compare_to=previous`)
      const rows = (await served.ask(`/api/metrics/mrr?${RANGE}&compare_to=previous`)) as Row[]
      const card = cardOf(page, 'MRR')
      const legend = 'Previous period: May 1 – Jul 31, 2026'
      await card.locator('.legend').getByText(legend).waitFor()
      const told = (await card.getByRole('img').getAttribute('aria-label')) ?? ''
      for (const row of rows) expect(told).toContain(formatValue(Number(row['previous_mrr']), 'money', { currency: 'USD' }))
      expect(await accessibility()).toEqual([])
      await card.getByRole('button', { name: 'Table' }).click()
      const heads = await card.getByRole('columnheader').allInnerTexts()
      expect(heads.slice(1, 4)).toEqual(['MRR', 'MRR before', 'MRR change'])
      const cells = await card.locator('tbody tr').evaluateAll((lines) => lines.map((line) => line.innerText.split(/\s*\t\s*/)))
      expect(cells.map((line) => line.slice(1, 4))).toEqual(
        rows.map((row) => [cents(row['mrr']), cents(row['previous_mrr']), change(row['change_mrr'])]),
      )
      expect(problems).toEqual([])
    })

    it('bars, groups and the bridge are compared too, and a table of groups', async () => {
      const { page, problems } = await served.show(`/mrr?${RANGE}&compare_to=year&dimensions=plan_id`)
      const days = 'Year before: Aug 1 – Oct 31, 2025'
      for (const name of ['MRR by plan', 'Movements', 'Quick ratio'])
        await cardOf(page, name).locator('.legend').getByText(days).waitFor()
      await cardOf(page, 'MRR bridge').getByText('The table has the comparison.').waitFor()
      await cardOf(page, 'MRR bridge').getByRole('button', { name: 'Table' }).click()
      const flow = (await served.ask(`/api/metrics/mrr/waterfall?${RANGE}&compare_to=year`)) as Row[]
      const sum = (key: string) => flow.reduce((total, row) => total + Number(row[key]), 0)
      const bridge = await cardOf(page, 'MRR bridge').locator('tbody').innerText()
      expect(bridge).toContain(cents(sum('previous_churn')))
      expect(bridge).toContain(change(sum('churn') - sum('previous_churn')))

      const churn = await served.show(`/churn?${RANGE}&compare_to=year`)
      const by = (await served.ask(`/api/metrics/churn?start=2026-08-01&end=2026-10-31&compare_to=year`)) as Row
      expect(by).toHaveProperty('previous')
      const reasons = cardOf(churn.page, 'By reason')
      expect(await reasons.getByRole('columnheader').allInnerTexts()).toContain('Churned before')
      // The list of customers at the start belongs to its own time.
      await cardOf(churn.page, 'Churned customers').getByText('Not compared: each row belongs to its own time.').waitFor()
      expect(problems).toEqual([])
    })

    it('what cannot be compared says why and is shown alone', async () => {
      const { page, problems } = await served.show('/mrr?range=all&compare_to=year')
      await cardOf(page, 'MRR').getByText('Not compared: no period comes before all time.').waitFor()
      await cardOf(page, 'MRR').getByRole('img').waitFor()
      const refused = await served.show('/mrr?start=1900-01-01&end=2026-10-31&interval=year&compare_to=year')
      // The API knows more than the page: it refuses, and the card shows its words.
      await cardOf(refused.page, 'MRR').getByText('would compare with days before 1900-01-01').waitFor()
      await cardOf(refused.page, 'MRR').getByRole('img').waitFor()
      expect(problems.filter((problem) => !problem.includes('400'))).toEqual([])
    })
  })
}

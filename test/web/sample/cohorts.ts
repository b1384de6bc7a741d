import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { formatPeriod } from '../../../src/web/format/days.ts'
import { formatValue } from '../../../src/web/format/numbers.ts'
import type { ServedPage } from '../../support/product/served-page.ts'
import { clickPlace } from './click-chart.ts'

type Answer = Readonly<Record<string, unknown>>

const panelOf = (page: Page) => page.getByRole('dialog')

export function cohortFigures(served: ServedPage): void {
  describe('cohorts on the page', () => {
    it('a cell of the cohorts opens the customers that left and those that stayed, by month and by quarter', async () => {
      const { page, go, settled, accessibility } = await served.show('/settings')
      await go('/retention?range=last-12-months')
      const rows = (await served.ask('/api/metrics/retention?range=last-12-months')) as Answer[]
      const sum = (of: readonly Answer[], field: string) => of.reduce((before, row) => before + Number(row[field]), 0)
      const namesIn = () => panelOf(page).locator('tbody tr td:first-child').allInnerTexts()
      // The first customer of the first cohort is always there.
      const first = page.locator('.heat .heat-cell').first()
      expect(await first.innerText()).toBe(formatValue(1, 'fraction'))
      await first.click()
      await settled()
      expect(await panelOf(page).locator('tbody tr').count()).toBe(Number(rows[0]?.['cohort_size']))
      await page.keyboard.press('Escape')

      const lossy = rows.find((row) => Number(row['active_count']) < Number(row['cohort_size']))
      const [month, since] = [formatPeriod(String(lossy?.['cohort_month']), 'month'), Number(lossy?.['months_since'])]
      const stayed = Number(lossy?.['active_count'])
      const gone = Number(lossy?.['cohort_size']) - stayed
      const line = page.locator('.heat tbody tr').filter({ has: page.getByRole('rowheader', { name: month, exact: true }) })
      const cell = line.locator('.heat-cell').nth(since)
      expect(await cell.innerText()).toBe(formatValue(stayed / (gone + stayed), 'fraction'))
      await cell.click()
      await settled()
      expect(await accessibility()).toEqual([])
      const kept = await namesIn()
      await panelOf(page).getByRole('button', { name: 'Left', exact: true }).click()
      await settled()
      const left = await namesIn()
      expect([left.length, kept.length]).toEqual([gone, stayed])
      expect(new Set([...left, ...kept]).size).toBe(gone + stayed)
      const csv = await panelOf(page).getByRole('link', { name: 'CSV' }).getAttribute('href')
      expect((await (await fetch(csv ?? '')).text()).trim().split('\n').length - 1).toBe(gone)
      await page.keyboard.press('Escape')

      // By quarter the monthly cohorts add up.
      await page.getByRole('button', { name: 'Quarterly' }).click()
      await settled()
      expect(new URL(page.url()).searchParams.get('cohorts')).toBe('quarter')
      const quarter = (await served.ask('/api/metrics/retention?start=2026-01-01&end=2026-06-30')) as Answer[]
      const started = quarter.filter((row) => String(row['cohort_month']) < '2026-04-01')
      const size = sum(
        started.filter((row) => row['months_since'] === 0),
        'cohort_size',
      )
      const later = sum(
        started.filter((row) => row['active_month'] === '2026-06-01'),
        'active_count',
      )
      expect(later).toBeLessThan(size)
      const ofQuarter = page.locator('.heat tbody tr').filter({ hasText: 'Q1 2026' })
      expect(await ofQuarter.locator('.heat-cell').nth(1).innerText()).toBe(formatValue(later / size, 'fraction'))
      await ofQuarter.locator('.heat-cell').nth(1).click()
      await settled()
      expect(await panelOf(page).locator('.panel-total .figure').innerText()).toBe(String(later))
      await page.keyboard.press('Escape')
      await page.locator('.heat-average').getByRole('button').nth(1).click()
      await settled()
      const shares = /^(\d+) of (\d+) customers/.exec(await panelOf(page).getByText(' customers. Every').innerText())
      expect(await panelOf(page).locator('.panel-total .figure').innerText()).toBe(shares?.[1])

      // The panel belongs to this page: back closes it, and further back is the previous page without it.
      await page.goBack()
      await panelOf(page).waitFor({ state: 'detached' })
      await page.getByRole('heading', { name: 'Retention', level: 1 }).waitFor()
      await page.goBack()
      await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
      expect(await panelOf(page).count()).toBe(0)
    })

    it('cohorts of revenue show the net or gross rate, and a cell opens the MRR of its customers', async () => {
      const { page, settled, accessibility, problems } = await served.show('/retention?range=last-12-months')
      const address = '/api/metrics/retention?range=last-12-months&query_type=revenue_cohort_matrix'
      const rows = (await served.ask(address)) as Answer[]
      // A cohort that lost MRR: both rates differ from 1.
      const lossy = rows.find((row) => Number(row['gross_retention_rate'] ?? 1) < 1 && Number(row['mrr']) > 0)
      const month = formatPeriod(String(lossy?.['cohort_month']), 'month')
      const line = page.locator('.heat tbody tr').filter({ has: page.getByRole('rowheader', { name: month, exact: true }) })
      const cell = line.locator('.heat-cell').nth(Number(lossy?.['months_since']))
      for (const [button, rate] of [
        ['Net revenue', 'net_retention_rate'],
        ['Gross revenue', 'gross_retention_rate'],
      ] as const) {
        await page.getByRole('button', { name: button, exact: true }).click()
        await settled()
        expect(await cell.innerText()).toBe(formatValue(Number(lossy?.[rate]), 'fraction'))
      }
      expect(new URL(page.url()).searchParams.get('kept')).toBe('gross')
      expect(await accessibility()).toEqual([])
      await cell.click()
      await settled()
      const shown = await panelOf(page).locator('.panel-total .figure').innerText()
      expect(Number(shown.replace(/[^0-9]/g, ''))).toBe(Math.round(Number(lossy?.['mrr']) / (shown.includes('.') ? 1 : 100)))
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Customers', exact: true }).first().click()
      await page.getByRole('region', { name: 'Customer retention by cohort', exact: true }).waitFor()
      expect(problems).toEqual([])
    })

    it('curves draw every cohort, and buttons choose the coloured ones', async () => {
      const { page } = await served.show('/retention?range=all')
      const rows = (await served.ask('/api/metrics/retention?range=all')) as Answer[]
      const whole = new Set(rows.filter((row) => row['is_complete'] === true).map((row) => String(row['cohort_month'])))
      await page.getByRole('button', { name: 'Curves' }).click()
      const card = page.getByRole('region', { name: 'Customer retention by cohort', exact: true })
      await card.getByText(`8 of ${whole.size} cohorts in colour, the others in grey.`).waitFor()
      const legend = () => card.locator('.legend li').allInnerTexts()
      const named = (months: readonly string[]) => months.map((month) => formatPeriod(month, 'month'))
      const all = [...whole].sort()
      expect(await legend()).toEqual(['All cohorts', ...named(all.slice(-8)), `${whole.size - 8} more, in grey`])
      await card.getByRole('button', { name: 'Earlier' }).click()
      expect(await legend()).toEqual(['All cohorts', ...named(all.slice(-16, -8)), `${whole.size - 8} more, in grey`])
      await card.getByRole('button', { name: 'Later' }).click()
      expect(await card.getByRole('button', { name: 'Later' }).isDisabled()).toBe(true)
      await card.getByRole('button', { name: 'Percent', exact: true }).click()
    })

    it('an average of the cohorts opens the cohorts in it, which lead on to their customers', async () => {
      const { page, go, settled, problems } = await served.show('/retention?range=last-6-months')
      const rows = (await served.ask('/api/metrics/retention?range=last-6-months')) as Answer[]
      const since = 2
      const within = rows.filter((row) => row['months_since'] === since && row['is_complete'] === true)
      const total = (field: string) => within.reduce((sum, row) => sum + Number(row[field]), 0)
      const [left, size] = [total('active_count'), total('cohort_size')]
      expect(within.length).toBeGreaterThan(1)
      // The first two columns are names and sizes.
      const cell = page.locator('.heat-average td').nth(since + 1)
      expect(await cell.innerText()).toBe(formatValue(left / size, 'fraction'))
      await cell.getByRole('button').focus()
      await page.keyboard.press('Enter')
      await panelOf(page).getByRole('heading', { name: 'All cohorts after 2 months' }).waitFor()
      await panelOf(page).getByText(`${left} of ${size} customers. Every customer counts once`).waitFor()
      expect(await panelOf(page).locator('tbody tr').count()).toBe(within.length)
      expect(await panelOf(page).locator('.panel-total .figure').innerText()).toBe(String(left))

      const [first] = within
      const number = panelOf(page).locator('tbody tr').first().getByRole('button').nth(1)
      expect(await number.innerText()).toBe(String(first?.['active_count']))
      await number.focus()
      await page.keyboard.press('Enter')
      await panelOf(page)
        .getByRole('heading', { name: / cohort at the end of / })
        .waitFor()
      await settled()
      expect(await panelOf(page).locator('.panel-total .figure').innerText()).toBe(String(first?.['active_count']))
      expect(await panelOf(page).locator('tbody tr').count()).toBe(first?.['active_count'])
      await page.keyboard.press('Escape')
      await panelOf(page).waitFor({ state: 'detached' })

      // A point of a curve opens a cell or an average.
      await page.getByRole('button', { name: 'Curves' }).click()
      await clickPlace(page.getByRole('img', { name: 'Customer retention by cohort' }), '+2')
      await panelOf(page)
        .getByRole('heading', { name: /^All cohorts after 2 months$| cohort at the end of / })
        .waitFor()
      await settled()
      const opened = (await panelOf(page).getByRole('heading').first().innerText()).split(' cohort')[0]
      const named = within.find((row) => formatPeriod(String(row['cohort_month']), 'month') === opened)
      expect(await panelOf(page).locator('.panel-total .figure').innerText()).toBe(String(named?.['active_count'] ?? left))

      // Compared segments apply to the chart and to the rows behind it.
      const segments = (await served.ask('/api/segments')) as readonly Answer[]
      const compared = `range=last-6-months&compare_segments=${segments[0]?.['id']}`
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Percent', exact: true }).click()
      await go(`/retention?${compared}`)
      const part = ((await served.ask(`/api/metrics/retention?${compared}`)) as Answer[]).filter(
        (row) => row['months_since'] === since && row['is_complete'] === true,
      )
      const partLeft = part.reduce((sum, row) => sum + Number(row['active_count']), 0)
      expect(partLeft).toBeLessThan(left)
      await page
        .locator('.heat-average td')
        .nth(since + 1)
        .getByRole('button')
        .click()
      await settled()
      expect(await panelOf(page).locator('.panel-total .figure').innerText()).toBe(String(partLeft))
      expect(problems).toEqual([])
    })
  })
}

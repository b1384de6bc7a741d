import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { formatValue } from '../../../src/web/format/numbers.ts'
import type { ServedPage } from '../../support/product/served-page.ts'

const panelOf = (page: Page) => page.getByRole('dialog')
const rowsOf = (page: Page) => panelOf(page).locator('tbody tr').allInnerTexts()
const isOpen = async (page: Page) => (await panelOf(page).count()) > 0
const MOVEMENTS = '/mrr?range=last-3-months'

export function panelsInAddress(served: ServedPage): void {
  /** Opens the churn of the last month. */
  async function openChurn(page: Page, settled: () => Promise<void>): Promise<void> {
    const card = page.getByRole('region', { name: 'Movements', exact: true })
    await card.getByRole('button', { name: 'Table' }).click()
    await card.getByTitle('Show Churn in Oct 2026', { exact: true }).click()
    await settled()
    await panelOf(page).getByRole('heading', { name: 'Churn in Oct 2026' }).waitFor()
  }

  describe('a panel is part of the address', () => {
    it('back closes it, forward opens it again, and Escape takes it out of the address', async () => {
      const { page, settled, problems } = await served.show(MOVEMENTS)
      const before = page.url()
      await openChurn(page, settled)
      const rows = await rowsOf(page)
      expect(rows.length).toBeGreaterThan(1)
      expect(new URL(page.url()).searchParams.get('panel')).toContain('/api/metrics/mrr/rows?')
      await page.goBack()
      await panelOf(page).waitFor({ state: 'detached' })
      expect(page.url()).toBe(before)
      await page.goForward()
      await settled()
      expect(await rowsOf(page)).toEqual(rows)
      await page.keyboard.press('Escape')
      await panelOf(page).waitFor({ state: 'detached' })
      await expect.poll(() => page.url()).toBe(before)
      expect(problems).toEqual([])
    })

    it('a shared link opens it with the same rows, and closing leaves the page', async () => {
      const { page, settled } = await served.show(MOVEMENTS)
      await openChurn(page, settled)
      const rows = await rowsOf(page)
      const sum = await panelOf(page).locator('.panel-total').innerText()
      const other = await served.visit(page.url().slice(served.url.length))
      await panelOf(other.page).getByRole('heading', { name: 'Churn in Oct 2026' }).waitFor()
      expect(await rowsOf(other.page)).toEqual(rows)
      expect(await panelOf(other.page).locator('.panel-total').innerText()).toBe(sum)
      expect(await other.accessibility()).toEqual([])
      await other.page.keyboard.press('Escape')
      await panelOf(other.page).waitFor({ state: 'detached' })
      expect(other.page.url()).toBe(served.url + MOVEMENTS)
      expect(other.problems).toEqual([])
      await other.page.context().close()
    })

    it('a panel in a panel is one step further, and closing goes back to the page', async () => {
      const { page, settled } = await served.show('/retention?range=last-6-months')
      const before = page.url()
      const average = page.locator('.heat-average').getByRole('button').nth(2)
      await average.click()
      await settled()
      await panelOf(page).locator('tbody .cell-button').nth(1).click()
      await panelOf(page)
        .getByRole('heading', { name: / cohort at the end of / })
        .waitFor()
      await page.goBack()
      await panelOf(page)
        .getByRole('heading', { name: /^All cohorts after/ })
        .waitFor()
      await page.goForward()
      await panelOf(page)
        .getByRole('heading', { name: / cohort at the end of / })
        .waitFor()
      await panelOf(page).getByRole('button', { name: 'Close' }).click()
      await panelOf(page).waitFor({ state: 'detached' })
      await expect.poll(() => page.url()).toBe(before)
      // The focus returns to the number that opened the first panel.
      expect(await average.evaluate((button) => button.matches(':focus'))).toBe(true)
    })

    it('the sum covers all rows, though the panel shows a page of them, and each row unfolds to its records', async () => {
      const { page, settled, problems, accessibility } = await served.show('/mrr?range=last-12-months')
      const why = (await served.ask('/api/metrics/mrr/why?range=last-12-months')) as { start_mrr: number; end_mrr: number }
      await page.getByRole('button', { name: 'Show rows: MRR rose by' }).click()
      await settled()
      const panel = panelOf(page)
      const { total } = (await served.ask(
        '/api/metrics/mrr/rows?query_type=waterfall&range=last-12-months&period=all&limit=1',
      )) as { total: number }
      await panel.getByText(`1–50 of ${total}`).waitFor()
      const change = formatValue(why.end_mrr - why.start_mrr, 'money', { currency: 'USD', precise: true })
      expect(await panel.locator('.panel-total .figure').innerText()).toBe(change)
      // The keyboard unfolds a row to records of the billing database.
      const unfold = panel.getByRole('button', { name: /^Evidence: / }).first()
      await unfold.focus()
      await page.keyboard.press('Enter')
      expect(await unfold.getAttribute('aria-expanded')).toBe('true')
      const records = panel.getByRole('list', { name: 'Records of the billing database' })
      expect(await records.innerText()).toMatch(/subscription_events \d+ · /)
      expect(await accessibility()).toEqual([])
      await panel.getByRole('button', { name: 'Next' }).click()
      await panel.getByText(`51–100 of ${total}`).waitFor()
      await settled()
      expect([await records.count(), await panel.locator('.panel-total .figure').innerText()]).toEqual([0, change])
      expect(problems).toEqual([])
    })

    it('what is no panel does not open, and the title of a panel is text', async () => {
      const { page, problems } = await served.visit(
        '/mrr?range=last-3-months&panel=/api/keys?_title=%3Cimg+src=x%3E&dimensions=plan_id',
      )
      expect(await isOpen(page)).toBe(false)
      expect(problems).toEqual([])
      await page.context().close()
      const titled = await served.visit(
        '/mrr?range=last-3-months&panel=/api/metrics/mrr/rows?at=2026-10-31;group=nothing;_title=%3Cimg+src=x%3E',
      )
      // A title is text, and a call that the API refuses says why.
      await panelOf(titled.page).getByRole('heading', { name: '<img src=x>' }).waitFor()
      await panelOf(titled.page).getByText('Unknown dimension "nothing".').first().waitFor()
      await titled.page.context().close()
    })
  })
}

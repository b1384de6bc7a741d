import { describe, expect, it } from 'vitest'
import type { ServedPage } from '../../support/product/served-page.ts'

export function palette(served: ServedPage): void {
  describe('the search', () => {
    it.each([
      ['quick ratio', 'Quick ratio'],
      ['expansion', 'MRR movements: new, expansion, contraction, churn, reactivation'],
      ['arpa', 'Revenue per customer'],
      ['france', 'MRR · Country: France'],
      ['forecast', 'MRR forecast, next 12 months'],
      ['why', 'Why MRR changed'],
      ['bridge', 'MRR bridge'],
      ['reconcile', 'Reconcile'],
    ])('finds %s as %s', async (text, label) => {
      const { page, problems } = await served.show('/')
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill(text)
      await page.getByRole('option').filter({ hasText: label }).first().waitFor()
      await page.keyboard.press('Escape')
      expect(problems).toEqual([])
    })

    it('says that there is no match once all answers are there, and not before', async () => {
      const { page } = await served.visit('/')
      let answer = () => {}
      const held = new Promise<void>((resolve) => {
        answer = resolve
      })
      await page.route('**/api/customers?*', async (route) => {
        await held
        await route.continue()
      })
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('zzzzq')
      await page.getByText('Searching…').waitFor()
      expect(await page.getByText('No match.').count()).toBe(0)
      answer()
      await page.getByText('No match.').waitFor()
      await page.context().close()
    })
  })

  describe('the page Reconcile', () => {
    it('shows a frame while its steps are read, then the steps in words', async () => {
      const { page } = await served.visit('/settings')
      let answer = () => {}
      const held = new Promise<void>((resolve) => {
        answer = resolve
      })
      await page.route('**/fields', async (route) => {
        await held
        await route.continue()
      })
      await page.route('**/bridge?*', async (route) => {
        await held
        await route.continue()
      })
      await page.getByRole('link', { name: 'Reconcile' }).click()
      await page.getByRole('heading', { name: 'MRR from killbill-analytics to default' }).waitFor()
      const card = page.getByRole('region', { name: /^MRR from/ })
      expect(await card.getByText('Loading…').count()).toBe(1)
      answer()
      await card.getByText('MRR usage: not counted → mean of three months').waitFor()
      expect(await page.locator('main').innerText()).not.toContain('mean3')
      await page.context().close()
    })
  })

  describe('one label is one number', () => {
    it('“Agreed but not billed” is the same on the overview and on billing health', async () => {
      const { page, go } = await served.show('/')
      const { monthly_unbilled_base_cents: cents } = (await served.ask('/api/billing-health?state=open')) as {
        monthly_unbilled_base_cents: number
      }
      const shown = `Agreed but not billed: $${Math.round(cents / 100).toLocaleString('en-US')} a month.`
      expect(await page.locator('[data-notice=unbilled]').innerText()).toContain(shown)
      await go('/billing-health')
      await page
        .getByRole('button', { name: new RegExp(`^Not billed \\$${Math.round(cents / 100).toLocaleString('en-US')} a month`) })
        .waitFor()
    })

    it('the number of a tile shows its focus, and lists keep their bullets inside the card', async () => {
      const { page, go } = await served.show('/')
      await page.locator('.tile[data-field=mrr] .tile-link').focus()
      await page.keyboard.press('Tab')
      const focused = page.locator('.tile[data-field=mrr] .cell-button')
      expect(await focused.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
      expect(await focused.evaluate((one) => one.matches(':focus-visible'))).toBe(true)
      expect(await page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`)).toBe('solid')
      await go('/billing-health')
      const padding = await page.evaluate(
        `[...document.querySelectorAll('.card ul')].map((one) => parseFloat(getComputedStyle(one).paddingLeft))`,
      )
      expect(padding).not.toHaveLength(0)
      for (const pixels of padding as number[]) expect(pixels).toBeGreaterThanOrEqual(18)
    })
  })
}

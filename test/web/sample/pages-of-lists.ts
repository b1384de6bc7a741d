import { describe, expect, it } from 'vitest'
import type { ServedPage } from '../../support/product/served-page.ts'
import { clickPlace } from './click-chart.ts'

interface Listed {
  readonly total: number
  readonly rows: readonly { readonly customer_name: string }[]
}

const LISTS = [
  {
    path: '/renewals?view=all&month=2026-12-01',
    card: 'Renewals to come, Dec 2026',
    api: '/api/subscriptions/renewals?start=2026-12-01&end=2026-12-31&',
    customer: 2,
  },
  { path: '/billing-health', card: 'What else needs a look', api: '/api/billing-health/notices?', customer: 1 },
] as const

/** Lists of records that are longer than a page. */
export function pagesOfLists(served: ServedPage): void {
  describe('a list that is longer than a page', () => {
    it.each(LISTS)('$card: every row is on one of its pages, and a file has all', async ({ path, card, api, customer }) => {
      const { page, settled, problems } = await served.show(path)
      const { total, rows } = (await served.ask(`${api}limit=1000`)) as Listed
      const list = page.getByRole('region', { name: card, exact: true })
      const next = list.getByRole('button', { name: 'Next' })
      const seen: string[] = []
      const turn = async () => seen.push(...(await list.locator(`tbody td:nth-child(${customer}) .name`).allInnerTexts()))
      await turn()
      expect(seen.length).toBeLessThan(total)
      while (await next.isEnabled()) {
        await next.click()
        await settled()
        await turn()
      }
      expect(seen).toEqual(rows.map(({ customer_name }) => customer_name))
      expect(await list.locator('.pager').innerText()).toContain(`–${total} of ${total}`)
      await list.getByRole('button', { name: `More options for ${card}` }).click()
      const file = await page.getByRole('menuitem', { name: 'Download CSV' }).getAttribute('href')
      expect((await (await fetch(file ?? '')).text()).trim().split('\r\n').length).toBe(total + 1)
      await page.keyboard.press('Escape')
      expect(problems).toEqual([])
    })

    it('begins with its first page after the filter changes, and the chart has all months on every page', async () => {
      const { page, go, settled } = await served.show('/renewals?view=all')
      const list = page.getByRole('region', { name: 'Renewals to come', exact: true })
      const chart = page.getByRole('region', { name: 'Renewals by month', exact: true }).getByRole('img')
      const months = await chart.getAttribute('aria-label')
      expect(months).toContain('Contracts')
      await list.getByRole('button', { name: 'Next' }).click()
      await list.getByText('101–').waitFor()
      await settled()
      expect(await chart.getAttribute('aria-label')).toBe(months)
      const { total } = (await served.ask('/api/subscriptions/renewals?filter=currency=USD&limit=1')) as Listed
      await go('/renewals?view=all&filter=currency=USD')
      await list.getByText(`1–100 of ${total}`).waitFor()
    })

    it('of renewals begins with the contracts, and a click on a month narrows it', async () => {
      const { page, settled, problems } = await served.show('/renewals')
      const ask = async (query: string) =>
        ((await served.ask(`/api/subscriptions/renewals?term=contract&limit=1000${query}`)) as Listed).rows
      const names = async (card: string) =>
        page.getByRole('region', { name: card, exact: true }).locator('tbody .name').allInnerTexts()
      const named = (rows: Listed['rows']) => rows.map(({ customer_name }) => customer_name)
      expect(await names('Contracts that renew')).toEqual(named(await ask('')).slice(0, 100))
      const chart = page.getByRole('region', { name: 'Renewals by month', exact: true }).getByRole('img')
      await clickPlace(chart, 'Dec 2026')
      await settled()
      expect(new URL(page.url()).searchParams.get('month')).toBe('2026-12-01')
      expect(await names('Contracts that renew, Dec 2026')).toEqual(named(await ask('&start=2026-12-01&end=2026-12-31')))
      await page.getByRole('button', { name: 'All months' }).click()
      await settled()
      expect(new URL(page.url()).searchParams.has('month')).toBe(false)
      expect(problems).toEqual([])
    })
  })
}

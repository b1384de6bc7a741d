import { describe, expect, it } from 'vitest'
import type { ServedPage } from '../../support/product/served-page.ts'

interface Listed {
  readonly total: number
  readonly rows: readonly { readonly customer_name: string }[]
}

const LISTS = [
  { path: '/renewals', card: 'Renewals to come', api: '/api/subscriptions/renewals', customer: 2 },
  { path: '/billing-health', card: 'What else needs a look', api: '/api/billing-health/notices', customer: 1 },
] as const

/** Lists of records that are longer than a page. */
export function pagesOfLists(served: ServedPage): void {
  describe('a list that is longer than a page', () => {
    it.each(LISTS)('$card: every row is on one of its pages, and a file has all', async ({ path, card, api, customer }) => {
      const { page, settled, problems } = await served.show(path)
      const { total, rows } = (await served.ask(`${api}?limit=1000`)) as Listed
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

    it('begins with its first page after the filter changes, and the months stay on every page', async () => {
      const { page, go, settled } = await served.show('/renewals')
      const list = page.getByRole('region', { name: 'Renewals to come', exact: true })
      const months = await list.getByRole('listitem').allInnerTexts()
      expect(months.length).toBeGreaterThan(0)
      await list.getByRole('button', { name: 'Next' }).click()
      await list.getByText('101–').waitFor()
      await settled()
      expect(await list.getByRole('listitem').allInnerTexts()).toEqual(months)
      const { total } = (await served.ask('/api/subscriptions/renewals?filter=currency=USD&limit=1')) as Listed
      await go('/renewals?filter=currency=USD')
      await list.getByText(`1–100 of ${total}`).waitFor()
    })
  })
}

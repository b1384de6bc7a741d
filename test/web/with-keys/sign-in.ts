import { describe, expect, it } from 'vitest'
import type { ServedPage } from '../../support/product/served-page.ts'
import { NOBODY } from './signed-in.ts'

function newKey(served: ServedPage, scopes: readonly string[] = ['read']) {
  return served.engine.auth.keys.create({ name: 'reader', scopes }, { actor: NOBODY })
}

export function signInWithKey(served: ServedPage): void {
  describe('sign-in with a key', () => {
    it('leads to the page that was asked for, lasts for the tab, and may do what its scopes say, until it is revoked', async () => {
      const { id, key } = await newKey(served)
      const { page, settled, accessibility } = await served.visit('/usage?range=last-3-months')
      expect(await accessibility()).toEqual([])
      await page.getByLabel('API key').fill('pl_0000000000000000000000000000000000000000000')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('This API key is not valid.').waitFor()
      await page.getByLabel('API key').fill(key)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
      await page.reload()
      await settled()
      expect(page.url()).toBe(`${served.url}/usage?range=last-3-months`)
      // A link carries no credential, so the page fetches the file itself.
      await page.getByRole('button', { name: 'More options for By plan' }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: 'Download CSV' }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(/^usage-revenue.*\.csv$/)
      const customers = (await (
        await fetch(`${served.url}/api/customers?limit=1`, { headers: { authorization: `Bearer ${key}` } })
      ).json()) as { rows: { id: string }[] }
      await page.goto(`${served.url}/customers/${customers.rows[0]?.id}`)
      await settled()
      await page.getByRole('heading', { level: 2, name: 'Attributes' }).waitFor()
      // The page hides actions that the user may not do.
      expect(await page.getByRole('button', { name: 'Add', exact: true }).count()).toBe(0)
      await page.getByRole('button', { name: 'Sign out' }).click()

      await page.getByLabel('API key').fill(key)
      await page.getByRole('button', { name: 'Sign in' }).click()
      // No request may be pending: its rejection would lead to sign-in by itself.
      await page.getByRole('heading', { level: 2, name: 'Attributes' }).waitFor()
      await settled()
      await page.waitForTimeout(1_000)
      await served.engine.auth.keys.revoke(id, { actor: NOBODY })
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Trials' }).click()
      await page.getByText('Your session has ended').waitFor()
      expect(new URL(page.url()).pathname).toBe('/trials')
      await page.context().close()
    })

    it('shows the ledger without customers, invoices and entries to a key for sums', async () => {
      const { key } = await newKey(served, ['read:aggregate'])
      const { page, settled, go, accessibility } = await served.visit('/ledger?view=receivables')
      await page.getByLabel('API key').fill(key)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { level: 1, name: 'Ledger' }).waitFor()
      await settled()
      expect(await page.locator('.tile-value').count()).toBe(7)
      expect(await page.getByText('Customers and their invoices need the scope read.').count()).toBe(1)
      expect(await page.getByRole('region', { name: 'Receivables by age', exact: true }).count()).toBe(1)
      expect(await page.getByRole('region', { name: 'Open invoices', exact: true }).count()).toBe(0)
      expect(await page.getByRole('alert').count()).toBe(0)
      expect(await accessibility()).toEqual([])
      await go('/ledger?view=export')
      expect(await page.getByText('Entries of the journal need the scope read.').count()).toBe(1)
      await page.context().close()
    })
  })
}

import { expect, it } from 'vitest'
import { sampleConfig } from '../../src/app/demo/sample-config.ts'
import { prepareSampleData } from '../../src/app/demo/sample-data.ts'
import { describeServed } from '../support/product/describe-served.ts'
import { serveOver } from '../support/product/served-page.ts'

describeServed(
  'the page over Lago',
  (served) => {
    it('has no page in the menu that Lago cannot supply', async () => {
      const [source] = (await served.ask('/api/sources')) as { readonly unsupported: readonly string[] }[]
      expect(source?.unsupported).toEqual(['billing_health', 'billing_notices', 'billings', 'involuntary_churn'])
      const { page, problems } = await served.show('/')
      const menu = page.getByRole('navigation', { name: 'Pages' })
      expect(await menu.getByRole('link', { name: 'Renewals' }).count()).toBe(1)
      expect(await menu.getByRole('link', { name: 'Billing health' }).count()).toBe(0)
      expect(problems).toEqual([])
    })

    it('says at its address that it is not available, and is not found by the search', async () => {
      const { page, problems } = await served.show('/billing-health')
      expect(await page.getByText('Not available from this data source.').count()).toBe(1)
      expect(await page.getByRole('alert').count()).toBe(0)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('billing')
      await page.waitForTimeout(500)
      expect(await page.getByRole('option', { name: 'Billing health' }).count()).toBe(0)
      await page.keyboard.press('Escape')
      expect(problems).toEqual([])
    })

    it('says each warning about its data once', async () => {
      const { page } = await served.show('/')
      const warnings = await page.locator('.warnings li').allInnerTexts()
      expect(warnings.toSorted()).toEqual([
        'Counted as 0, because the catalog has no price for catalog-plan (USD, 2 subscriptions).',
        'Some values are inferred because the billing engine does not record them.',
      ])
    })
  },
  async () => {
    const data = await prepareSampleData('lago')
    return serveOver(sampleConfig(data, { port: '0' }), { dispose: data.dispose })
  },
)

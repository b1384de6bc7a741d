import { expect, it } from 'vitest'
import { sampleConfig } from '../../src/app/demo/sample-config.ts'
import { prepareSampleData } from '../../src/app/demo/sample-data.ts'
import { describeServed } from '../support/product/describe-served.ts'
import { serveOver } from '../support/product/served-page.ts'

describeServed(
  'the page over a mirror of Stripe',
  (served) => {
    it('shows notices of billing health, and says that days are not compared', async () => {
      const [source] = (await served.ask('/api/sources')) as { readonly unsupported: readonly string[] }[]
      expect(source?.unsupported).toEqual(expect.arrayContaining(['billing_health', 'involuntary_churn']))
      expect(source?.unsupported).not.toContain('billing_notices')
      const { page, problems } = await served.show('/billing-health')
      expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Billing health' }).count()).toBe(1)
      expect(await page.getByText('This data source has no charges by day').count()).toBe(1)
      const card = page.getByRole('region', { name: 'What else needs a look' })
      await card.getByText('Mrr at risk: 9').or(card.getByText('MRR at risk: 9')).waitFor()
      const sums = await card.locator('summary').first().innerText()
      expect(sums.match(/not known/g)).toHaveLength(6)
      expect(await page.locator('.health-part').count()).toBe(0)
      expect(await page.getByRole('alert').count()).toBe(0)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('billed')
      await page.waitForTimeout(500)
      expect(await page.getByRole('option', { name: 'Agreed but not billed' }).count()).toBe(0)
      await page.getByRole('combobox').fill('billing')
      await page.getByRole('option', { name: 'Billing health' }).first().waitFor()
      await page.keyboard.press('Escape')
      expect(problems).toEqual([])
    })
  },
  async () => {
    const data = await prepareSampleData('stripe')
    return serveOver(sampleConfig(data, { port: '0' }), { dispose: data.dispose })
  },
)

import { expect, it } from 'vitest'
import { emptySample, hostileSample } from '../support/data/changed-sample.ts'
import { describeServed } from '../support/product/describe-served.ts'
import { servePage } from '../support/product/served-page.ts'

const NARROW = 360
const PAGES = [
  '/',
  '/churn?dimensions=customer_country',
  '/customers',
  '/explore?view=total&dimensions=customer_name',
  '/ledger',
  '/ledger?view=receivables',
  '/settings',
]
/** How far the page and each stacked table can scroll sideways. */
const ASIDE = `[document.documentElement, ...document.querySelectorAll('.is-stacked')].map((one) => one.scrollWidth - one.clientWidth)`

const SAMPLES = { 'customers of hostile names': hostileSample, 'no customers': emptySample }

for (const [name, prepare] of Object.entries(SAMPLES)) {
  describeServed(
    `narrow pages about ${name}`,
    (served) => {
      it.each(PAGES)('%s scrolls nowhere aside, runs no markup of a name and is clean to axe', async (path) => {
        const { page, problems, settled, accessibility } = await served.show(path, { width: NARROW })
        const wide = async () => (await page.evaluate<number[]>(ASIDE)).filter((width) => width !== 0)
        expect(await wide()).toEqual([])
        expect(await page.locator('main b, main i, main img').count()).toBe(0)
        expect(await page.title()).toContain('Plumbline')
        expect(await accessibility()).toEqual([])
        // From the list, if it has rows, to the page of a customer.
        for (const customer of (await page.locator('[aria-label="Customers, table"] .name').all()).slice(0, 1)) {
          await customer.click()
          await settled()
          expect(new URL(page.url()).pathname).not.toBe(path)
          expect(await wide()).toEqual([])
        }
        expect(problems).toEqual([])
      })

      if (prepare === emptySample)
        it('the ledger says in words that nothing happened', async () => {
          const { page, go, problems } = await served.show('/ledger')
          expect(await page.getByText('Nothing was billed or recognized in these months.').count()).toBe(3)
          expect(await page.locator('.tile-value').allInnerTexts()).toEqual([...Array.from({ length: 6 }, () => '$0'), '–'])
          await go('/ledger?view=receivables')
          expect(await page.getByText('No invoice was open on this day.').count()).toBe(3)
          expect(problems).toEqual([])
        })
    },
    () => servePage({}, 0, {}, prepare),
  )
}

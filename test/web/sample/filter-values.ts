import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { valueLabel } from '../../../src/web/format/labels.ts'
import type { ServedPage } from '../../support/product/served-page.ts'

interface Values {
  readonly values: readonly string[]
  readonly count: number | null
}

/** Fields of the filter form, by page. The examples of segments have no values of the first three, and too few of the others. */
const FIELDS = [
  { path: '/churn', metric: 'churn', field: 'cancel_reason', name: 'Cancellation reason', some: 'Too expensive' },
  { path: '/churn', metric: 'churn', field: 'churn_type', name: 'Churn type', some: 'Logo' },
  { path: '/mrr', metric: 'mrr', field: 'movement_source', name: 'Movement source', some: 'Usage' },
  { path: '/mrr', metric: 'mrr', field: 'plan_id', name: 'Plan', some: 'pro-monthly' },
  { path: '/mrr', metric: 'mrr', field: 'customer_country', name: 'Country', some: 'Germany' },
  { path: '/mrr', metric: 'mrr', field: 'price_list', name: 'Price list', some: 'DEFAULT' },
] as const

/** Opens the form of a new filter, chooses the field and opens its values. */
async function openValues(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: '+ Filter' }).click()
  await page.getByLabel('Field', { exact: true }).fill(name)
  await page.getByRole('option', { name, exact: true }).click()
  await page.getByLabel('Value', { exact: true }).click()
}

const SOON = { timeout: 10_000 }

/** The list offers these values, in any order, once the list of fields has closed. */
async function expectOffered(page: Page, values: readonly string[]): Promise<void> {
  await expect.poll(async () => (await page.getByRole('option').allInnerTexts()).toSorted(), SOON).toEqual(values.toSorted())
}

export function filterValues(served: ServedPage): void {
  describe('the form of a filter', () => {
    it.each(FIELDS)('offers every value of $field on $path', async ({ path, metric, field, name, some }) => {
      const { values } = (await served.ask(`/api/metrics/${metric}/fields/${field}/values`)) as Values
      const { page, problems } = await served.show(path)
      await openValues(page, name)
      const option = page.getByRole('option')
      await option.filter({ hasText: some }).first().waitFor()
      await expectOffered(
        page,
        values.map((value) => valueLabel(value, field)),
      )
      expect(problems).toEqual([])
      await option.filter({ hasText: some }).first().click()
      // Figures on the page that do not take this filter are refused from here on.
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('button', { name: `Remove filter ${name}: ${some}` }).waitFor()
      await page.getByRole('button', { name: `Remove filter ${name}: ${some}` }).click()
    })

    it('offers countries in the order of their names', async () => {
      const { page } = await served.show('/mrr')
      await openValues(page, 'Country')
      await page.getByRole('option', { name: 'Germany' }).waitFor()
      const { values } = (await served.ask('/api/metrics/mrr/fields/customer_country/values')) as Values
      const names = values.map((value) => valueLabel(value, 'customer_country'))
      await expect
        .poll(() => page.getByRole('option').allInnerTexts(), SOON)
        .toEqual(names.toSorted((one, other) => one.localeCompare(other)))
      await page.keyboard.press('Escape')
    })

    it('offers the values of an attribute', async () => {
      const { values } = (await served.ask('/api/attributes/tier/values')) as Values
      expect(values.length).toBeGreaterThan(2)
      const { page } = await served.show('/mrr')
      await openValues(page, 'Tier')
      await page.getByRole('option', { name: values[0] ?? '', exact: true }).waitFor()
      await expectOffered(page, values)
      await page.keyboard.press('Escape')
    })

    it('finds a value by typing if there are more than it lists', async () => {
      // Another window has not asked for these values yet.
      const { page } = await served.visit('/mrr')
      const searched: (string | null)[] = []
      await page.route('**/fields/price_list/values*', (route) => {
        const search = new URL(route.request().url()).searchParams.get('search')
        searched.push(search)
        const json = search === null ? { values: ['a-list'], count: 1_001 } : { values: ['z-list'], count: 1 }
        return route.fulfill({ json })
      })
      await openValues(page, 'Price list')
      await page.getByRole('option', { name: 'a-list' }).waitFor()
      await page.getByLabel('Value', { exact: true }).pressSequentially('z')
      await page.getByRole('option', { name: 'z-list' }).waitFor()
      expect(searched).toEqual([null, 'z'])
      await page.context().close()
    })
  })
}

import { describe, expect, it } from 'vitest'
import { formatChange, formatValue } from '../../../src/web/format/numbers.ts'
import type { ServedPage } from '../../support/product/served-page.ts'

const LEVEL = 'start=2026-05-01&end=2026-10-31'
const PLAN = 'filter=plan_id%3Dpro-monthly'
const EUR = 'filter=currency%3DEUR'

interface Compared {
  readonly value: number
  readonly change: number
}

export function unfitFilters(served: ServedPage): void {
  const ask = async (path: string) => (await served.ask(`/api/metrics/${path}`)) as Compared
  const usd = { currency: 'USD' }

  describe('a filter that some figures do not take', () => {
    it.each([
      { filter: PLAN, name: 'Plan', more: ['trial_conversion_rate'] },
      { filter: EUR, name: 'Currency', more: ['logo_churn_rate', 'ltv'] },
    ])('$filter: the overview shows the key metrics that take it, and says so of the others', async ({ filter, name, more }) => {
      const { page, settled, accessibility } = await served.show(`/?${LEVEL}&${filter}`)
      const of = `${filter}&compare_to=previous`
      const [mrr, arr, arpu, churn, kept, moved] = await Promise.all([
        ask(`mrr?at=2026-10-31&${of}`),
        ask(`arr?at=2026-10-31&${of}`),
        ask(`ltv/arpu?at=2026-10-31&${of}`),
        ask(`churn?type=revenue&start=2026-10-01&end=2026-10-31&${of}`),
        ask(`retention?query_type=nrr&start=2025-11-01&end=2026-10-31&${of}`),
        served.ask(`/api/metrics/mrr/waterfall?start=2026-10-01&end=2026-10-31&${of}`) as Promise<
          readonly { net_change: number; change_net_change: number }[]
        >,
      ])
      const tile = (field: string) => page.locator(`.tile[data-field="${field}"]`)
      const value = (field: string) => tile(field).locator('.tile-value').innerText()
      const shown = async (field: string) => [
        await value(field),
        (await tile(field).locator('.tile-foot > *').first().innerText()).replace(/^[▲▼] /, ''),
      ]
      const money = ({ value, change }: Compared) => [formatValue(value, 'money', usd), formatChange(change, 'money', usd)]
      expect(await shown('mrr')).toEqual(money(mrr))
      expect(await shown('arr')).toEqual(money(arr))
      expect(await shown('arpu')).toEqual(money(arpu))
      const [{ net_change, change_net_change: change } = { net_change: 0, change_net_change: 0 }] = moved
      expect(net_change).not.toBe(0)
      expect(await shown('net_new_mrr_so_far')).toEqual(money({ value: net_change, change }))
      expect((await shown('revenue_churn_rate'))[0]).toBe(formatValue(churn.value, 'fraction'))
      // The data begin within the twelve months before, so there is nothing to compare with.
      expect(await value('nrr_12_months')).toBe(formatValue(kept.value, 'fraction'))
      const fields = await page.locator('.tile').evaluateAll((tiles) => tiles.map((one) => one.getAttribute('data-field')))
      expect(fields.toSorted()).toEqual(
        ['arpu', 'arr', 'grr_12_months', 'mrr', 'net_new_mrr_so_far', 'nrr_12_months', 'revenue_churn_rate', ...more].toSorted(),
      )
      expect(await page.getByRole('alert').count()).toBe(0)
      await page.getByText(`The other key metrics are not shown, because they can’t be narrowed by ${name}.`).waitFor()
      expect(await accessibility()).toEqual([])
      await page.getByRole('button', { name: `Remove the filter on ${name}` }).click()
      await settled()
      expect(new URL(page.url()).searchParams.has('filter')).toBe(false)
      const summary = (await served.ask('/api/metrics/summary?at=2026-10-31')) as { mrr: number; nrr_12_months: number }
      expect((await shown('mrr'))[0]).toBe(formatValue(summary.mrr, 'money', usd))
      expect(await value('nrr_12_months')).toBe(formatValue(summary.nrr_12_months, 'fraction'))
    })

    it('logo churn leads to revenue churn, which takes the plan', async () => {
      const { page, settled } = await served.show(`/churn?${LEVEL}&${PLAN}`)
      const notice = page.getByText('Logo churn counts whole customers, so a filter on Plan does not apply.')
      await notice.waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
      expect(await page.locator('.headline-label').allInnerTexts()).toEqual(['Revenue churn'])
      await notice.getByRole('link', { name: 'Revenue' }).click()
      await settled()
      expect(new URL(page.url()).searchParams.get('view')).toBe('revenue')
      expect(await page.getByRole('alert').count()).toBe(0)
      const figures = await page.locator('.headline .figure').allInnerTexts()
      for (const days of ['start=2026-10-01&end=2026-10-31', LEVEL]) {
        const rate = (await served.ask(`/api/metrics/churn?type=revenue&${days}&${PLAN}`)) as number
        expect(figures).toContain(formatValue(rate, 'fraction'))
      }
      expect(await page.getByRole('region', { name: 'By plan', exact: true }).getByText('pro-monthly').count()).toBe(1)
    })

    it('a card that the filter does not apply to says so quietly', async () => {
      const { page } = await served.show(`/retention?${PLAN}`)
      await page.getByText('Can’t be narrowed by Plan', { exact: true }).first().waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
    })

    it.each(['/', '/churn'])('%s: a filter that no metric has is an error', async (path) => {
      const { page } = await served.show(`${path}?filter=colour%3Dred&${PLAN}`)
      await page.getByRole('alert').filter({ hasText: 'Unknown filter "colour".' }).first().waitFor()
      expect(
        await page
          .locator('.notice')
          .filter({ hasText: /whole customers|narrowed/ })
          .count(),
      ).toBe(0)
    })
  })
}

import { describe, expect, it } from 'vitest'
import { formatValue } from '../../../src/web/format/numbers.ts'
import type { ServedPage } from '../../support/product/served-page.ts'

const SAID = 'A forecast: days after today count only what is already scheduled.'
const NONE = 'These figures have no forecast. Only MRR, ARR and MRR movements have one.'
const AHEAD = 'range=next-6-months'
/** The sample ends in November 2026. */
const MONTHS = ['Dec 2026', 'Jan 2027', 'Feb 2027', 'Mar 2027', 'Apr 2027', 'May 2027']

export function forecasts(served: ServedPage): void {
  describe('a range after today', () => {
    it.each(['/mrr', '/'])('%s says once that it is a forecast, and names each month', async (path) => {
      const { page, problems, overflow } = await served.show(`${path}?${AHEAD}`)
      expect(await page.getByText(SAID).count()).toBe(1)
      const charts = await page.locator('.chart-place').evaluateAll((all) => all.map((one) => one.ariaLabel ?? ''))
      expect(charts.length).toBeGreaterThan(1)
      for (const label of charts) expect(label).not.toMatch(/\d{4}-\d{2}-\d{2}/)
      expect(charts[0]).toMatch(new RegExp(MONTHS.join('.*')))
      expect(await page.locator('.chart .legend').getByText('Lighter and dashed: forecast').count()).toBeGreaterThan(1)
      expect(await page.getByRole('alert').count()).toBe(0)
      expect([problems, await overflow()]).toEqual([[], 0])
    })

    it('the overview has MRR and ARR of the last day, as the API forecasts it', async () => {
      const { page } = await served.show(`/?${AHEAD}`)
      const asked = Number(await served.ask('/api/metrics/mrr?at=2027-05-31&forecast=true'))
      const tile = page.locator('.tile[data-field=mrr]')
      expect(await tile.locator('.tile-days').innerText()).toBe('on May 31, 2027')
      expect(await tile.locator('.tile-value').innerText()).toBe(formatValue(asked, 'money', { currency: 'USD' }))
      expect(await page.locator('.tile').count()).toBe(2)
    })

    it.each(['/churn', '/retention', '/ltv', '/trials', '/usage', '/plans', '/countries', '/explore?metric=nrr'])(
      '%s has no forecast, and says so without an error',
      async (path) => {
        const { page, settled, problems } = await served.show(`${path}${path.includes('?') ? '&' : '?'}${AHEAD}`)
        expect(await page.getByText(NONE).count()).toBe(1)
        expect(await page.getByRole('alert').count()).toBe(0)
        expect(await page.locator('.warnings').count()).toBe(0)
        await page.getByRole('button', { name: 'Show the last 12 months' }).click()
        await settled()
        expect(await page.getByText(NONE).count()).toBe(0)
        expect(problems).toEqual([])
      },
    )
  })
}

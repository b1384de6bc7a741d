import { describe, expect, it } from 'vitest'
import { readAddress } from '../../../src/web/controls/search.ts'
import type { ServedPage } from '../../support/product/served-page.ts'

export function addresses(): void {
  describe('an address', () => {
    it.each([
      ['range=last-x-months&interval=fortnight', { range: 'last-x-months', interval: 'fortnight' }],
      ['start=2026-02-30&end=2026-03-01', { start: '2026-02-30', end: '2026-03-01' }],
      ['filter=colour&filter=currency=EUR', { filter: ['colour', 'currency=EUR'] }],
      ['offset=-5&range=last-3-months', { range: 'last-3-months' }],
      ['code=a&state=b&iss=c&error=d&interval=', { code: 'a', state: 'b', iss: 'c', error: 'd' }],
    ])('keeps what can be meant, and what is not the page’s own: %s', (query, read) => {
      expect(readAddress(`?${query}`)).toEqual(read)
    })
  })
}

export function stateInAddress(served: ServedPage): void {
  describe('the address is the state of a page', () => {
    it('what is chosen stands in the address, survives a reload and is undone by going back', async () => {
      const { page, settled, problems } = await served.show('/usage')
      const query = () => Object.fromEntries(new URL(page.url()).searchParams)
      await page.getByRole('button', { name: /Last 12 months/ }).click()
      await page.getByRole('button', { name: 'Last 6 months' }).click()
      await settled()
      expect(query()).toEqual({ range: 'last-6-months' })
      await page.getByRole('button', { name: /^Group by/ }).click()
      await page.getByRole('option', { name: 'Plan', exact: true }).click()
      await settled()
      expect(query()).toEqual({ range: 'last-6-months', dimensions: 'plan_id' })
      await page.getByRole('button', { name: '+ Filter' }).click()
      await page.getByLabel('Field').fill('Currency')
      await page.getByLabel('Value').fill('EU')
      await page.getByRole('option', { name: 'EUR' }).click()
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await settled()
      expect(query()).toEqual({ range: 'last-6-months', dimensions: 'plan_id', filter: 'currency=EUR' })
      const revenue = page.locator('.headline-value').first()
      const shown = await revenue.innerText()
      await page.reload()
      await settled()
      expect(await revenue.innerText()).toBe(shown)
      const asked = await served.ask('/api/metrics/usage-revenue?range=last-6-months&filter=currency%3DEUR')
      expect(shown.replaceAll(/\D/g, '')).toBe(String(Math.round(Number(asked) / 100)))
      await page.goBack()
      await settled()
      expect(query()).toEqual({ range: 'last-6-months', dimensions: 'plan_id' })
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Trials' }).click()
      await settled()
      // The date range stays, the group does not.
      expect(query()).toEqual({ range: 'last-6-months' })
      expect(problems).toEqual([])
    })

    it('says how far behind a replica was, and customers are narrowed by country', async () => {
      const { page, settled } = await served.visit('/customers?country=DE')
      const rows = (await served.ask('/api/customers?country=DE&limit=1')) as { total: number }
      await page.getByText(`of ${rows.total}`).waitFor()
      await page.route('**/api/customers?*', async (route) => {
        const response = await route.fetch()
        const given = Date.parse(response.headers()['date'] ?? '')
        const behind = { 'x-warnings': 'replica_lagging', 'x-data-through': new Date(given - 12 * 60_000).toISOString() }
        await route.fulfill({ response, headers: { ...response.headers(), ...behind } })
      })
      await page.getByRole('button', { name: /^Country: Germany/ }).click()
      await page.getByRole('menuitemradio', { name: 'Any', exact: true }).click()
      await settled()
      expect(new URL(page.url()).searchParams.has('country')).toBe(false)
      await page.getByText('The replica is 12 minutes behind').waitFor()
      await page.context().close()
    })

    it('a refused first answer is shown, and not asked for without end', async () => {
      const { page } = await served.visit('/segments')
      let asked = 0
      await page.route(
        (url) => url.pathname === '/api/metrics/mrr',
        async (route) => {
          asked += 1
          await route.fulfill({ status: 422, json: { detail: 'There is no rate.', code: 'missing_fx_rate', request_id: 'r' } })
        },
      )
      await page.reload()
      await page.getByRole('heading', { level: 1, name: 'Segments' }).waitFor()
      await page.waitForTimeout(500)
      expect(asked).toBeGreaterThan(0)
      expect(asked).toBeLessThanOrEqual(3)
      await page.context().close()
    })

    it('an address that the API refuses says what is wrong with it', async () => {
      const { page } = await served.show('/usage?filter=colour%3Dred')
      await page.getByText('Unknown filter "colour".').first().waitFor()
      await page.getByText('This metric can’t be filtered by this field.').first().waitFor()
      await page.getByRole('button', { name: 'Remove filter Colour: red' }).click()
      await page.locator('.headline-value').first().waitFor()
    })

    it.each([
      ['range=banana', '"range" must be a named range such as this-month, last-month'],
      ['interval=banana', '"interval" must be day, week, month, quarter or year; got "banana".'],
      ['start=banana&end=2026-01-31', '"start" must be a date (YYYY-MM-DD); got "banana".'],
      ['start=2026-01-01', '"end" is missing.'],
      ['filter=colour', '"filter" must be written key=value; got "colour".'],
    ])('%s is refused as the API does, with a way out', async (query, refusal) => {
      const { page, settled } = await served.show(`/mrr?${query}`)
      expect(await page.getByRole('alert').innerText()).toContain(refusal)
      expect(await page.locator('main .card, main .headline').count()).toBe(0)
      await page.getByRole('button', { name: 'Show the last 12 months' }).click()
      await settled()
      expect(new URL(page.url()).search).toBe('')
      expect(await page.getByRole('button', { name: /^Last 12 months/ }).count()).toBe(1)
      expect(await page.getByRole('alert').count()).toBe(0)
      expect(await page.locator('main .headline').count()).toBeGreaterThan(0)
    })

    it('an address with names that nothing has ends no page', async () => {
      // At page load, and when the address changes later.
      const { page, go, problems } = await served.visit('/mrr?range=constructor')
      for (const query of ['range=constructor', 'range=last-x-months', 'filter=constructor%3Dx', 'start=x&end=y']) {
        await go(`/mrr?${query}`)
        await page.getByRole('heading', { level: 1, name: 'MRR' }).waitFor()
        expect(
          problems.filter((problem) => problem.startsWith('error')),
          query,
        ).toEqual([])
        expect(await page.locator('main').innerText(), query).not.toMatch(/function |\[object /)
      }
      await page.context().close()
    })

    it('by keyboard alone: the palette goes to a page, and the menu chooses a step', async () => {
      const { page, settled } = await served.show('/usage')
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder('Search, or ask “MRR by plan”').waitFor()
      await page.keyboard.type('tria')
      await page.getByRole('option', { name: 'Trials Page' }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Trials' }).waitFor()
      await settled()
      await page.getByRole('button', { name: /^Interval/ }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('menuitemradio', { name: 'Quarter' }).focus()
      await page.keyboard.press('Enter')
      await settled()
      expect(new URL(page.url()).searchParams.get('interval')).toBe('quarter')
    })

    it('light or dark is chosen and kept', async () => {
      const { page, settled } = await served.visit('/usage', { theme: 'light' })
      await page.getByRole('button', { name: /^Theme/ }).click()
      await page.getByRole('menuitemradio', { name: 'Dark' }).click()
      await page.reload()
      await settled()
      expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
      await page.context().close()
    })
  })
}

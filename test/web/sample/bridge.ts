import { describe, expect, it } from 'vitest'
import { formatChange, formatValue } from '../../../src/web/format/numbers.ts'
import type { ServedPage } from '../../support/product/served-page.ts'

interface Bridge {
  readonly from: { readonly value: number }
  readonly to: { readonly value: number }
  readonly steps: readonly { readonly option: string; readonly value: number; readonly difference: number }[]
}

const SETS = 'from=killbill-analytics&to=default'
const DAYS = 'start=2026-05-01&end=2026-10-31'

/** The figures in the order of Explore, then those that Explore does not have. */
const FIGURES = [
  'MRR',
  'ARR',
  'Revenue per customer',
  'Logo churn',
  'Revenue churn',
  'Net revenue retention',
  'Gross revenue retention',
  'Lifetime value',
  'Trial conversion',
  'Usage revenue',
  'Involuntary churn: Logo',
  'Involuntary churn: Revenue',
  'Ledger: Recognized',
  'LTV: Sale price',
  'Trials: Time to convert',
]

const change = (cents: number) => formatChange(cents, 'money', { currency: 'USD' })

export function bridgePage(served: ServedPage): void {
  describe('the bridge', () => {
    it('shows each step with its difference, and opens the rows that add up to it', async () => {
      const { page, settled, problems } = await served.show(`/bridge?${SETS}&${DAYS}`)
      const asked = (await served.ask(`/api/metrics/mrr/bridge?${SETS}&at=2026-10-31`)) as Bridge
      const differences = asked.steps.filter(({ difference }) => difference !== 0)
      expect(differences.length).toBeGreaterThan(2)
      const shown = page.locator('main .cell-button')
      expect(await shown.allInnerTexts()).toEqual(differences.map(({ difference }) => change(difference)))
      const panel = page.getByRole('dialog')
      for (const [place, { option, difference }] of differences.entries()) {
        await shown.nth(place).click()
        await settled()
        const exactly = formatValue(difference, 'money', { currency: 'USD', precise: true })
        expect(await panel.locator('.panel-total .figure').innerText()).toBe(exactly)
        const { total } = (await served.ask(`/api/metrics/mrr/rows?${SETS}&at=2026-10-31&bridge_step=${option}`)) as {
          total: number
        }
        expect(await panel.locator('.panel-sum').innerText()).toContain(`${total} row`)
        expect(await panel.locator('thead th').allInnerTexts()).toEqual(
          expect.arrayContaining(['Customer', 'Before', 'After', 'Difference']),
        )
        await page.keyboard.press('Escape')
        await panel.waitFor({ state: 'detached' })
      }
      expect(problems).toEqual([])
    })

    it('begins the path of docs/follow-a-number.md, which ends at the cause', async () => {
      const { page, go, settled, problems } = await served.show('/bridge?range=last-month')
      const panel = page.getByRole('dialog')
      await page
        .getByRole('row', { name: /^Quantity/ })
        .getByRole('button')
        .click()
      await settled()
      expect(await panel.locator('.panel-sum').innerText()).toMatch(/\$28,907\.57\s+124 rows$/)
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'detached' })
      await go('/customers?search=customer+78')
      await page.getByTitle('Show MRR of alpha customer 78', { exact: true }).click()
      await settled()
      expect(await panel.locator('.panel-sum').innerText()).toMatch(/1 row$/)
      await panel.getByRole('button', { name: 'Evidence: alpha customer 78' }).click()
      await panel.getByText('quantity 4 since 2025-07-17 (QUANTITY_UPDATE)').waitFor()
      await panel.getByText(/^price 8250 JPY MONTHLY .*, since the price date 2025-09-23$/).waitFor()
      await go('/billing-health?view=too_much')
      await page.getByText(/^Quantity reverted\. .*Billed: 10 units for 82500 JPY a month, since Sep 23, 2025\./).waitFor()
      expect(problems).toEqual([])
    })

    it('chooses another figure and other sets, and keeps them in the address', async () => {
      const { page, settled, problems } = await served.show(`/bridge?${DAYS}`)
      await page.getByRole('button', { name: /^Metric:/ }).click()
      await page.getByRole('menuitemradio', { name: 'ARR' }).click()
      await page.getByRole('button', { name: /^From:/ }).click()
      await page.getByRole('menuitemradio', { name: 'plumbline' }).click()
      await settled()
      expect(new URL(page.url()).search).toContain('metric=arr')
      expect(new URL(page.url()).search).toContain('from=plumbline')
      await page.getByRole('heading', { name: 'ARR from plumbline to default' }).waitFor()
      expect(problems).toEqual([])
    })
  })

  describe('the figures of the bridge', () => {
    it('are all numbers that the API describes, each with the steps and rows of the API', async () => {
      // A new page remembers no answer of another test.
      const { page, go, settled, problems } = await served.visit(`/bridge?${DAYS}`)
      const panel = page.getByRole('dialog')
      const numbers: { readonly metric: string; readonly query_type: string; readonly dates: 'day' | 'range' }[] = []
      for (const metric of (await served.ask('/api/metrics')) as string[]) {
        const fields = (await served.ask(`/api/metrics/${metric}/fields`)) as {
          numbers: Omit<(typeof numbers)[number], 'metric'>[]
        }
        numbers.push(...fields.numbers.map((number) => ({ metric, ...number })))
      }
      await page.getByRole('button', { name: /^Metric:/ }).click()
      const labels = await page.getByRole('menuitemradio').allInnerTexts()
      expect(labels.map((label) => label.replace(/^✓?\s*/, ''))).toEqual(FIGURES)
      expect(labels.length).toBe(numbers.length)
      await page.keyboard.press('Escape')
      const asked: URL[] = []
      page.on('request', (request) => asked.push(new URL(request.url())))
      for (const label of FIGURES) {
        await page.getByRole('button', { name: /^Metric:/ }).click()
        await page.getByRole('menuitemradio', { name: label, exact: true }).click()
        await settled()
        await page.getByRole('heading', { name: `${label} from ` }).waitFor()
        const buttons = page.locator('main .cell-button')
        for (let place = 0; place < (await buttons.count()); place += 1) {
          await buttons.nth(place).click()
          await settled()
          await panel.locator('.panel-total').waitFor()
          await page.keyboard.press('Escape')
          await panel.waitFor({ state: 'detached' })
        }
      }
      const bridges = asked.filter(({ pathname }) => pathname.endsWith('/bridge'))
      const answered = (end: string) => (url: URL) =>
        `${url.pathname.split('/').at(-2)} ${url.searchParams.get('query_type')} ${end}`
      const all = numbers.map(({ metric, query_type, dates }) => `${metric} ${query_type} ${dates}`)
      const seen = bridges.map((url) => answered(url.searchParams.has('at') ? 'day' : 'range')(url))
      // The first figure was there before.
      expect(new Set([...seen, 'mrr current day'])).toEqual(new Set(all))
      await go('/bridge?metric=nothing')
      await page.getByRole('heading', { name: 'MRR from ' }).waitFor()
      expect(problems).toEqual([])
      await page.context().close()
    })
  })

  describe('verification', () => {
    it('runs every check with its progress, and shows each result', async () => {
      const { page, problems } = await served.show('/settings')
      const card = page.getByRole('region', { name: 'Verify' })
      const { checks } = (await served.ask('/api/verify/checks')) as { checks: readonly { description: string }[] }
      expect(await card.locator('tbody tr').count()).toBe(checks.length)
      await card.getByRole('button', { name: 'Verify now' }).click()
      const done = card.getByText(`${checks.length} of ${checks.length} checks done`)
      await expect.poll(() => done.count(), { timeout: 240_000, interval: 500 }).toBe(1)
      const states = (await card.locator('tbody tr td:first-child').allInnerTexts()).map((text) => text.trim())
      expect(states.filter((state) => !['OK', 'Does not apply'].includes(state))).toEqual([])
      expect(problems).toEqual([])
    }, 300_000)
  })
}

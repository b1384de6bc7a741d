import { describe, expect, it } from 'vitest'
import { formatChange } from '../../../src/web/format/numbers.ts'
import type { ServedPage } from '../../support/product/served-page.ts'

interface Bridge {
  readonly from: { readonly value: number }
  readonly to: { readonly value: number }
  readonly steps: readonly { readonly option: string; readonly value: number; readonly difference: number }[]
}

const SETS = 'from=killbill-analytics&to=default'
const DAYS = 'start=2026-05-01&end=2026-10-31'

const change = (cents: number) => formatChange(cents, 'money', { currency: 'USD' })

export function bridgePage(served: ServedPage): void {
  describe('the bridge', () => {
    it('shows each step with its difference, and opens the rows that add up to it', async () => {
      const { page, settled, problems } = await served.show(`/bridge?${SETS}&${DAYS}`)
      const asked = (await served.ask(`/api/metrics/mrr/bridge?${SETS}&at=2026-10-31`)) as Bridge
      const differences = asked.steps.filter(({ difference }) => difference !== 0)
      expect(differences.length).toBeGreaterThan(2)
      const shown = page.locator('main .link-button')
      expect(await shown.allInnerTexts()).toEqual(differences.map(({ difference }) => change(difference)))
      for (const [place, { option, difference }] of differences.entries()) {
        await shown.nth(place).click()
        await settled()
        const rows = page.getByRole('region', { name: /^Rows behind/ })
        expect(await rows.locator('.panel-sum strong').innerText()).toBe(change(difference))
        const { total } = (await served.ask(`/api/metrics/mrr/rows?${SETS}&at=2026-10-31&bridge_step=${option}`)) as {
          total: number
        }
        expect(await rows.locator('.panel-sum').innerText()).toContain(`${total} row`)
      }
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

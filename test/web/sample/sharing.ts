import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { ServedPage } from '../../support/product/served-page.ts'

const PHONE = 360
const HEIGHT = 900
/** Size of a PNG: two numbers of four bytes after its signature and the head of its first part. */
const sizeOf = (png: Buffer) => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) })

/** Every text that the page draws on a canvas, from now on. */
async function drawnTexts(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(`(() => {
    globalThis.drawn = []
    const draw = CanvasRenderingContext2D.prototype.fillText
    CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
      globalThis.drawn.push(text)
      return draw.call(this, text, ...more)
    }
  })()`)
  return () => page.evaluate<readonly string[]>('globalThis.drawn')
}

export function sharing(served: ServedPage): void {
  describe('what leaves the page', () => {
    it('a picture has its title, choices, legend, currency, freshness and definitions', async () => {
      const { page, problems } = await served.visit(
        '/mrr?start=2026-08-01&end=2026-10-31&interval=month&dimensions=customer_country&filter=currency=EUR',
      )
      const texts = await drawnTexts(page)
      const card = page.getByRole('region', { name: 'MRR by country', exact: true })
      const shown = await card.locator('.chart-place').boundingBox()
      await card.getByRole('button', { name: 'More options for MRR by country' }).click()
      const coming = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: 'Download PNG' }).click()
      const file = await coming
      expect(file.suggestedFilename()).toBe('mrr-by-country.png')
      const { width, height } = sizeOf(readFileSync(await file.path()))
      expect(width).toBeGreaterThan(2 * (shown?.width ?? 0))
      expect(height).toBeGreaterThan(2 * (shown?.height ?? 0) + 80)
      const drawn = await texts()
      const all = drawn.join('\n')
      expect(drawn).toContain('MRR by country')
      expect(all).toContain('Aug 1, 2026 – Oct 31, 2026 (UTC)')
      expect(all).toContain('Grouped by Country')
      expect(all).toContain('Currency: EUR')
      for (const name of await card.locator('.legend li').allInnerTexts()) expect(drawn).toContain(name)
      const { headers } = await fetch(`${served.url}/api/metrics/mrr`)
      expect(all).toContain(`Definitions ${headers.get('x-definitions')}`)
      expect(all).toContain('Amounts in USD')
      expect(all).toContain('Data through Nov 20, 2026')
      expect(problems).toEqual([])
      await page.context().close()
    })

    it('a retention chart marks 100 %, ends no axis above it, and a ratio begins at 0', async () => {
      const { page, settled } = await served.visit('/usage')
      const texts = await drawnTexts(page)
      const open = async (name: string, heading: string) => {
        await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click()
        await page.getByRole('heading', { level: 1, name: heading }).waitFor()
        await settled()
        await page.locator('canvas').first().waitFor()
      }
      await open('Retention', 'Retention')
      await page.getByRole('button', { name: 'Gross', exact: true }).click()
      await settled()
      await expect.poll(texts).toContain('100%')
      const above = (await texts()).filter((text) => /^1[0-9]{2}(\.\d)?%$/.test(text) && text !== '100%')
      // Net retention can exceed 100 %. Gross retention and the curves cannot.
      await page.getByRole('button', { name: 'Curves' }).click()
      await settled()
      const later = (await texts()).filter((text) => /^1[0-9]{2}(\.\d)?%$/.test(text) && text !== '100%')
      expect(later).toEqual(above)
      await page.evaluate('globalThis.drawn.length = 0')
      await open('MRR', 'MRR')
      await expect.poll(texts).toContain('0')
      await page.context().close()
    })

    it('on paper: light, whole tables, the choices as a line, and no menus', async () => {
      const { page } = await served.visit('/explore?metric=mrr&dimensions=customer_id&range=last-12-months', { theme: 'dark' })
      const card = page.getByRole('region', { name: 'MRR', exact: true })
      await card.getByRole('button', { name: 'Table' }).click()
      const rows = (await served.ask('/api/metrics/mrr?range=last-12-months&interval=month&dimensions=customer_id')) as unknown[]
      expect(await card.locator('tbody tr').count()).toBeLessThan(rows.length)
      await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
      await page.emulateMedia({ media: 'print' })
      expect(await card.locator('tbody tr').count()).toBe(rows.length)
      expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
      expect(await page.locator('.print-only').innerText()).toContain('Grouped by Customer')
      for (const hidden of ['.side', '.controls', '.card-tools', '.explore-head'])
        expect(await page.locator(hidden).first().isVisible(), hidden).toBe(false)
      await card.getByRole('button', { name: 'Chart', exact: true, includeHidden: true }).evaluate((button) => button.click())
      const chart = card.locator('canvas')
      await expect.poll(async () => (await chart.boundingBox())?.height ?? 0).toBeGreaterThan(100)
      const place = await card.boundingBox()
      const drawn = await chart.boundingBox()
      expect((drawn?.x ?? 0) + (drawn?.width ?? 0)).toBeLessThanOrEqual((place?.x ?? 0) + (place?.width ?? 0))
      await card.getByRole('button', { name: 'Table', exact: true, includeHidden: true }).evaluate((button) => button.click())
      await page.emulateMedia({ media: 'screen' })
      await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
      expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
      expect(await card.locator('tbody tr').count()).toBeLessThan(rows.length)
      await page.context().close()
    })
  })

  describe('choices of a page', () => {
    it('on a phone the filters are behind one button that counts them', async () => {
      const { page, overflow, accessibility } = await served.show('/mrr?filter=currency%3DEUR&dimensions=plan_id', {
        width: PHONE,
      })
      const button = page.getByRole('button', { name: 'Filters (2)' })
      const group = page.getByRole('button', { name: /^Group by/ })
      expect(await group.isVisible()).toBe(false)
      await button.click()
      expect(await button.getAttribute('aria-expanded')).toBe('true')
      await group.waitFor()
      expect(await accessibility()).toEqual([])
      expect(await overflow()).toBe(0)
      await page.getByRole('button', { name: 'Remove filter Currency: EUR' }).click()
      await page.getByRole('button', { name: 'Filters (1)' }).waitFor()
      await page.setViewportSize({ width: 1280, height: HEIGHT })
      expect(await page.locator('.more-button').isVisible()).toBe(false)
      await group.waitFor()
    })

    it('a group is found by its name, has one entry for the plan, and splits every chart that can be split', async () => {
      const { page, settled, accessibility, problems } = await served.show('/mrr?range=last-3-months')
      await page.getByRole('button', { name: /^Group by/ }).click()
      const options = page.getByRole('option')
      await options.first().waitFor()
      const names = await options.allInnerTexts()
      expect(names.filter((name) => /^plan( name| id)?$/i.test(name.trim()))).toEqual(['Plan'])
      expect(await accessibility()).toEqual([])
      await page.getByPlaceholder('Search fields').fill('coun')
      await expect.poll(() => options.allInnerTexts()).toEqual(['Country'])
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await settled()
      expect(new URL(page.url()).searchParams.get('dimensions')).toBe('customer_country')
      for (const name of ['MRR by country', 'Usage MRR'])
        await page.getByRole('region', { name, exact: true }).locator('.legend').getByText('United States').waitFor()
      await page.getByRole('button', { name: /^Group by/ }).click()
      await page.getByRole('button', { name: 'No group' }).click()
      await settled()
      expect(new URL(page.url()).searchParams.has('dimensions')).toBe(false)
      expect(problems).toEqual([])
    })

    it('two groups by period are a pivot table', async () => {
      const { page, settled } = await served.show('/explore?metric=mrr&range=last-3-months')
      await page.getByRole('button', { name: /^Group by/ }).click()
      await page.getByRole('option', { name: 'Country', exact: true }).click()
      await page.getByRole('option', { name: 'Currency', exact: true }).click()
      // A third one would have no place.
      expect(await page.getByRole('option', { name: 'Plan', exact: true }).getAttribute('aria-disabled')).toBe('true')
      await page.keyboard.press('Escape')
      await settled()
      expect(new URL(page.url()).searchParams.get('dimensions')).toBe('customer_country,currency')
      const pivot = page.getByRole('region', { name: 'Pivot table', exact: true })
      const heads = await pivot.getByRole('columnheader').allInnerTexts()
      expect(heads.slice(0, 2)).toEqual(['Country', 'Currency'])
      expect(heads.length).toBe(5)
    })
  })
}

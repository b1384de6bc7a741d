import { describe, expect, it } from 'vitest'
import { MENU } from '../../../src/web/app/menu.ts'
import { isInTurn } from '../../support/databases/rotation.ts'
import type { ServedPage } from '../../support/product/served-page.ts'

/** Hidden in the menu without accounting data; the page explains why. */
const WITHOUT_BOOKS = '/expenses'
const PAGES = MENU.map(({ to }) => to).filter((path) => path !== WITHOUT_BOOKS)
/** Wide and narrow, light and dark. Each page gets two of the four, and every `IN_DEPTH`th page one more. */
const IN_DEPTH = 3
const NARROW = 360
const WIDE = 2_560
const HEIGHT = 900

export function everyPage(served: ServedPage): void {
  describe('every page in a real browser', () => {
    it.each(PAGES)('%s: without errors, clean to axe in both themes, no wider than the window', async (path) => {
      const isInDepth = isInTurn(PAGES.indexOf(path), IN_DEPTH)
      const { page, problems, accessibility, overflow } = await served.show(path)
      expect(await accessibility()).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      if (isInDepth) expect(await accessibility('colours')).toEqual([])
      await page.setViewportSize({ width: NARROW, height: HEIGHT })
      expect(await overflow()).toBe(0)
      expect(await accessibility()).toEqual([])
      await page.setViewportSize({ width: WIDE, height: HEIGHT })
      expect(await overflow()).toBe(0)
      expect(problems).toEqual([])
    })

    it('Expenses says why there are none, and how to get some', async () => {
      const { page, accessibility, problems } = await served.visit(WITHOUT_BOOKS)
      expect(await page.getByText('No expenses yet. Connect your accounting in Settings, or import a file:').count()).toBe(1)
      expect(await page.getByRole('alert').count()).toBe(0)
      expect(await page.locator('main').getByRole('link', { name: 'Settings' }).count()).toBe(1)
      expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Expenses' }).count()).toBe(0)
      expect(await accessibility()).toEqual([])
      expect(problems).toEqual([])
      await page.context().close()
    })

    it('an address that no page has says so', async () => {
      const { page, problems } = await served.visit('/nowhere/at/all')
      await page.getByRole('heading', { name: 'Page not found' }).waitFor()
      expect(problems).toEqual([])
      await page.context().close()
    })
  })
}

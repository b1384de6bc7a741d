import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MENU } from '../../src/web/app/menu.ts'
import { chromiumProgram } from '../support/chromium.ts'
import { type ServedPage, servePage } from '../support/served-page.ts'

/** What the menu hides where there are no books; its page says why. */
const WITHOUT_BOOKS = '/expenses'
const PAGES = MENU.map(({ to }) => to).filter((path) => path !== WITHOUT_BOOKS)
const NARROW = 360
const WIDE = 2_560
const HEIGHT = 900

describe.skipIf(chromiumProgram() === undefined)('every page in a real browser', () => {
  let served: ServedPage

  beforeAll(async () => {
    served = await servePage()
  })
  afterAll(async () => {
    await served.close()
  })

  it.each(PAGES)('%s: without errors, clean to axe in both themes, no wider than the window', async (path) => {
    const { page, problems, accessibility } = await served.visit(path)
    const overflow = () => page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(await accessibility()).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await accessibility()).toEqual([])
    await page.setViewportSize({ width: NARROW, height: HEIGHT })
    expect(await overflow()).toBe(0)
    expect(await accessibility()).toEqual([])
    await page.setViewportSize({ width: WIDE, height: HEIGHT })
    expect(await overflow()).toBe(0)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('Expenses says why there are none, and how to get some', async () => {
    const { page, accessibility } = await served.visit(WITHOUT_BOOKS)
    await page.getByRole('alert').getByText('There are no expenses: connect QuickBooks').waitFor()
    expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Expenses' }).count()).toBe(0)
    expect(await accessibility()).toEqual([])
    await page.context().close()
  })

  it('an address that no page has says so', async () => {
    const { page, problems } = await served.visit('/nowhere/at/all')
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
    expect(problems).toEqual([])
    await page.context().close()
  })
})

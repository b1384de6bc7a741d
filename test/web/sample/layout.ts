import { describe, expect, it } from 'vitest'
import { formatValue } from '../../../src/web/format/numbers.ts'
import type { ServedPage } from '../../support/product/served-page.ts'

const NARROW = { width: 390 } as const
const WIDE = { width: 1440 } as const
const AHEAD = 'range=next-6-months'

/** Whether something is drawn in the last columns of pixels of a canvas, where only a text that is cut can reach. */
const INK_AT_EDGE = `(() => {
  const inks = [...document.querySelectorAll('.chart-place canvas')].map((canvas) => {
    const { width, height } = canvas
    const { data } = canvas.getContext('2d').getImageData(width - 2, 0, 2, height)
    return data.some((_, place) => place % 4 === 3 && data[place] > 0)
  })
  return inks
})()`

/** Faults that pictures of the pages showed. */
export function layouts(served: ServedPage): void {
  describe('texts and cards have their place', () => {
    it('no label of a forecast is cut at the edge of its chart', async () => {
      const { page } = await served.show(`/mrr?${AHEAD}`, NARROW)
      await page.locator('.chart-place canvas').nth(3).waitFor()
      const inks = await page.evaluate<boolean[]>(INK_AT_EDGE)
      expect(inks.length).toBeGreaterThan(3)
      expect(inks).not.toContain(true)
    })

    it('the columns of a forecast are about as high as each other', async () => {
      const { page } = await served.show(`/mrr?${AHEAD}`, WIDE)
      const bottoms = await page
        .locator('.columns > .stack')
        .evaluateAll((stacks) =>
          stacks.map((stack) => Math.max(...[...stack.children].map((card) => card.getBoundingClientRect().bottom))),
        )
      expect(bottoms.length).toBe(2)
      expect(Math.abs((bottoms[0] ?? 0) - (bottoms[1] ?? 0))).toBeLessThan(200)
    })

    it('the day of a large movement is below its customer, however short both are', async () => {
      const { page } = await served.show('/', WIDE)
      const isBelow = await page
        .locator('.movers .mover-name')
        .evaluateAll((names) =>
          names.map(({ firstElementChild: name, lastElementChild: details }) =>
            name === null || details === null
              ? false
              : details.getBoundingClientRect().top >= name.getBoundingClientRect().bottom - 4,
          ),
        )
      expect(isBelow.length).toBe(8)
      expect(isBelow).not.toContain(false)
    })

    it('a range that ends after today is named up to today', async () => {
      const { page } = await served.show('/mrr?start=2026-06-01&end=2027-05-31', WIDE)
      const days = await page.locator('.card-days').allInnerTexts()
      expect(new Set(days)).toEqual(new Set(['Jun 1 – Nov 20, 2026']))
      const why = page.getByRole('region', { name: 'Why MRR changed', exact: true })
      expect(await why.getByRole('listitem').first().innerText()).toMatch(/from Jun 1, 2026 to Nov 20, 2026, from \$/)
    })

    it('the next renewal of a customer makes no forecast of the page, and its events begin with a capital', async () => {
      const { rows } = (await served.ask('/api/customers?order=-mrr_base_cents&limit=1')) as { rows: { id: string }[] }
      const { page } = await served.show(`/customers/${rows[0]?.id}`)
      expect(await page.getByText('Next renewal').count()).toBe(1)
      expect(await page.locator('.warnings').count()).toBe(0)
      const timeline = page.getByRole('region', { name: 'Timeline', exact: true })
      await timeline.getByText('Started ent-biannual').waitFor()
    })

    it('Renewals says that it is a forecast', async () => {
      const { page } = await served.show('/renewals')
      expect(await page.locator('.warnings').allInnerTexts()).toEqual([
        'A forecast: days after today count only what is already scheduled.',
        // Charges to come of accounts without invoices are left out.
        'Some data is not available.',
      ])
    })

    it('findings are read row by row in a narrow window, with their explanations', async () => {
      const { page } = await served.show('/billing-health', NARROW)
      for (const name of ['Not billed', 'What else needs a look']) {
        const explanation = page.getByRole('region', { name, exact: true }).locator('tbody summary').first()
        const box = await explanation.boundingBox()
        expect([name, (box?.x ?? 0) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= NARROW.width]).toEqual([name, true])
        expect([name, (box?.height ?? 0) < 200]).toEqual([name, true])
      }
      expect(await page.locator('main').innerText()).not.toMatch(/\baddon\b/i)
    })

    it('billing health has one amount, and a card for each part chooses its customers, each once', async () => {
      const { page, settled, overflow, accessibility } = await served.show('/billing-health', NARROW)
      const health = (await served.ask('/api/billing-health?state=open')) as Record<string, number>
      const unbilled = Number(health['monthly_unbilled_base_cents'])
      const tooMuch = unbilled - Number(health['monthly_base_cents'])
      const money = (cents: number) => formatValue(cents, 'money', { currency: 'USD' })
      expect(await page.locator('.health-amount .figure').innerText()).toBe(money(unbilled + tooMuch))
      const card = (part: string) => page.locator(`[data-part=${part}]`)
      expect(await card('not_billed').locator('.figure').innerText()).toBe(money(unbilled))
      expect(await card('too_much').locator('.figure').innerText()).toBe(money(tooMuch))
      for (const [part, name] of [
        ['too_much', 'Billed too much'],
        ['at_risk', 'At risk'],
        ['not_billed', 'Not billed'],
      ] as const) {
        await card(part).click()
        await settled()
        const customers = await page.getByRole('region', { name, exact: true }).locator('tbody td:first-child').allInnerTexts()
        expect(customers.length, part).toBeGreaterThan(0)
        expect(new Set(customers).size, part).toBe(customers.length)
      }
      expect([await overflow(), await accessibility()]).toEqual([0, []])
    })

    it('Explore shows the chosen measure first', async () => {
      const { page } = await served.show('/explore?metric=customers&view=total&dimensions=customer_country', NARROW)
      const heads = await page.locator('main thead th').allInnerTexts()
      expect(heads.slice(0, 2)).toEqual(['Country', 'Paying customers ↓'])
      expect(heads.length).toBe(4)
    })

    it('a bridge between two levels of nothing is not drawn', async () => {
      const { page } = await served.show('/mrr?filter=customer_country=ZZ', WIDE)
      const card = page.getByRole('region', { name: 'MRR bridge', exact: true })
      expect(await card.getByText('No MRR in this period.').count()).toBe(1)
      const text = 'No row has customer_country=ZZ. It has 7 values: BR, DE, FR, GB, IN, JP, US.'
      expect(await page.locator('.warnings').allInnerTexts()).toEqual([text])
    })

    it('the ways out of a page without a forecast are in its middle, as its text is', async () => {
      const { page } = await served.show(`/churn?${AHEAD}`, NARROW)
      const button = await page.getByRole('link', { name: 'Show the MRR forecast' }).boundingBox()
      expect(Math.abs((button?.x ?? 0) + (button?.width ?? 0) / 2 - NARROW.width / 2)).toBeLessThan(3)
    })
  })
}

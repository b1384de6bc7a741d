import type { Locator } from 'playwright-core'

const STEP_PX = 4
/** Just below the upper edge, where few bars end. */
const BELOW_EDGE_PX = 16

/** Clicks a chart at the place whose tooltip has this title. */
export async function clickPlace(chart: Locator, place: string): Promise<void> {
  await chart.scrollIntoViewIfNeeded()
  const box = await chart.boundingBox()
  if (box === null) throw new Error('The chart is not shown.')
  const page = chart.page()
  const told = chart.locator('.chart-tooltip')
  for (let x = box.x; x < box.x + box.width; x += STEP_PX) {
    await page.mouse.move(x, box.y + BELOW_EDGE_PX)
    if ((await told.count()) > 0 && (await told.innerText()).startsWith(place))
      return page.mouse.down().then(() => page.mouse.up())
  }
  throw new Error(`The chart has no ${place}.`)
}

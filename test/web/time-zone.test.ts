import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/app/config/config.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { storePlace } from '../support/databases/store-places.ts'
import { engines } from '../support/databases/targets.ts'
import { chromiumProgram } from '../support/product/chromium.ts'
import { END_OF_RECORDING } from '../support/product/recorded-engine.ts'
import { importRates } from '../support/product/recorded-service.ts'
import { type ServedPage, serveOver, type Visit } from '../support/product/served-page.ts'

const target = engines().find(({ name }) => name !== 'pglite')
/** The zone in which most instants of the recording, just after midnight UTC, are on the day before. */
const ZONE = 'America/Los_Angeles'

interface Time {
  readonly at: string
  readonly title: string
  readonly text: string
}

/** The instants that a place shows. */
const timesIn = (place: ReturnType<Visit['page']['locator']>): Promise<readonly Time[]> =>
  place.evaluateAll((found) =>
    found.map((time) => ({
      at: time.getAttribute('datetime') ?? '',
      title: time.getAttribute('title') ?? '',
      text: time.textContent ?? '',
    })),
  )

const day = (timeZone: string, at: string) =>
  new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'medium' }).format(new Date(at))

describe.skipIf(chromiumProgram() === undefined || target === undefined)('the page under a time zone', () => {
  let served: ServedPage
  beforeAll(async () => {
    if (target === undefined) throw new Error('No server is at hand')
    const { url } = await sharedReal(target)
    const place = await storePlace(target.name)
    await importRates(place)
    const options = {
      'database.url': url,
      'store.url': place.url,
      'connector.tenant': 'beta',
      'definitions.base_currency': 'USD',
      'definitions.time_zone': ZONE,
      'clock.now': END_OF_RECORDING.toISOString(),
      'server.port': '0',
    }
    const config = loadConfig({ environment: {}, cwd: packageRoot(), home: undefined, config: null, options })
    served = await serveOver(config, { dispose: place.remove })
  })
  afterAll(() => served.close())

  it('shows instants on the clock of the zone, and names it', async () => {
    const visit = await served.visit('/mrr?range=last-12-months')
    const { page, settled } = visit
    await page.locator('main .headline button').first().click()
    const panel = page.getByRole('dialog')
    await panel.waitFor()
    await settled()
    await panel.locator('tbody button').first().click()
    await panel.locator('.evidence-note').first().waitFor()
    const times = (await timesIn(panel.locator('time'))).filter(({ at }) => at.includes('T'))
    expect(times.length).toBeGreaterThan(0)
    for (const { at, title, text } of times) {
      expect(title, at).toContain(ZONE)
      expect(text, at).toContain(day(ZONE, at))
    }
    // A clock in UTC would show other days.
    expect(times.filter(({ at }) => day(ZONE, at) !== day('UTC', at)).length).toBeGreaterThan(0)
    expect(visit.problems).toEqual([])
    await page.context().close()
  })

  it('keeps the dates that the billing database stores', async () => {
    const { page, settled } = await served.visit('/customers')
    await settled()
    await page.locator('main table a').first().click()
    await settled()
    const dates = (await timesIn(page.locator('main time'))).filter(({ at }) => /^\d{4}-\d{2}-\d{2}$/.test(at))
    expect(dates.length).toBeGreaterThan(0)
    for (const { at, text } of dates) expect(text).toContain(day('UTC', at))
    await page.context().close()
  })
})

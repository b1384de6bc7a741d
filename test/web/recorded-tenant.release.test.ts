import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/app/config/config.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { MENU } from '../../src/web/app/menu.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { sampleOf } from '../support/databases/rotation.ts'
import { storePlace } from '../support/databases/store-places.ts'
import { describeTargets } from '../support/databases/targets.ts'
import { chromiumProgram } from '../support/product/chromium.ts'
import { END_OF_RECORDING } from '../support/product/recorded-engine.ts'
import { importRates } from '../support/product/recorded-service.ts'
import { type ServedPage, serveOver } from '../support/product/served-page.ts'

/** Hidden in the menu without accounting data. */
const WITHOUT_BOOKS = '/expenses'
const PAGES = MENU.map(({ to }) => to).filter((path) => path !== WITHOUT_BOOKS)
const CENTS = 100

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

describe.skipIf(chromiumProgram() === undefined)('the page over the recorded tenant', () => {
  describeTargets(
    'every page of the menu',
    (target) => {
      let served: ServedPage
      beforeAll(async () => {
        const { url } = await sharedReal(target)
        const place = await storePlace(target.name)
        await importRates(place)
        const options = {
          'database.url': url,
          'store.url': place.url,
          'connector.tenant': 'alpha',
          'definitions.base_currency': 'USD',
          'clock.now': END_OF_RECORDING.toISOString(),
          'server.port': '0',
        }
        const config = loadConfig({ environment: {}, cwd: packageRoot(), home: undefined, config: null, options })
        served = await serveOver(config, { dispose: place.remove })
      })
      afterAll(() => served.close())

      // `sample/pages` checks accessibility.
      it('opens without an error', async () => {
        for (const path of sampleOf(target, PAGES, { first: 1, others: 3 })) {
          const { problems } = await served.show(path)
          expect(problems, path).toEqual([])
        }
      })

      it('shows the figures that the API answers', async () => {
        const { page } = await served.show('/')
        const summary = (await served.ask('/api/metrics/summary')) as Readonly<Record<string, number>>
        const main = page.locator('main')
        await main
          .getByText(dollars.format((summary['mrr'] ?? 0) / CENTS), { exact: true })
          .first()
          .waitFor()
        await main
          .getByText(dollars.format((summary['arr'] ?? 0) / CENTS), { exact: true })
          .first()
          .waitFor()
      })
    },
    { only: ['postgres', 'mariadb', 'mysql'] },
  )
})

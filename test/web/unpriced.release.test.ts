import { expect, it } from 'vitest'
import { sampleConfig } from '../../src/app/demo/sample-config.ts'
import { unpricedSample } from '../support/data/changed-sample.ts'
import { describeServed } from '../support/product/describe-served.ts'
import { serveOver } from '../support/product/served-page.ts'

const PLAN = 'basic-monthly'
/** The API's message: the plan, and how many subscriptions have it. */
const SAID = new RegExp(`Counted as 0, because the catalog has no price for ${PLAN} \\(USD, \\d+ subscriptions?\\)`)
const WIDTHS = [360, 1440]

describeServed(
  'a plan without a price that counts as 0',
  (served) => {
    it.each(['/', '/mrr', '/churn', '/explore?dimensions=plan_id'])('is named on %s with its subscriptions', async (path) => {
      const told = await fetch(`${served.url}/api/metrics/mrr`)
      expect(told.headers.get('x-warning-details')).toMatch(SAID)
      for (const width of WIDTHS) {
        const { page, problems, overflow, accessibility } = await served.show(path, { width })
        const said = page.locator('.warnings > .is-loud')
        expect(await said.count()).toBeGreaterThan(0)
        for (const text of await said.allInnerTexts()) expect(text).toMatch(SAID)
        expect([await overflow(), await accessibility(), problems]).toEqual([0, [], []])
      }
    })

    it('is null in the list of subscriptions, and no zero', async () => {
      const { rows } = (await served.ask('/api/subscriptions?limit=1000')) as {
        rows: { plan_id: string; currency: string; status: string; mrr_cents: number | null }[]
      }
      const unpriced = rows.filter(
        ({ plan_id, currency, status }) => plan_id === PLAN && currency === 'USD' && status === 'active',
      )
      expect(unpriced.length).toBeGreaterThan(0)
      expect(unpriced.filter(({ mrr_cents }) => mrr_cents !== null)).toEqual([])
    })
  },
  async () => {
    const data = await unpricedSample(PLAN)
    const config = sampleConfig(data, { port: '0' })
    const definitions = { ...config.definitions, allow_unpriced: true }
    return serveOver({ ...config, definitions }, { dispose: data.dispose })
  },
)

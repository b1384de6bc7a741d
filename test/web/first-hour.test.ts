import { expect, it } from 'vitest'
import { sampleConfig } from '../../src/app/demo/sample-config.ts'
import { MENU } from '../../src/web/app/menu.ts'
import { recordedSample } from '../support/data/recorded-sample.ts'
import { describeServed } from '../support/product/describe-served.ts'
import { type RatePublisher, startRatePublisher } from '../support/product/rate-publisher.ts'
import { serveOver } from '../support/product/served-page.ts'
import { signedIn } from './with-keys/signed-in.ts'

const PAGES = ['/', '/mrr', '/churn', '/retention', '/ltv']
const SIZES = [
  [360, 'dark'],
  [768, 'light'],
  [1440, 'light'],
] as const

/** The server of the rates, which the test breaks. */
let publisher: RatePublisher | undefined

describeServed(
  'customers with four currencies and no exchange rate',
  (served) => {
    it.each(PAGES)('is one card and no error on %s', async (path) => {
      for (const [width, theme] of SIZES) {
        const { page, overflow, accessibility } = await served.show(path, { width, theme })
        expect(await page.getByRole('region', { name: 'Missing exchange rates' }).count()).toBe(1)
        expect(await page.getByRole('alert').count()).toBe(0)
        expect(await page.getByText('Needs exchange rates', { exact: true }).count()).toBeGreaterThan(0)
        expect([path, width, await overflow(), await accessibility()]).toEqual([path, width, 0, []])
      }
    })

    it('shows what needs no rate: customers, subscriptions, logo churn and trials', async () => {
      const { page } = await served.show('/')
      const shown = async (field: string) => page.locator(`.tile[data-field=${field}] .tile-value`).innerText()
      // The last test compares them with the summary, once there are rates.
      expect(await shown('active_customers')).toBe('221')
      expect(await shown('active_subscriptions')).toBe('294')
      expect(await shown('logo_churn_rate')).toBe('1.4%')
      expect(await shown('trial_conversion_rate')).toBe('94.4%')
      const unrated = ['mrr', 'arr', 'net_new_mrr_so_far', 'arpu', 'revenue_churn_rate', 'nrr_12_months', 'grr_12_months', 'ltv']
      for (const field of unrated)
        expect(await page.locator(`.tile[data-field=${field}]`).getByText('Needs exchange rates', { exact: true }).count()).toBe(
          1,
        )
      expect(await page.locator('.footer').innerText()).toContain('Data through Nov 20, 2026')
    })

    it('says that a customer with two currencies counts in both', async () => {
      const { page } = await served.show('/')
      const card = page.getByRole('region', { name: 'Missing exchange rates' })
      await card.getByText('A customer who pays in two currencies counts in both.').waitFor()
    })

    it('explores paying customers without exchange rates: in total, by currency, and by a field and currency', async () => {
      const { page, go } = await served.show('/explore?metric=customers&view=total')
      expect(await page.locator('.headline-value').innerText()).toBe('221')
      const card = page.getByRole('region', { name: 'Paying customers', exact: true })
      for (const [address, columns] of [
        ['metric=customers&view=total&dimensions=customer_country', ['Country', 'Currency']],
        ['metric=customers&range=last-3-months', ['Period', 'Currency']],
        ['metric=customers&range=last-3-months&dimensions=plan_id', ['Period', 'Plan', 'Currency']],
      ] as const) {
        await go(`/explore?${address}`)
        await card.waitFor()
        expect([address, await card.getByText('Needs exchange rates').count()]).toEqual([address, 0])
        const table = card.getByRole('button', { name: 'Table' })
        if ((await table.count()) > 0) await table.click()
        const heads = await card.locator('thead th').allInnerTexts()
        expect(heads.map((head) => head.replace(/ [↑↓]$/, ''))).toEqual(expect.arrayContaining([...columns]))
      }
      // MRR itself is a sum of currencies.
      await go('/explore?metric=mrr')
      expect(await page.locator('main').getByText('Needs exchange rates').count()).toBe(1)
    })

    it('shows customers and trials of plans and countries, and who churned', async () => {
      const { page, go } = await served.show('/countries')
      const total = page.locator('main .card[aria-label=Countries] tfoot td').first()
      expect(await total.innerText()).toBe('221')
      await go('/churn')
      const churned = page.getByRole('region', { name: 'Churned customers' }).locator('tbody tr')
      expect(await churned.count()).toBe(36)
      await go('/mrr')
      const figures = page.locator('.headline-value')
      expect(await figures.allInnerTexts()).toEqual(['221', '294'])
    })

    it.each(MENU.map(({ to }) => to))('%s shows no code and no error', async (path) => {
      const { page } = await served.show(path)
      expect(await page.locator('body').innerText()).not.toMatch(/missing_fx_rate|unsupported_by_connector|\/api\//)
      expect(await page.getByRole('alert').count()).toBe(0)
    })

    it('shows each currency on its own, as the API does', async () => {
      const { page } = await served.show('/')
      const rows = page.getByRole('table', { name: 'MRR today by currency' }).locator('tbody tr')
      const cells = await Promise.all((await rows.all()).map((row) => row.locator('td').allInnerTexts()))
      expect(cells.map(([currency, mrr, customers]) => [currency, mrr, customers])).toEqual([
        ['EUR', '€14,443.37', '59'],
        ['GBP', '£6,436.67', '37'],
        ['JPY', expect.stringMatching(/^¥254,91[45]/), '13'],
        ['USD', '$25,626.25', '112'],
      ])
      expect(cells.map(([, , , rate]) => rate)).toEqual([
        'No rate from EUR to USD. Needed for 1,553 amounts since Nov 28, 2024.',
        'No rate from GBP to USD. Needed for 1,031 amounts since Dec 16, 2024.',
        'No rate from JPY to USD. Needed for 408 amounts since Nov 25, 2024.',
        'Not needed',
      ])
      expect(await served.ask('/api/metrics/mrr?dimensions=currency')).toMatchObject([
        { currency: 'EUR', mrr: 1444337 },
        { currency: 'GBP', mrr: 643667 },
        { currency: 'JPY', mrr: 25491474 },
        { currency: 'USD', mrr: 2562625 },
      ])
    })

    it('fetches the rates with one click, and everything is there', async () => {
      const { page, settled } = await served.visit('/')
      const counted = async (field: string) => page.locator(`.tile[data-field=${field}] .tile-value`).innerText()
      const unrated = [await counted('active_customers'), await counted('active_subscriptions')]
      const card = page.getByRole('region', { name: 'Missing exchange rates' })
      expect(await card.locator('code').allInnerTexts()).toEqual(['plumbline fx fetch ecb', 'plumbline fx import FILE'])
      const fetching = card.getByRole('button', { name: 'Fetch the rates of the European Central Bank' })
      publisher?.breakDown(true)
      await fetching.click()
      await card
        .getByRole('alert')
        .getByText(/^The file cannot be fetched from 127\.0\.0\.1:\d+: it answers with/)
        .waitFor()
      await card.getByText('You can also download the file yourself and import it.').waitFor()
      publisher?.breakDown(false)
      await fetching.click()
      await card.waitFor({ state: 'detached' })
      await settled()
      expect(await page.getByText('Needs exchange rates').count()).toBe(0)
      const mrr = await served.ask('/api/metrics/mrr')
      const shown = await page.locator('[data-field="mrr"]').innerText()
      expect(shown.replaceAll(/[^\d]/g, '')).toContain(String(Math.round(Number(mrr) / 100)))
      const summary = (await served.ask('/api/metrics/summary')) as Readonly<Record<string, unknown>>
      expect(unrated).toEqual([String(summary['active_customers']), String(summary['active_subscriptions'])])
      await page.context().close()
    })
  },
  async () => {
    const data = await recordedSample()
    const started = await startRatePublisher()
    publisher = started
    const config = sampleConfig(data, { port: '0' })
    const empty = { ...config.store, url: data.storeUrl.replace(/store\.db$/, 'empty.db') }
    return serveOver(
      { ...config, store: empty, fx: { ecb_url: started.url } },
      { dispose: () => Promise.all([data.dispose(), started.close()]).then(() => {}) },
    )
  },
)

describeServed(
  'the steps of the setup',
  (served) => {
    const { keyOf, open } = signedIn(served)

    it('are one line on the overview, which opens the list, and all of them in the settings', async () => {
      const { page, go, settled, overflow, accessibility } = await open()
      const card = page.getByRole('region', { name: 'Setup', exact: true })
      await card.getByRole('heading', { name: 'Backup of the store' }).waitFor()
      expect(await card.getByRole('listitem').count()).toBe(7)
      expect(await accessibility()).toEqual([])
      await go('/')
      await card.getByRole('heading', { name: /^Setup: [56] of 7 steps done$/ }).waitFor()
      expect(await card.getByRole('listitem').count()).toBe(0)
      await card.getByRole('button', { name: 'Show steps' }).click()
      const { setup } = await served.engine.checks()
      const shown = await card.getByRole('listitem').locator('p').allInnerTexts()
      expect(shown.map((text) => text.toLowerCase())).toEqual(setup?.map(({ message }) => `${message.toLowerCase()}.`))
      await card.getByText('Every request needs a credential.').waitFor()
      for (const [width, theme] of SIZES) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme: theme })
        expect([width, await overflow(), await accessibility()]).toEqual([width, 0, []])
      }
      // The browser remembers that the list is open.
      await go('/mrr')
      await go('/')
      expect(await card.getByRole('button', { name: 'Hide steps' }).count()).toBe(1)

      await page.route('**/api/checks', async (route) => {
        const answer = await (await route.fetch()).json()
        const done = answer.setup.map((step: object) => ({ ...step, state: 'done' }))
        await route.fulfill({ json: { ...answer, setup: done } })
      })
      await page.reload()
      await settled()
      await page.locator('.tile').first().waitFor()
      expect(await card.count()).toBe(0)
      await page.context().close()
    })

    it('are for administrators', async () => {
      const { page, go, problems } = await open(await keyOf(['read']))
      expect(await page.getByRole('region', { name: 'Setup', exact: true }).count()).toBe(0)
      await go('/')
      expect(await page.getByRole('region', { name: 'Setup', exact: true }).count()).toBe(0)
      expect(problems).toEqual([])
      await page.context().close()
    })
  },
  async () => {
    const data = await recordedSample()
    const config = { ...sampleConfig(data, { port: '0' }), isSample: false }
    return serveOver(config, { auth: { enabled: true }, dispose: data.dispose })
  },
)

import { describe, expect, it } from 'vitest'
import type { ServedPage } from '../../support/product/served-page.ts'
import { signedIn } from './signed-in.ts'

const NARROW = 360
const HEIGHT = 900
const LATER_MS = 60_000

interface Asked {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly waiting: number
  readonly dead_letters: number
  readonly last_run: { readonly kind: string; readonly status: string } | null
}

/** Sources, files and exchange rates, over a service that knows the platform `toy`. */
export function moreSettings(served: ServedPage): void {
  describe('settings', () => {
    const signed = signedIn(served)
    const { ask, keyOf, open, openAgain } = signed
    const toySource = async () => (await ask<Asked[]>('/api/sources')).find(({ id }) => id === 'toy-7')

    it('a source is connected in the browser, read anew, lost notifications are dropped and tried again, and it is disconnected', async () => {
      await ask('/api/sources', { type: 'toy' })
      const { page, go, settled, accessibility } = await open()
      await page.getByText('Not connected yet', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
      await page.waitForURL(({ pathname }) => pathname === '/')
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      await page.goto(`${served.url}/settings`)
      await settled()
      const item = page.getByRole('listitem').filter({ hasText: 'Toy (7)' })
      await item.getByText('Connected', { exact: true }).waitFor()
      await go('/expenses')
      await go('/settings')
      await item.getByRole('button', { name: 'Full resync of Toy (7)' }).click()
      await item.getByText('Full sync, done').waitFor()
      await settled()
      // The page asks for expenses again, because the run may have changed them.
      const again = page.waitForRequest((request) => request.url().includes('/api/metrics/expenses'))
      await go('/expenses')
      await again
      await go('/settings')
      expect((await toySource())?.last_run).toMatchObject({ kind: 'backfill', status: 'succeeded' })

      const name = `killbill:${(await ask<Asked[]>('/api/sources')).find(({ id }) => id !== 'toy-7')?.id}`
      const { inbox } = served.store.inWorkspace?.({ name, source_ids: [] }) ?? {}
      const now = new Date().toISOString()
      const lost = (entity_id: string) => ({ source_id: 'toy-7', entity: 'Bill', entity_id, operation: 'update' as const })
      await inbox?.add([lost('12'), lost('13')], now)
      const later = new Date(Date.now() + LATER_MS).toISOString()
      for (const entry of (await inbox?.take(['toy'], later, later, 10)) ?? [])
        await inbox?.finish(entry, { kind: 'dead', error: 'The platform answers 500.' }, later)
      await page.reload()
      await settled()
      await item.getByRole('button', { name: 'Failed notifications' }).click()
      await item.getByText('The platform answers 500.').first().waitFor()
      expect(await accessibility()).toEqual([])
      await item.getByRole('button', { name: 'Discard Bill 12' }).click()
      await item.getByText('1 failed').waitFor()
      await item.getByRole('button', { name: 'Retry all' }).click()
      await item.getByText('0 failed').waitFor()
      expect(await toySource()).toMatchObject({ dead_letters: 0 })

      await item.getByRole('button', { name: 'Disconnect' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
      await item.getByText('Disconnected', { exact: true }).waitFor()
      expect(await toySource()).toMatchObject({ status: 'disconnected' })
      await page.context().close()
    })

    it('a platform that is not set up says what is missing', async () => {
      const { page } = await openAgain()
      await page.getByRole('button', { name: 'Connect QuickBooks' }).click()
      await page.getByText('quickbooks.client_id, quickbooks.client_secret, quickbooks.redirect_uri').waitFor()
    })

    it('a large file says how much of it is sent, and then that it is stored', async () => {
      const { page, settled } = await openAgain()
      await page.getByRole('button', { name: 'Import CSV' }).click()
      const file = `customer_id,remark\n${`nobody,${'x'.repeat(990)}\n`.repeat(3_000)}`
      await page.getByLabel('CSV file').setInputFiles({ name: 'large.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
      await page.getByRole('table', { name: 'First rows of the file' }).waitFor()
      const network = await page.context().newCDPSession(page)
      const throttled = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 2_000_000 }
      await network.send('Network.emulateNetworkConditions', throttled)
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await page.getByText(/^[0-2]\.\d of 3\.0 MB sent$/).waitFor()
      await page.getByRole('button', { name: 'Cancel', exact: true }).click()
      await page.getByRole('status').getByText('Cancelled. Nothing was stored.').waitFor()
      expect((await ask<{ key: string }[]>('/api/attributes')).map(({ key }) => key)).not.toContain('remark')
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await page.getByText(/^[0-2]\.\d of 3\.0 MB sent$/).waitFor()
      await page.getByText('3,000 rows read, 0 imported.').waitFor()
      await settled()
      expect(await page.getByRole('progressbar').count()).toBe(0)
      await network.detach()
    })

    it('a file with an attribute of the billing engine is told apart before it is sent', async () => {
      const { page } = await open(await keyOf(['write']))
      // Rates are shared with other workspaces.
      expect(await page.getByRole('button', { name: 'Import rates' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Import CSV' }).click()
      await page
        .getByLabel('CSV file')
        .setInputFiles({ name: 'tiers.csv', mimeType: 'text/csv', buffer: Buffer.from('who,tier\na,gold\n') })
      await page.getByText('Read-only attributes: tier.').waitFor()
      await page.getByText('No column identifies the customer').waitFor()
      await page.getByLabel('Customer column').selectOption('who')
      expect(await page.getByText('No column identifies the customer').count()).toBe(0)
      await page.context().close()
    })

    it('a missing exchange rate is one card, where a file of rates is looked at and imported', async () => {
      const books = new FormData()
      books.set('source', 'oslo')
      books.set(
        'file',
        new Blob(['id,date,vendor,account,account_type,amount,currency\nN-1,2026-10-05,Fjord,Rent,expense,100,NOK\n']),
      )
      const headers = await signed.headers()
      expect((await fetch(`${served.url}/api/expenses/import`, { method: 'POST', headers, body: books })).status).toBe(200)
      // Without the scope, the card says who can add rates.
      const reader = await open(await keyOf(['read']))
      await reader.page.getByRole('link', { name: 'Expenses' }).click()
      const seen = reader.page.getByRole('region', { name: 'Missing exchange rates' })
      await seen.getByText('To add rates, you need the scope “admin”.').waitFor()
      expect(await seen.getByRole('button', { name: /Fetch|Import/ }).count()).toBe(0)
      expect(await reader.accessibility()).toEqual([])
      await reader.page.context().close()

      const { page, settled, accessibility, overflow } = await open()
      await page.getByRole('link', { name: 'Expenses' }).click()
      const card = page.getByRole('region', { name: 'Missing exchange rates' })
      await card.getByText('No rate from NOK to USD. Needed for 1 amount on Oct 5, 2026.').waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
      await card.getByRole('button', { name: 'Import a file' }).click()
      const choose = (name: string, text: string) =>
        card.getByLabel('CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
      await choose('semicolons.csv', 'date;from;to;rate\n2026-01-01;NOK;USD;0.1\n')
      await card.getByRole('table', { name: 'First rows of the file' }).getByText('0.1', { exact: true }).waitFor()
      await card.getByLabel('Separator').selectOption('comma')
      await card.getByText('Missing columns: date, from, to, rate. The import will reject this file.').waitFor()
      await card.getByLabel('Separator').selectOption('')
      await choose('history.csv', 'Date,USD,NOK,\n2026-10-01,1.2,12,\n')
      await card.getByLabel('Convert European Central Bank rates into').waitFor()
      await choose('rates.csv', '\uFEFFdate,from,to,rate\r\n2026-10-01,NOK,USD,0.1\r\n2026-10-02,NOK,USD,-1\r\n')
      const beginning = card.getByRole('table', { name: 'First rows of the file' })
      await beginning.getByText('-1', { exact: true }).waitFor()
      expect(await accessibility()).toEqual([])
      await card.getByRole('button', { name: 'Import', exact: true }).click()
      await card.getByRole('status').getByText('2 rows read, 1 rate stored. Rejected: 1.').waitFor()
      const refused = card.getByRole('table', { name: 'Rejected rows' }).locator('tbody td')
      expect(await refused.allInnerTexts()).toEqual(['2', 'rate must be a positive decimal number such as 1.0837'])
      await card.getByText('No exchange rates are missing.').waitFor()
      await settled()
      await page.getByText('Needs exchange rates').waitFor({ state: 'detached' })
      await card.getByRole('button', { name: 'Close' }).click()
      await card.waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Settings' }).click()
      const latest = page.getByRole('table', { name: 'Latest exchange rates' })
      const row = latest.getByRole('row').filter({ hasText: 'NOK' }).locator('td')
      expect(await row.allInnerTexts()).toEqual(['NOK', 'USD', '0.1', 'Oct 1, 2026'])
      await settled()
      await page.setViewportSize({ width: NARROW, height: HEIGHT })
      expect(await overflow()).toBe(0)
      expect(await accessibility()).toEqual([])
      await page.context().close()
    })

    it('the service says how it is, and which it is', async () => {
      const { page } = await open(await keyOf(['read:aggregate']))
      const ready = page.getByRole('region', { name: 'Service status' })
      await ready.getByText('Ready', { exact: true }).waitFor()
      const { info } = await ask<{ info: { version: string } }>('/openapi.json')
      await page.getByRole('region', { name: 'About' }).locator('dd').first().getByText(info.version, { exact: true }).waitFor()
      expect(await page.getByRole('heading', { name: 'Sources' }).count()).toBe(0)
      await page.context().close()
    })
  })
}

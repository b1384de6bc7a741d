import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { MENU } from '../../../src/web/app/menu.ts'
import { formatValue } from '../../../src/web/format/numbers.ts'
import type { ServedPage } from '../../support/product/served-page.ts'

/** Names with underscores, UUIDs, days as the API writes them, and numbers with a hyphen for the minus sign. */
const RAW = [
  String.raw`[\p{L}\p{N}]*_[\p{L}\p{N}_]*`,
  '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  String.raw`(?<![\w-])\d{4}-\d{2}-\d{2}(?![\w-])`,
  String.raw`(?<![\w.-])-\p{Sc}?\d[\d.,]*`,
].join('|')

/** Raw values in the visible texts and fields of a page. Those in code are meant, and fields for days and hidden fields have them by their kind. */
async function rawWordsOn(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts = [...document.querySelectorAll('input:not([type=date], [aria-hidden=true]), select')].map(({ value }) => value)
    while (walker.nextNode()) {
      const { textContent, parentElement } = walker.currentNode
      const isCode = parentElement.closest('code, pre, script, style, noscript') !== null
      if (!isCode && parentElement.checkVisibility()) texts.push(textContent)
    }
    return [...new Set(texts.flatMap((text) => text.match(/${RAW}/gu) ?? []))].sort()
  })()`)
}

/** Accounting data is missing here, and its page says so in words of the API. */
const PAGES = MENU.map(({ to }) => to).filter((path) => path !== '/expenses')
const GROUPED = [
  '/churn?dimensions=cancel_reason',
  '/churn?view=revenue&dimensions=customer_country',
  '/mrr?dimensions=billing_period',
  '/mrr?dimensions=phase_type&filter=customer_country=US',
  '/mrr?dimensions=attr.tag.AUTO_INVOICING_OFF',
  '/explore?metric=movements&dimensions=product_category,collection_method',
  '/explore?metric=mrr&view=total&dimensions=cohort_month',
  '/segments/new',
]

interface Page50 {
  readonly total: number
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

export function wordsOfPages(served: ServedPage): void {
  describe('the pages speak in people’s words', () => {
    it.each([...PAGES, ...GROUPED])('%s shows no word of the engine, no id and no raw day or minus', async (path) => {
      const { page, problems } = await served.show(path)
      expect(await rawWordsOn(page)).toEqual([])
      expect(problems).toEqual([])
    })

    it('the page of a customer has ids only as code', async () => {
      const { rows } = (await served.ask('/api/customers?status=churned&limit=1')) as Page50
      const { page } = await served.show(`/customers/${String(rows[0]?.['id'])}`)
      expect(await page.getByText(String(rows[0]?.['id'])).count()).toBe(1)
      // The sample has no admin pages.
      expect(await page.getByRole('link', { name: 'Open in the billing system' }).count()).toBe(0)
      expect(await rawWordsOn(page)).toEqual([])
    })

    it('the search above finds raw values in texts and fields, but not in code or where nobody sees them', async () => {
      const { page } = await served.visit('/customers')
      const id = '0ba4791f-9345-4786-882c-5ed7b8247834'
      await page.evaluate(`document.body.insertAdjacentHTML('beforeend',
        '<p>Left: too_expensive</p><p>${id}</p><input value="AUTO_PAY_OFF"><code>plan_id</code><p>on 2026-01-31: -$5.00</p><p hidden>not_seen</p>')`)
      expect(await rawWordsOn(page)).toEqual(['-$5.00', id, '2026-01-31', 'AUTO_PAY_OFF', 'too_expensive'])
      await page.context().close()
    })

    it('a reason, a country and a period keep the raw value on hover, in the address and in the file', async () => {
      const { page, settled } = await served.show('/churn?dimensions=cancel_reason&range=last-12-full-months')
      const card = page.getByRole('region', { name: 'By reason', exact: true })
      const cell = card.getByText('Too expensive', { exact: true })
      expect(await cell.getAttribute('title')).toBe('too_expensive')
      expect(
        (await page.locator('.legend li').getByText('Too expensive').count()) +
          (await page.locator('.legend li[title=too_expensive]').count()),
      ).toBeGreaterThan(0)
      await cell.locator('xpath=ancestor::tr').getByRole('button').first().click()
      await settled()
      await page
        .getByRole('dialog')
        .getByRole('heading', { name: /Cancellation reason: Too expensive$/ })
        .waitFor()
      expect(await page.getByRole('dialog').getByRole('link', { name: 'CSV' }).getAttribute('href')).toContain(
        'cancel_reason%3Dtoo_expensive',
      )
      await page.keyboard.press('Escape')
    })

    it('a filter is chosen by its label, shown by its label and asked by its value', async () => {
      const { page, settled } = await served.show('/mrr')
      await page.getByRole('button', { name: '+ Filter' }).click()
      await page.getByLabel('Field').fill('Country')
      await page.getByLabel('Value').fill('United S')
      await page.getByRole('option', { name: 'United States' }).click()
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await settled()
      expect(new URL(page.url()).search).toContain('customer_country=US')
      expect(await page.locator('.chip').innerText()).toContain('Country: United States')
      const asked = await served.ask('/api/metrics/mrr?filter=customer_country%3DUS')
      expect(await page.locator('.headline-value').first().innerText()).toBe(
        formatValue(Number(asked), 'money', { currency: 'USD' }),
      )
    })
  })

  describe('open invoices', () => {
    it.each([
      ['', ''],
      ['?filter=customer_country=DE', 'filter=customer_country%3DDE&'],
      // A filter on movements says nothing about invoices.
      ['?filter=plan_id=pro-monthly&filter=movement_type=churn', 'filter=plan_id%3Dpro-monthly&'],
    ])('the notice and its panel have the same number under the filters of the page: %s', async (search, asked) => {
      const { page, settled } = await served.show(`/${search}`)
      const old = (await served.ask(`/api/invoices?${asked}open_for_days=31&limit=1000`)) as Page50
      expect(old.total).toBeGreaterThan(0)
      const notice = page.locator('.notice').filter({ hasText: 'been open for more than 30 days' })
      expect(await notice.innerText()).toContain(`${old.total} invoices have been open`)
      await notice.getByRole('button', { name: 'View invoices' }).click()
      await settled()
      const panel = page.getByRole('dialog')
      expect(await panel.locator('.panel-sum').innerText()).toContain(`${old.total} invoices`)
      const sum = old.rows.reduce((total, row) => total + Number(row['balance_base_cents']), 0)
      expect(await panel.locator('.panel-total .figure').innerText()).toBe(
        formatValue(sum, 'money', { currency: 'USD', precise: true }),
      )
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'detached' })
    })

    it('each age opens its invoices, the largest first in the base currency, with the original amount', async () => {
      const { page, settled } = await served.show('/')
      const ages = (await served.ask('/api/invoices/ages')) as readonly {
        readonly invoices: number
        readonly balance_base_cents: number
      }[]
      const card = page.getByRole('region', { name: 'Open invoices', exact: true })
      const money = (cents: number, precise: boolean) => formatValue(cents, 'money', { currency: 'USD', precise })
      expect((await card.locator('tbody tr').allInnerTexts()).map((line) => line.split('\t'))).toEqual(
        ['0–30 days', '31–60 days', '61–90 days', 'Over 90 days'].map((age, place) => [
          age,
          String(ages[place]?.invoices),
          money(ages[place]?.balance_base_cents ?? 0, false),
        ]),
      )
      await card
        .getByRole('row', { name: /^0–30 days/ })
        .getByRole('button')
        .first()
        .click()
      await settled()
      const panel = page.getByRole('dialog')
      await panel.getByRole('heading', { name: 'Invoices open for 0–30 days' }).waitFor()
      const { rows } = (await served.ask('/api/invoices?age=0-30&order=-balance_base_cents')) as Page50
      expect(new Set(rows.map((row) => row['currency'])).size).toBeGreaterThan(1)
      const head = await panel.locator('thead th').allInnerTexts()
      const at = ['Original balance', 'Balance'].map((name) =>
        head.findIndex((text) => text.replace(/ [↑↓]$/, '').trim() === name),
      )
      const lines = (await panel.locator('tbody tr').allInnerTexts()).map((line) => line.split('\t'))
      expect(lines.map((line) => at.map((place) => line[place]))).toEqual(
        rows.map((row) => [
          formatValue(Number(row['balance_cents']), 'money', { currency: String(row['currency']), precise: true }),
          money(Number(row['balance_base_cents']), true),
        ]),
      )
      await page.keyboard.press('Escape')
    })
  })
}

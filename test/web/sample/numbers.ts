import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { labelOf, valueLabel } from '../../../src/web/format/labels.ts'
import { formatValue } from '../../../src/web/format/numbers.ts'
import { unitOf } from '../../../src/web/format/traits.ts'
import { toldPlans } from '../../support/product/plans-in-sentences.ts'
import type { ServedPage } from '../../support/product/served-page.ts'

type Answer = Readonly<Record<string, unknown>>

const panelOf = (page: Page) => page.getByRole('dialog')
const money = (cents: number, precise: boolean) => formatValue(cents, 'money', { currency: 'USD', precise })

export function figuresOfPages(served: ServedPage): void {
  describe('what the pages show is what the API answers', () => {
    it('the figures of the overview are those of the summary', async () => {
      const { page } = await served.show('/')
      // Levels and monthly rates are those of today's summary, everything else covers the chosen range.
      const today = (await served.ask('/api/metrics/summary')) as Answer
      const range = (await served.ask('/api/metrics/summary?range=last-12-months')) as Answer
      const summary: Answer = { ...today, ltv: range['ltv'], trial_conversion_rate: range['trial_conversion_rate'] }
      const tiles = await page.locator('.tile').all()
      expect(tiles.length).toBeGreaterThanOrEqual(12)
      for (const tile of tiles) {
        const field = (await tile.getAttribute('data-field')) ?? ''
        const value = summary[field]
        expect(typeof value, field).toBe('number')
        expect(await tile.locator('.tile-value').innerText(), field).toBe(
          formatValue(Number(value), unitOf(field), { currency: String(summary['base_currency']) }),
        )
      }
    })

    it('the notice of unbilled amounts has the figure of billing health, for the audience of the page', async () => {
      const { page, go, settled } = await served.show('/')
      const notice = page.locator('[data-notice="unbilled"]')
      const figures: string[] = []
      for (const filter of ['', 'filter=currency=EUR']) {
        await go(`/?${filter}`)
        const health = (await served.ask(`/api/billing-health?${filter}`)) as Answer
        const cents = Number(health['monthly_unbilled_base_cents'])
        expect(cents).toBeGreaterThan(0)
        figures.push(money(cents, false))
        expect(await notice.locator('.figure').innerText()).toBe(figures.at(-1))
        expect(await notice.innerText()).toContain(`Agreed but not billed: ${figures.at(-1)} a month.`)
      }
      expect(new Set(figures).size).toBe(2)
      await notice.getByRole('link', { name: 'View billing health' }).click()
      await settled()
      expect(new URL(page.url()).pathname).toBe('/billing-health')
    })

    it('the table of a chart has the rows of its question, and a cell opens what it is made of', async () => {
      const { page, settled } = await served.show('/mrr?range=last-3-months')
      const rows = (await served.ask('/api/metrics/mrr/waterfall?range=last-3-months&interval=month')) as Answer[]
      const card = page.getByRole('region', { name: 'Movements', exact: true })
      await card.getByRole('button', { name: 'Table' }).click()
      const last = card.locator('tbody tr').last()
      const churned = Number(rows.at(-1)?.['churn'])
      expect(churned).toBeLessThan(0)
      await last.getByRole('button', { name: money(churned, true) }).click()
      await settled()
      await panelOf(page).getByRole('heading', { name: 'Churn in Nov 1–20, 2026' }).waitFor()
      // The rows add up to the clicked number.
      expect(await panelOf(page).locator('.panel-total .figure').innerText()).toBe(money(churned, true))
      const csv = await panelOf(page).getByRole('link', { name: 'CSV' }).getAttribute('href')
      const lines = (await (await fetch(csv ?? '')).text()).trim().split('\n')
      const counted = await panelOf(page).locator('.panel-sum .muted').innerText()
      expect(counted).toMatch(new RegExp(`^${lines.length - 1} rows?$`))
      await page.keyboard.press('Escape')
      await panelOf(page).waitFor({ state: 'detached' })
    })

    it('a group is made of its own customers, though the page is narrowed to several groups', async () => {
      const two = 'filter=plan_id=contract-monthly&filter=plan_id=pro-monthly&dimensions=plan_id'
      const { page, settled } = await served.show(`/explore?metric=mrr&view=total&range=last-3-months&${two}`)
      const rows = (await served.ask(`/api/metrics/mrr?at=2026-11-20&${two}`)) as Answer[]
      expect(rows.length).toBe(2)
      const shown = money(Number(rows.find((row) => row['plan_id'] === 'contract-monthly')?.['mrr']), true)
      await page.locator('main').getByRole('button', { name: shown }).first().click()
      await settled()
      expect(await panelOf(page).locator('.panel-total .figure').innerText()).toBe(shown)
    })

    it('a number of churned customers opens these customers, and the number at the start all of them', async () => {
      const { page, settled } = await served.show('/churn?range=last-quarter')
      const rows = (await served.ask(
        '/api/metrics/churn?range=last-quarter&dimensions=cancel_reason&order=-churn_count',
      )) as Answer[]
      const reason = rows.find((row) => row['cancel_reason'] !== null && Number(row['churn_count']) > 1)
      const card = page.getByRole('region', { name: 'By reason', exact: true })
      const line = card
        .locator('tbody tr')
        .filter({ has: page.getByText(labelOf(String(reason?.['cancel_reason'])), { exact: true }) })
      await line.getByRole('button', { name: String(reason?.['churn_count']), exact: true }).click()
      await settled()
      expect(await panelOf(page).locator('tbody tr').count()).toBe(reason?.['churn_count'])
      const stated = panelOf(page).locator('td[data-label="Cancellation reason"]')
      expect(new Set(await stated.allInnerTexts())).toEqual(
        new Set([valueLabel(String(reason?.['cancel_reason']), 'cancel_reason')]),
      )
      await panelOf(page)
        .getByRole('button', { name: /^Evidence: / })
        .first()
        .click()
      await panelOf(page)
        .getByText(new RegExp(`^reason (code )?${reason?.['cancel_reason']} `))
        .waitFor()
      const csv = await panelOf(page).getByRole('link', { name: 'CSV' }).getAttribute('href')
      const [head = '', ...lines] = (await (await fetch(csv ?? '')).text()).trim().split('\r\n')
      const place = head.split(',').indexOf('cancel_reason')
      expect(lines.map((line) => line.split(',')[place])).toEqual(lines.map(() => reason?.['cancel_reason']))
      await page.keyboard.press('Escape')
      await line.getByRole('button', { name: String(reason?.['active_at_start']), exact: true }).click()
      await settled()
      await panelOf(page).getByText(`${reason?.['active_at_start']} customers`).waitFor()
    })

    it('a group by currency and its customers are in that currency', async () => {
      const { page, settled } = await served.show('/explore?metric=movements&view=total&range=last-3-months&dimensions=currency')
      const asked = '/api/metrics/mrr/breakdown?range=last-3-months&dimensions=currency'
      const rows = (await served.ask(asked)) as Answer[]
      const pounds = rows.find((row) => row['currency'] === 'GBP' && row['movement_type'] === 'churn')
      const shown = formatValue(Number(pounds?.['amount_base']), 'money', { currency: 'GBP', precise: true })
      await page.locator('main').getByRole('button', { name: shown }).click()
      await settled()
      expect(await panelOf(page).locator('.panel-total .figure').innerText()).toBe(shown)
      const parts = await panelOf(page).locator('tbody .figure').allInnerTexts()
      expect(parts.some((text) => text.includes('£'))).toBe(true)
      expect(parts.filter((text) => /[$€¥]/.test(text))).toEqual([])
    })

    it('each sentence about the last full month has its rows, and each movement of late what moved the customer', async () => {
      const { page, settled } = await served.show('/')
      const why = (await served.ask('/api/metrics/mrr/why?range=last-month')) as { by_movement: Record<string, number> }
      const sentence = page.getByRole('button', { name: 'Show rows: Contraction took' })
      const [told] = toldPlans([((await sentence.getAttribute('aria-label')) ?? '').replace('Show rows: ', '')])
      await sentence.click()
      await settled()
      // A sentence counts the components of movements, and each has a row.
      const asked = '/api/metrics/mrr/rows?query_type=waterfall&range=last-month&period=all&measure=contraction&limit=1000'
      const { rows } = (await served.ask(asked)) as { rows: Answer[] }
      expect(rows.length).toBe(told?.all_events)
      expect(rows.filter((row) => row['plan_id'] === told?.plan_id).length).toBe(told?.events)
      expect(await panelOf(page).locator('.panel-sum .muted').innerText()).toBe(`${rows.length} rows`)
      expect(await panelOf(page).locator('.panel-total .figure').innerText()).toBe(
        money(why.by_movement['contraction'] ?? 0, true),
      )
      await page.keyboard.press('Escape')
      const late = (await served.ask('/api/metrics/mrr/why?range=last-30-days')) as { movers: Answer[] }
      const card = page.getByRole('region', { name: 'Largest movements, last 30 days' })
      await card.locator('.cell-button').first().click()
      await panelOf(page)
        .getByRole('heading', { name: `Movements of ${String(late.movers[0]?.['customer_name'])}` })
        .waitFor()
    })

    it('of very many rows a table draws the first, and more on request', async () => {
      const { page } = await served.show('/explore?metric=mrr&dimensions=customer_id&range=last-12-months')
      const rows = (await served.ask('/api/metrics/mrr?range=last-12-months&interval=month&dimensions=customer_id')) as Answer[]
      const card = page.getByRole('region', { name: 'MRR', exact: true })
      await card.getByRole('button', { name: 'Table' }).click()
      const drawn = await card.locator('tbody tr').count()
      expect(drawn).toBeLessThan(rows.length)
      await card.getByRole('button', { name: 'Show more' }).click()
      expect(await card.locator('tbody tr').count()).toBe(Math.min(2 * drawn, rows.length))
    })

    it('customers are found by name, and a customer has its MRR, movements and invoices', async () => {
      const found = (await served.ask('/api/customers?search=customer%2083')) as { rows: Answer[] }
      const [customer] = found.rows
      const { page, settled } = await served.show('/customers')
      await page.getByRole('searchbox').fill('customer 83')
      await page.getByText('1–1 of 1').waitFor()
      expect(new URL(page.url()).searchParams.get('search')).toBe('customer 83')
      await page
        .locator('tbody')
        .getByRole('link', { name: String(customer?.['name']) })
        .click()
      await settled()
      await page.getByRole('heading', { level: 1, name: String(customer?.['name']) }).waitFor()
      const mrr = page.locator('.headline').filter({ hasText: 'Current MRR' })
      expect(await mrr.locator('.figure').innerText()).toBe(money(Number(customer?.['mrr_base_cents']), true))
      const why = (await served.ask(`/api/metrics/mrr/why?range=all&limit=200&filter=customer_id=${customer?.['id']}`)) as {
        movers: Answer[]
      }
      const timeline = page.getByRole('region', { name: 'Timeline', exact: true })
      const kinds = await timeline.locator('.tag').allInnerTexts()
      const isMovement = (kind: string) => why.movers.some(({ movement_type }) => labelOf(String(movement_type)) === kind)
      expect(kinds.filter(isMovement).length).toBe(why.movers.length)
      const invoices = (await served.ask(`/api/invoices?customer_id=${customer?.['id']}&limit=24`)) as { rows: Answer[] }
      expect(await page.getByRole('region', { name: 'Invoices', exact: true }).locator('tbody tr').count()).toBe(
        invoices.rows.length,
      )
      expect(kinds.filter((kind) => kind === 'Invoice').length).toBe(invoices.rows.length)
      // Credit that settles an invoice is no payment.
      const all = (await served.ask(`/api/invoices?customer_id=${customer?.['id']}&limit=1000`)) as { rows: Answer[] }
      const paid = all.rows.reduce((sum, row) => sum + Number(row['amount_paid_cents']), 0)
      expect(all.rows.some((row) => row['status'] === 'paid' && row['amount_paid_cents'] !== row['total_cents'])).toBe(true)
      const billing = page.getByRole('region', { name: 'Billing', exact: true })
      expect(await billing.locator('dd').first().innerText()).toBe(money(paid, true))
      const segments = (await served.ask('/api/segments')) as Answer[]
      const members = await Promise.all(segments.map(({ id }) => served.ask(`/api/customers?segment=${id}&limit=1000`)))
      const own = segments.filter((_, place) =>
        (members[place] as { rows: Answer[] }).rows.some(({ id }) => id === customer?.['id']),
      )
      expect(own.length).toBeGreaterThan(0)
      expect(await page.getByRole('region', { name: 'Segments', exact: true }).getByRole('link').allInnerTexts()).toEqual(
        own.map(({ name }) => name),
      )
    })
  })
}

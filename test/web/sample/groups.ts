import { describe, expect, it } from 'vitest'
import { formatDay } from '../../../src/web/format/days.ts'
import { valueLabel } from '../../../src/web/format/labels.ts'
import { formatChange, formatValue } from '../../../src/web/format/numbers.ts'
import type { ServedPage } from '../../support/product/served-page.ts'

type Answer = Readonly<Record<string, unknown>>

const RANGE = 'start=2026-05-01&end=2026-10-31'
const BEFORE = '2026-04-30'
const LAST = '2026-10-31'

const money = (cents: number) => formatValue(cents, 'money', { currency: 'USD', precise: true })
const change = (cents: number) => formatChange(cents, 'money', { currency: 'USD', precise: true })
const sum = (rows: readonly Answer[], field: string) => rows.reduce((before, row) => before + Number(row[field]), 0)

export function groupPages(served: ServedPage): void {
  const ask = async (path: string) => (await served.ask(`/api/metrics/${path}`)) as readonly Answer[]

  describe('one table of plans and one of countries', () => {
    it.each([
      { path: '/plans', by: 'plan_id', filter: '' },
      { path: '/countries', by: 'customer_country', filter: '' },
      { path: '/plans', by: 'plan_id', filter: '&filter=customer_country=JP' },
    ])('$path $filter: each row has the figures of the API, and each number opens its rows', async ({ path, by, filter }) => {
      const { page, settled, problems } = await served.show(`${path}?${RANGE}${filter}`)
      const [level, before, lost, trials] = await Promise.all([
        ask(`ltv/arpu?at=${LAST}&dimensions=${by}${filter}`),
        ask(`mrr?at=${BEFORE}&dimensions=${by}${filter}`),
        ask(`churn?type=revenue&${RANGE}&dimensions=${by}${filter}`),
        ask(`trials?${RANGE}&dimensions=${by}${filter}`),
      ])
      const total = sum(level, 'mrr')
      const shown = (await page.locator('main tbody tr').allInnerTexts()).map((text) =>
        text.split('\t').map((cell) => cell.trim()),
      )
      expect(level.length).toBeGreaterThan(3)
      const largest = level.toSorted((one, other) => Number(other['mrr']) - Number(one['mrr']))
      for (const [place, row] of largest.entries()) {
        const of = (rows: readonly Answer[]) => rows.find((one) => one[by] === row[by])
        const mrr = Number(row['mrr'])
        expect(shown[place]?.slice(0, 6)).toEqual([
          row[by] === null ? '–' : valueLabel(row[by], by),
          money(mrr),
          formatValue(mrr / total, 'fraction'),
          change(mrr - Number(of(before)?.['mrr'] ?? 0)),
          String(row['active_customers']),
          money(Number(row['arpu'])),
        ])
        expect(shown[place]?.slice(6)).toEqual([
          money(Number(of(lost)?.['revenue_lost'] ?? 0)),
          of(lost) === undefined ? '–' : formatValue(Number(of(lost)?.['revenue_churn_rate']), 'fraction'),
          String(of(trials)?.['started'] ?? 0),
        ])
      }
      const foot = (await page.locator('main tfoot tr').innerText()).split('\t').map((cell) => cell.trim())
      // A customer with two plans counts for both, so only countries add up.
      expect(foot).toEqual([
        'Total',
        money(total),
        formatValue(1, 'fraction'),
        change(total - sum(before, 'mrr')),
        by === 'plan_id' ? '' : String(sum(level, 'active_customers')),
        '',
        money(sum(lost, 'revenue_lost')),
        '',
        String(sum(trials, 'started')),
      ])
      // The panels of MRR, change and churned MRR add up to the clicked number.
      const line = page
        .locator('main tbody tr')
        .filter({ has: page.getByRole('link') })
        .first()
      for (const place of [1, 3, 6]) {
        const cell = line.locator('td').nth(place)
        const text = await cell.innerText()
        if ((await cell.getByRole('button').count()) === 0) continue
        await cell.getByRole('button').click()
        await settled()
        const opened = await page.getByRole('dialog').locator('.panel-total .figure').innerText()
        expect(opened.replaceAll(/[+−]/g, '')).toBe(text.replaceAll(/[+−]/g, ''))
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
      expect(problems).toEqual([])
    })

    it('the name leads to MRR, narrowed to the plan, and the table sorts', async () => {
      const { page, settled } = await served.show('/plans')
      await page.locator('main th').getByRole('button', { name: 'Trials' }).click()
      const first = page.locator('main tbody tr').first()
      const trials = (await page.locator('main tbody tr td:last-child').allInnerTexts()).map(Number)
      expect(trials).toEqual(trials.toSorted((one, other) => other - one))
      const mrr = await first.locator('td').nth(1).innerText()
      await first.getByRole('link').click()
      await settled()
      const shown = await page.locator('.headline').filter({ hasText: 'MRR' }).first().locator('.figure').first().innerText()
      expect(formatValue(Math.round(Number(mrr.replaceAll(/[$,]/g, ''))) * 100, 'money', { currency: 'USD' })).toBe(shown)
    })

    it('a customer has the sum it paid, its open balance, first and latest invoice and next renewal', async () => {
      const late = (await served.ask('/api/invoices?open_for_days=0&order=-balance_base_cents&limit=1')) as { rows: Answer[] }
      const large = (await served.ask('/api/customers?order=-mrr_base_cents&limit=1')) as { rows: Answer[] }
      for (const id of [late.rows[0]?.['customer_id'], large.rows[0]?.['id']].map(String)) {
        const { page, settled } = await served.show(`/customers/${id}`)
        const { rows } = (await served.ask(`/api/invoices?customer_id=${id}&limit=1000`)) as { rows: Answer[] }
        const days = rows.map((row) => String(row['invoice_date'])).sort()
        const own = { currency: String(rows[0]?.['currency']), precise: true }
        const unsettled = rows.filter((row) => row['days_open'] !== null)
        const open = sum(unsettled, 'balance_cents')
        const card = page.getByRole('region', { name: 'Billing', exact: true })
        expect((await card.locator('dd').allInnerTexts()).slice(0, 4)).toEqual([
          // Credit that settles an invoice is no payment.
          formatValue(sum(rows, 'amount_paid_cents'), 'money', own),
          formatValue(open, 'money', own),
          formatDay(days[0] ?? ''),
          formatDay(days.at(-1) ?? ''),
        ])
        const { rows: next } = (await served.ask(`/api/subscriptions/renewals?customer_id=${id}`)) as { rows: Answer[] }
        expect(await card.locator('dd').nth(4).innerText()).toBe(formatDay(String(next[0]?.['renews_on'])))
        if (open === 0) continue
        await card.getByTitle('Show Open invoices', { exact: true }).click()
        await settled()
        expect(await page.getByRole('dialog').locator('.panel-total .figure').innerText()).toBe(formatValue(open, 'money', own))
        await page.keyboard.press('Escape')
      }
      const paid = (await served.ask(`/api/invoices?customer_id=${large.rows[0]?.['id']}`)) as { rows: Answer[] }
      expect(sum(paid.rows, 'amount_paid_cents')).toBeGreaterThan(0)
    })

    it.each([
      ['/plans?compare_to=year', 'Not compared: the table shows the change since the start of the range.'],
      ['/countries?compare_to=previous', 'Not compared: the table shows the change since the start of the range.'],
      ['/plans?compare_to=previous&range=all', 'Not compared: no period comes before all time.'],
    ])('%s says that the table is not compared', async (path, note) => {
      const { page, go, problems } = await served.show(path)
      await page.getByText(note, { exact: true }).waitFor()
      await go(path.replace(/compare_to=\w+&?/, ''))
      expect(await page.getByText('Not compared').count()).toBe(0)
      expect(problems).toEqual([])
    })

    it('a range without any data says so', async () => {
      const { page, problems } = await served.show('/plans?start=2020-01-01&end=2020-01-31')
      await page.getByText('No MRR, churn or trials in this period.').waitFor()
      expect(problems).toEqual([])
    })
  })
}

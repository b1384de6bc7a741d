import { expect, it } from 'vitest'
import { sampleConfig } from '../../src/app/demo/sample-config.ts'
import { prepareSampleData } from '../../src/app/demo/sample-data.ts'
import { groupBy } from '../../src/core/group-by.ts'
import { formatValue } from '../../src/web/format/numbers.ts'
import { LEDGER_TABS } from '../../src/web/ledger/tabs.ts'
import { isInTurn } from '../support/databases/rotation.ts'
import { describeServed } from '../support/product/describe-served.ts'
import { serveOver, type Visit } from '../support/product/served-page.ts'
import { cellsThatDiffer, differenceBehind } from './sample/one-number.ts'

type Row = Readonly<Record<string, string | number | null>>

const TWO_MONTHS = 'start=2026-09-01&end=2026-10-31&interval=month'
const LAYOUTS = 4
const LOOKS = [
  { width: 390, theme: 'dark' },
  { width: 768, theme: 'light' },
  { width: 1440, theme: 'dark' },
] as const
const VIEWS = LEDGER_TABS.map(({ value }) => value)
/** Tabs whose numbers open rows. Each number costs a request, so a usual run takes one of these tabs. */
const WITH_ROWS = LEDGER_TABS.filter(({ value }) => value !== 'waterfall' && value !== 'export')
const LOOKS_SHARE = 3
const PATIENCE_MS = 240_000

const money = (cents: number, precise = false) => formatValue(cents, 'money', { currency: 'USD', precise })
const sum = (rows: readonly Row[], field: string) => rows.reduce((total, row) => total + Number(row[field]), 0)

describeServed('the ledger on the page', (served) => {
  const ask = async (path: string) => (await served.ask(`/api/metrics/ledger/${path}`)) as readonly Row[]
  const tile = ({ page }: Visit, label: string) => page.locator(`.tile[data-tile="${label}"]`)
  const card = ({ page }: Visit, name: string) => page.getByRole('region', { name, exact: true })
  /** The numbers of the ages at a day, as the page shows them. */
  const agesShown = async (visit: Visit) => {
    const ages = card(visit, 'Receivables by age')
    const table = ages.getByRole('button', { name: 'Table', exact: true })
    if ((await table.count()) > 0) await table.click()
    return ages.locator('tbody tr td:nth-child(3)').allInnerTexts()
  }
  const agesAt = async (day: string) => (await ask(`receivables?at=${day}`)).map((row) => money(Number(row['balance']), true))

  it('has the numbers of the API on its tiles, each with the month before', async () => {
    const visit = await served.show('/ledger')
    const [revenue, cash, ages, dso] = await Promise.all(
      ['revenue', 'cash', 'receivables', 'dso'].map((name) => ask(`${name}?${TWO_MONTHS}`)),
    )
    const both = (rows: readonly Row[] = [], field = '', counts = (_: Row) => true) =>
      ['2026-10-01', '2026-09-01'].map((period) =>
        sum(
          rows.filter((row) => row['period'] === period && counts(row)),
          field,
        ),
      )
    const told: Readonly<Record<string, readonly number[]>> = {
      'Recognized revenue': both(revenue, 'recognized'),
      Billed: both(revenue, 'billed'),
      Collected: both(cash, 'collected'),
      'Deferred revenue': both(revenue, 'closing_deferred'),
      Receivables: both(ages, 'balance'),
      'Past due': both(ages, 'balance', (row) => row['age'] !== 'current'),
    }
    for (const [label, [now = 0, before = 0]] of Object.entries(told)) {
      expect(await tile(visit, label).locator('.tile-value').innerText(), label).toBe(money(now))
      expect(await tile(visit, label).locator('.tile-foot').innerText(), label).toContain(`vs. Sep 2026: ${money(before)}`)
    }
    const [now = 0, before = 0] = both(dso, 'dso')
    expect(await tile(visit, 'DSO, in days').locator('.tile-value').innerText()).toBe(formatValue(now, 'count'))
    expect(await tile(visit, 'DSO, in days').locator('.tile-foot').innerText()).toContain(formatValue(before, 'count'))
    expect(await tile(visit, 'Receivables').locator('.tile-days').innerText()).toBe('on Oct 31, 2026')
    expect(visit.problems).toEqual([])
  })

  it('shows deferred revenue by the months to come, each with its charges', async () => {
    const months = await ask('deferred?period=2026-10')
    const [revenue] = await ask('revenue?start=2026-10-01&end=2026-10-31&interval=month')
    expect(sum(months, 'deferred')).toBe(revenue?.['closing_deferred'])
    const visit = await served.show('/ledger')
    const own = card(visit, 'Deferred revenue by months to come')
    const [next] = months
    const amount = money(Number(next?.['deferred']), true)
    expect(await own.locator('p').first().innerText()).toBe(`Recognized in Nov 2026, the next month: ${amount}`)
    await own.getByRole('button', { name: 'Table', exact: true }).click()
    expect(await own.locator('tbody tr td:nth-child(1)').allInnerTexts()).toHaveLength(months.length)
    expect(await own.locator('tbody tr td:nth-child(2)').allInnerTexts()).toEqual(
      months.map((row) => money(Number(row['deferred']), true)),
    )
    await own.locator('p').getByRole('button').click()
    await visit.settled()
    const panel = visit.page.getByRole('dialog')
    expect(await panel.innerText()).toContain('Deferred until Nov 2026')
    expect(await panel.innerText()).toContain(amount)
    expect(visit.problems).toEqual([])
  })

  it('leads from a tile to its statement with the same number, and from the number to its rows', async () => {
    const visit = await served.show('/ledger?view=export')
    const { page, settled } = visit
    for (const [label, view, name, title] of [
      ['Recognized revenue', 'revenue', 'Deferred revenue, rolled forward', 'Show Recognized, Oct 2026'],
      ['Billed', 'revenue', 'Deferred revenue, rolled forward', 'Show Billed, Oct 2026'],
      ['Deferred revenue', 'revenue', 'Deferred revenue, rolled forward', 'Show Closing deferred, Oct 2026'],
      ['Collected', 'cash', 'Cash', 'Show Collected, Oct 2026'],
    ] as const) {
      const value = tile(visit, label).locator('.tile-value')
      const number = (await value.innerText()).replaceAll(/\D/g, '')
      expect(await differenceBehind(visit, value.locator('.cell-button'), label)).toBeUndefined()
      await tile(visit, label).locator('.tile-link').click()
      await settled()
      expect(new URL(page.url()).searchParams.get('view')).toBe(view)
      const table = card(visit, name).getByRole('button', { name: 'Table', exact: true })
      if ((await table.count()) > 0) await table.click()
      const cell = await card(visit, name).getByTitle(title, { exact: true }).innerText()
      expect(String(Math.round(Number(cell.replaceAll(/[^\d.]/g, '')))), label).toBe(number)
    }
    for (const label of ['Receivables', 'Past due']) {
      const value = tile(visit, label).locator('.tile-value')
      const number = await value.innerText()
      expect(await differenceBehind(visit, value.locator('.cell-button'), label)).toBeUndefined()
      await tile(visit, label).locator('.tile-link').click()
      await settled()
      expect(await page.locator('.ledger-totals').innerText()).toContain(number)
    }
  })

  it.each(WITH_ROWS.filter((_, place) => isInTurn(place, WITH_ROWS.length)))(
    'the numbers of the tab $label open rows that add up to them',
    async ({ value }) => {
      const visit = await served.show('/ledger')
      expect(await cellsThatDiffer(visit, `/ledger?view=${value}`)).toEqual([])
    },
    PATIENCE_MS,
  )

  it('changes the ages with the day, which is part of the address', async () => {
    const visit = await served.show('/ledger?view=receivables')
    const { page, settled } = visit
    const first = await agesShown(visit)
    expect(first).toEqual(await agesAt('2026-10-31'))
    for (const [choice, day] of [
      ['End of Aug 2026', '2026-08-31'],
      ['Yesterday', '2026-11-19'],
      ['A year ago, Nov 20, 2025', '2025-11-20'],
    ] as const) {
      await page.getByRole('button', { name: /^Day:/ }).click()
      await page.getByRole('button', { name: choice, exact: true }).click()
      await settled()
      expect(new URL(page.url()).searchParams.get('at')).toBe(day)
      expect(await agesShown(visit)).toEqual(await agesAt(day))
      expect(await agesShown(visit)).not.toEqual(first)
    }
    await page.getByRole('button', { name: /^Day:/ }).click()
    await page.getByLabel('Another day').fill('2026-02-14')
    await page.getByRole('button', { name: 'Apply' }).click()
    await settled()
    await page.reload()
    await settled()
    expect(await agesShown(visit)).toEqual(await agesAt('2026-02-14'))
    const open = (await served.ask('/api/ledger/open-invoices?at=2026-02-14&limit=1')) as { readonly total: number }
    expect(await card(visit, 'Open invoices').locator('.pager').innerText()).toContain(`of ${open.total}`)
    // Another month begins with its own last day.
    await page.getByRole('button', { name: 'Show Sep 2026' }).click()
    await settled()
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ view: 'receivables', month: '2026-09-01' })
    expect(await agesShown(visit)).toEqual(await agesAt('2026-09-30'))
  })

  it('has a row for each customer, and opens the invoices of an age', async () => {
    const visit = await served.show('/ledger?view=receivables')
    const rows = await ask('receivables?at=2026-10-31&dimensions=customer_id')
    const totals = [...groupBy(rows, (row) => String(row['customer_id'])).values()].map((own) => sum(own, 'balance'))
    const customers = card(visit, 'Receivables by customer')
    const shown = await customers.locator('tbody tr td:last-child').allInnerTexts()
    const wanted = totals.filter((total) => total !== 0).sort((one, other) => other - one)
    expect(shown).toEqual(wanted.map((total) => money(total, true)))
    expect(await customers.locator('tfoot td').last().innerText()).toBe(money(sum(rows, 'balance'), true))
    const cell = customers.locator('tbody tr').first().locator('.cell-button').first()
    expect(await differenceBehind(visit, cell, 'an age of a customer')).toBeUndefined()
  })

  it('has a waterfall whose columns are the recognized revenue of their months', async () => {
    const visit = await served.show('/ledger?view=waterfall')
    const months = await ask('revenue?start=2025-11-01&end=2026-10-31&interval=month')
    const totals = await card(visit, 'Recognized revenue by month of posting').locator('tfoot td').allInnerTexts()
    expect(totals.slice(1, 13)).toEqual(months.map((row) => money(Number(row['recognized']), true)))
    const cents = totals.map((text) => Math.round(Number(text.replaceAll('−', '-').replaceAll(/[^\d.-]/g, '')) * 100))
    const [remaining = 0, adjusted = 0, booked = 0, ...recognized] = cents.toReversed()
    expect(booked + adjusted).toBe(recognized.reduce((total, one) => total + one, 0) + remaining)
    expect(visit.problems).toEqual([])
  })

  it('has a trial balance with equal sides, and files of everything', async () => {
    const { page, go, problems } = await served.show('/ledger?view=trial-balance')
    const [debit, credit] = await page.locator('tfoot td').allInnerTexts()
    expect([debit, debit]).toEqual([credit, money(sum(await ask('trial-balance?at=2026-10-31'), 'debit'), true)])
    await go('/ledger?view=export')
    expect(await page.getByText('plumbline ledger close 2026-10 --out books/2026-10').count()).toBe(1)
    const links = await page
      .locator('.ledger-files a[href*="format=csv"]')
      .evaluateAll((all) => all.map((link) => String(link.getAttribute('href'))))
    expect(links.filter((link) => link.includes('/api/ledger/journal')).length).toBe(LAYOUTS)
    for (const link of links) {
      const answer = await fetch(link)
      expect([answer.status, link]).toEqual([200, link])
      expect((await answer.text()).split('\r\n').length, link).toBeGreaterThan(2)
    }
    expect(problems).toEqual([])
  })

  it.each(['2026-13-01', 'soon', '2027-03-01'])('refuses the month %s with a way out', async (month) => {
    const { page, settled } = await served.show(`/ledger?month=${month}`)
    expect(await page.locator('.tile').count()).toBe(0)
    const said = month === '2027-03-01' ? page.getByText('This month has not begun.') : page.getByRole('alert')
    expect(await said.count()).toBe(1)
    await page.getByRole('button', { name: 'Show the last full month' }).click()
    await settled()
    expect(await page.locator('.tile').count()).toBeGreaterThan(5)
  })

  it('says which statements a filter does not fit, and shows the others', async () => {
    const visit = await served.show('/ledger?filter=charge_kind=usage')
    const [revenue] = await ask('revenue?start=2026-10-01&end=2026-10-31&filter=charge_kind=usage')
    expect(await tile(visit, 'Recognized revenue').locator('.tile-value').innerText()).toBe(
      money(Number(revenue?.['recognized'])),
    )
    expect(await tile(visit, 'Receivables').innerText()).toContain('Can’t be narrowed by Charge kind')
  })

  it.each(VIEWS.flatMap((view) => LOOKS.map((look) => ({ view, ...look }))).filter((_, place) => isInTurn(place, LOOKS_SHARE)))(
    'the tab $view fits at $width px, $theme, and is clean to axe',
    async ({ view, ...look }) => {
      const { overflow, accessibility } = await served.show(`/ledger?view=${view}`, look)
      expect([await overflow(), await accessibility()]).toEqual([0, []])
    },
  )

  it('is used with the keyboard', async () => {
    const { page, settled } = await served.show('/ledger')
    await page.getByRole('button', { name: 'Waterfall', exact: true }).focus()
    await page.keyboard.press('Enter')
    await settled()
    expect(new URL(page.url()).searchParams.get('view')).toBe('waterfall')
    await page.getByRole('button', { name: /^Month:/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitemradio', { name: 'Oct 2026' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await settled()
    expect(new URL(page.url()).searchParams.get('month')).toMatch(/^2026-\d{2}-01$/)
  })
})

describeServed(
  'the ledger of a source without books',
  (served) => {
    it('is no page of the menu, and says at its address that it is not available', async () => {
      const [source] = (await served.ask('/api/sources')) as { readonly unsupported: readonly string[] }[]
      expect(source?.unsupported).toContain('ledger')
      const { page, problems, accessibility } = await served.show('/ledger')
      expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Ledger' }).count()).toBe(0)
      expect(await page.getByText('Not available from this data source.').count()).toBe(1)
      expect(await page.locator('.tile').count()).toBe(0)
      expect(await accessibility()).toEqual([])
      expect(problems).toEqual([])
    })
  },
  async () => {
    const data = await prepareSampleData('stripe')
    return serveOver(sampleConfig(data, { port: '0' }), { dispose: data.dispose })
  },
)

import { expect, it } from 'vitest'
import { once } from '../../src/core/async.ts'
import { describeServed } from '../support/product/describe-served.ts'
import { chartsOfAllFigures } from '../support/product/saved-charts.ts'
import { type ServedPage, servePage } from '../support/product/served-page.ts'
import { signedIn } from './with-keys/signed-in.ts'

const HOSTILE = '"><script>document.title = "taken"</script>'

function sharedPages(served: ServedPage): void {
  const { ask, open, headers } = signedIn(served)
  /** A dashboard of the administrator with a number, charts over time, a table and a title that would be markup. */
  const board = once(async () => {
    const all = chartsOfAllFigures()
    const wanted = ['MRR', 'MRR by month', 'MRR in total by currency', 'MRR by currency']
    const charts = wanted.map((name) => all.find((chart) => chart.name === name)).filter((chart) => chart !== undefined)
    const [customers] = chartsOfAllFigures('last-month', 'customer_name').filter(({ config }) => config.form === 'table')
    const { id } = await ask<{ readonly id: string }>('/api/dashboards', { name: `Board ${HOSTILE}` })
    const section = await ask<{ readonly id: string }>(`/api/dashboards/${id}/sections`, { title: 'Revenue' })
    const own = { name: HOSTILE, config: charts[1]?.config }
    for (const [position, chart] of [...charts, own, customers].entries()) {
      const saved = await ask<{ readonly id: string }>('/api/charts', chart)
      await ask(`/api/dashboards/${id}/charts`, { saved_chart_id: saved.id, section_id: section.id, position })
    }
    return id
  })
  const share = async (body: object = {}) => {
    const made = await ask<{ readonly id: string; readonly path: string; readonly token: string }>('/api/links', {
      dashboard_id: await board(),
      ...body,
    })
    return made
  }

  it('a link is made in three clicks, and shows the dashboard and nothing else to anybody', async () => {
    const id = await board()
    const { page, settled, problems, accessibility } = await open()
    await page.goto(`${served.url}/dashboards/${id}`)
    await settled()
    await page.getByRole('button', { name: 'Share…' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await accessibility()).toEqual([])
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('button', { name: 'Copy link' }).waitFor()
    const address = (await page.locator('.settings-secret').textContent()) ?? ''
    expect(address).toMatch(new RegExp(`^${served.url}/shared#pll_[\\w-]{43}$`))
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    expect(await page.getByText(address).count()).toBe(0)
    expect(problems).toEqual([])

    const visitor = await served.visit(address.slice(served.url.length))
    const text = (await visitor.page.locator('main').textContent()) ?? ''
    const { value } = (await (
      await fetch(`${served.url}/api/metrics/mrr?at=2026-11-20&compare_to=previous`, { headers: await headers() })
    ).json()) as { value: number }
    const shown = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(value / 100)
    expect(text).toContain(shown)
    expect(text).toMatch(/Live, as of \d{4}-\d\d-\d\d \d\d:\d\d UTC/)
    expect(text).toContain('Without “A chart of customers”: It shows or singles out customers')
    // The title of the dashboard is a text.
    expect(await visitor.page.title()).toBe(`Board ${HOSTILE}`)
    expect(await visitor.page.locator('h1').textContent()).toBe(`Board ${HOSTILE}`)
    expect(await visitor.page.locator('main script').count()).toBe(0)
    expect(await visitor.page.getByRole('link').count()).toBe(0)
    expect(visitor.problems).toEqual([])
  })

  it.each([
    [390, 'light'],
    [390, 'dark'],
    [768, 'light'],
    [1440, 'light'],
    [1440, 'dark'],
  ] as const)('axe finds nothing on it, %i pixels wide and %s', async (width, theme) => {
    const { path } = await share()
    const { page, accessibility, overflow } = await served.visit(path, { width, theme })
    expect(await accessibility()).toEqual([])
    expect(await overflow()).toBe(0)
    expect(await page.locator('html').getAttribute('data-theme')).toBe(theme)
    await page.close()
  })

  it('says why it has no numbers', async () => {
    const { id, path } = await share()
    await fetch(`${served.url}/api/links/${id}`, { method: 'DELETE', headers: await headers() })
    const { page, accessibility } = await served.visit(path)
    for (const [address, said] of [
      [path, 'This link has expired or was withdrawn.'],
      ['/shared', 'This address is not complete.'],
      [path, 'This link has expired or was withdrawn.'],
      ['/shared#pll_short', 'This address is not complete.'],
    ] as const) {
      await page.goto(served.url + address)
      await page.getByRole('alert').filter({ hasText: said }).waitFor()
      expect(await accessibility()).toEqual([])
    }
    await page.close()
  })

  it('tells search engines, other pages and other hosts nothing', async () => {
    const response = await fetch(`${served.url}/shared`, { headers: { accept: 'text/html' } })
    expect(response.headers.get('x-robots-tag')).toBe('noindex, nofollow')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(response.headers.get('x-frame-options')).toBe('DENY')
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(await response.text()).toContain('<meta name="robots" content="noindex, nofollow">')
  })

  it('Settings lists links and revokes them, and a card makes a feed', async () => {
    const { token } = await share()
    const { page, settled, accessibility } = await open()
    const card = page.getByRole('region', { name: 'Links', exact: true })
    await card.getByRole('table').first().waitFor()
    expect(await card.textContent()).not.toContain(token)
    expect(await accessibility()).toEqual([])
    await card.getByRole('button', { name: 'Revoke' }).first().click()
    await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Revoke' }).click()
    await card
      .getByText(/^Revoked /)
      .first()
      .waitFor()
    const gone = await fetch(`${served.url}/api/shared`, { headers: { authorization: `Bearer ${token}` } })
    expect(gone.status).toBe(404)

    await page.goto(`${served.url}/dashboards/${await board()}`)
    await settled()
    await page.getByRole('button', { name: 'More options for MRR by month' }).click()
    await page.getByRole('menuitem', { name: 'Share…' }).click()
    await page.getByText('The address contains the secret').waitFor()
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('button', { name: 'Copy link' }).waitFor()
    const address = (await page.locator('.settings-secret').textContent()) ?? ''
    const rows = await fetch(address)
    expect([rows.status, rows.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect((await rows.text()).split('\n')[0]).toContain('period,mrr')
  })
}

describeServed('shared pages', sharedPages, () => servePage({ enabled: true }))

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/app/config/config.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { MENU } from '../../src/web/app/menu.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { storePlace } from '../support/databases/store-places.ts'
import { engines } from '../support/databases/targets.ts'
import { chromiumProgram } from '../support/product/chromium.ts'
import { END_OF_RECORDING } from '../support/product/recorded-engine.ts'
import { importRates } from '../support/product/recorded-service.ts'
import { type ServedPage, serveOver, type Visit } from '../support/product/served-page.ts'

const target = engines().find(({ name }) => name !== 'pglite')

const ALPHA = 'Alpha, Söhne & Co = “A”'
const KAUI = 'https://kaui.example.com/kaui'
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/
const CENTS = 100
/** Least size of a target, in pixels (WCAG 2.2, 2.5.8). */
const TARGET = 24
/** Pages whose figures have a tenant. Expenses are hidden without books. */
const PAGES = MENU.map(({ to }) => to).filter((path) => !['/expenses', '/segments', '/settings'].includes(path))

interface Linked {
  readonly customer_id: string
  readonly admin_url: string
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

async function served(tenant: string): Promise<ServedPage> {
  if (target === undefined) throw new Error('No server is at hand')
  const { url } = await sharedReal(target)
  const place = await storePlace(target.name)
  await importRates(place)
  const options = {
    'database.url': url,
    'store.url': place.url,
    'connector.tenant': tenant,
    'definitions.base_currency': 'USD',
    'clock.now': END_OF_RECORDING.toISOString(),
    'server.port': '0',
  }
  const config = loadConfig({ environment: {}, cwd: packageRoot(), home: undefined, config: null, options })
  const connector = { ...config.connector, tenant_names: { alpha: ALPHA }, kaui_url: KAUI }
  return serveOver({ ...config, connector }, { dispose: place.remove })
}

const menuOf = ({ page }: Visit) => page.getByRole('button', { name: /^Tenant:/ })

describe.skipIf(chromiumProgram() === undefined || target === undefined)('the page of a service of two tenants', () => {
  let both: ServedPage
  beforeAll(async () => {
    both = await served('all')
  })
  afterAll(() => both.close())

  const mrrOf = async (tenant?: string) => {
    const filter = tenant === undefined ? '' : `?${new URLSearchParams({ filter: `tenant=${tenant}` })}`
    return dollars.format(Number(await both.ask(`/api/metrics/mrr${filter}`)) / CENTS)
  }

  it('narrows every figure to the chosen tenant, keeps it from page to page, and back to all', async () => {
    const visit = await both.visit('/mrr')
    const { page, settled } = visit
    const shows = (amount: string) => page.locator('main .headline').getByText(amount, { exact: true }).first().waitFor()
    await shows(await mrrOf())
    await menuOf(visit).click()
    expect(await page.getByRole('menuitemradio').allInnerTexts()).toEqual(['✓\nAll tenants', ALPHA, 'beta'])
    await page.getByRole('menuitemradio', { name: 'beta' }).click()
    await settled()
    expect(new URL(page.url()).searchParams.get('tenant')).toBe('beta')
    await shows(await mrrOf('beta'))
    await page.getByRole('navigation').getByRole('link', { name: 'Customers' }).click()
    await settled()
    expect(new URL(page.url()).searchParams.get('tenant')).toBe('beta')
    await page.getByRole('heading', { name: '23 customers' }).waitFor()
    await page.goBack()
    await page.goBack()
    await settled()
    await shows(await mrrOf())
    expect(visit.problems).toEqual([])
    await page.context().close()
  })

  it('names tenants in legends, menus and tables, and shows no id', async () => {
    const { page, problems, go } = await both.visit('/settings')
    for (const path of [
      '/mrr?dimensions=source_id',
      '/mrr?dimensions=tenant',
      '/explore?view=total&dimensions=tenant',
      '/customers?order=-mrr_base_cents',
    ]) {
      await go(path)
      const text = await page.locator('main').innerText()
      expect(text, path).toContain(ALPHA)
      expect(text, path).not.toMatch(UUID)
    }
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('asks every figure of every page for the tenant of the address', async () => {
    const { page, go, problems } = await both.visit('/settings')
    const asked: URL[] = []
    page.on('request', (request) => asked.push(new URL(request.url())))
    for (const path of PAGES) {
      await go(`${path}?${new URLSearchParams({ tenant: ALPHA })}`)
      await menuOf({ page } as Visit)
        .getByText(ALPHA)
        .waitFor()
    }
    const questions = asked.filter(
      ({ pathname, search }) =>
        /^\/api\/(metrics\/(?!.*fields)|customers|invoices|subscriptions)/.test(pathname) && search !== '',
    )
    const isNarrowed = ({ searchParams }: URL) =>
      searchParams.getAll('filter').includes(`tenant=${ALPHA}`) || searchParams.get('tenant') === ALPHA
    expect(questions.length).toBeGreaterThan(PAGES.length)
    expect(questions.filter((url) => !isNarrowed(url)).map(({ href }) => href)).toEqual([])
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('narrows saved charts, except one that was saved for a tenant, which names it', async () => {
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(both.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      expect(answer.status, path).toBe(201)
      return (await answer.json()) as { readonly id: string }
    }
    const config = { version: 1, path: '/api/metrics/mrr', form: 'number', measure: 'mrr', groups: [], isLevel: true }
    const explore = { metric: 'mrr', view: 'total' }
    const charts = [
      { name: 'MRR of all', config: { ...config, query: {}, explore } },
      { name: 'MRR of one', config: { ...config, query: { filter: ['tenant=beta'] }, explore: { ...explore, tenant: 'beta' } } },
    ]
    const dashboard = await post('/api/dashboards', { name: 'Board' })
    const section = await post(`/api/dashboards/${dashboard.id}/sections`, { title: 'Charts' })
    for (const [position, chart] of charts.entries()) {
      const { id } = await post('/api/charts', chart)
      await post(`/api/dashboards/${dashboard.id}/charts`, { saved_chart_id: id, section_id: section.id, position })
    }
    const { page, problems, go } = await both.visit(`/dashboards/${dashboard.id}`)
    const [all, alpha, beta] = [await mrrOf(), await mrrOf(ALPHA), await mrrOf('beta')]
    const shows = (name: string, amount: string) =>
      page.locator('.placed-number').filter({ hasText: name }).getByText(amount, { exact: true }).waitFor()
    await shows('MRR of all', all)
    await shows('MRR of one · beta', beta)
    await go(`/dashboards/${dashboard.id}?${new URLSearchParams({ tenant: ALPHA })}`)
    await shows('MRR of all', alpha)
    await shows('MRR of one · beta', beta)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('says in one sentence that a tenant does not exist', async () => {
    const { page, settled } = await both.visit('/mrr?tenant=gone')
    await page.getByText('There is no tenant “gone”.').waitFor()
    await page.getByRole('button', { name: 'Show all tenants' }).click()
    await settled()
    await page
      .locator('main .headline')
      .getByText(await mrrOf(), { exact: true })
      .first()
      .waitFor()
    await page.context().close()
  })

  it.each(['light', 'dark'] as const)('leads from a customer to the account in the billing system, %s', async (theme) => {
    const { rows } = (await both.ask('/api/customers?status=active&limit=1')) as { readonly rows: readonly { id: string }[] }
    const id = String(rows[0]?.id)
    const { page, problems, overflow, accessibility } = await both.visit(`/customers/${id}`, { width: 360, theme })
    const link = page.locator('.page-head').getByRole('link', { name: 'Open in the billing system' })
    expect(await link.getAttribute('href')).toBe(`${KAUI}/accounts/${id}`)
    expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual(['_blank', 'noreferrer'])
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(TARGET)
    expect(await overflow()).toBe(0)
    expect(await accessibility()).toEqual([])
    expect(problems).toEqual([])
    await page.context().route(`${KAUI}/**`, (route) => route.fulfill({ body: 'The account' }))
    const [opened] = await Promise.all([page.waitForEvent('popup'), link.click()])
    await opened.getByText('The account').waitFor()
    expect(opened.url()).toBe(`${KAUI}/accounts/${id}`)
    expect(new URL(page.url()).pathname).toBe(`/customers/${id}`)
    await page.context().close()
  })

  it.each(['light', 'dark'] as const)('leads from each row behind a number to the billing system, %s', async (theme) => {
    const { page, problems, settled, overflow, accessibility } = await both.visit('/mrr', { theme })
    await page.locator('main .headline').getByRole('button').first().click()
    await settled()
    const panel = page.getByRole('dialog')
    const address = new URL(page.url()).searchParams.get('panel') ?? ''
    const path = address.replaceAll(';', '&').replace(/&?_[^&]*/g, '')
    const { rows } = (await both.ask(`${path}&limit=50`)) as { readonly rows: readonly Linked[] }
    expect(rows.length).toBeGreaterThan(1)
    const links = panel.locator('tbody').getByRole('link', { name: /^Open .* in the billing system \(new tab\)$/ })
    const shown = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(shown).toEqual(rows.map(({ admin_url }) => admin_url))
    expect(shown[0]).toBe(`${KAUI}/accounts/${rows[0]?.customer_id}`)
    expect(await accessibility()).toEqual([])
    await page.setViewportSize({ width: 360, height: 900 })
    expect(await overflow()).toBe(0)
    expect(await accessibility()).toEqual([])
    expect((await links.first().boundingBox())?.height).toBeGreaterThanOrEqual(TARGET)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it.each(['light', 'dark'] as const)('is accessible on a phone, %s', async (theme) => {
    const visit = await both.visit(`/?${new URLSearchParams({ tenant: ALPHA })}`, { width: 360, theme })
    expect(await visit.overflow()).toBe(0)
    expect(await visit.accessibility()).toEqual([])
    await menuOf(visit).click()
    expect(await visit.overflow()).toBe(0)
    await visit.page.context().close()
  })

  it('of one tenant alone shows no switch and offers no tenant', async () => {
    const alone = await served('alpha')
    try {
      const visit = await alone.visit('/mrr')
      expect(await menuOf(visit).count()).toBe(0)
      await visit.page.getByRole('button', { name: /^Group by/ }).click()
      await visit.page.getByText('Country', { exact: true }).first().waitFor()
      expect(await visit.page.getByText('Tenant', { exact: true }).count()).toBe(0)
      await visit.go('/customers')
      expect(await visit.page.locator('th').allInnerTexts()).not.toContain('Tenant')
      expect(visit.problems).toEqual([])
    } finally {
      await alone.close()
    }
  })
})

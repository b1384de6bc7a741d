import { beforeAll, describe, expect, it } from 'vitest'
import { ERROR_CODES, type ErrorCode } from '../../src/core/errors.ts'
import { createApp } from '../../src/facades/http/app.ts'
import { FINDING_CLASSES } from '../../src/records/billing-health/classes.ts'
import type { HealthAnswer } from '../../src/records/billing-health/rows.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { describedPart } from '../support/product/described-part.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { keptStore } from '../support/product/store-with-segments.ts'

interface Refusal {
  readonly code: string
  readonly issues: readonly { readonly where: string; readonly message: string }[]
  readonly available?: readonly string[]
  readonly available_filters?: readonly string[]
  readonly available_attributes?: readonly string[]
}

interface Linked {
  readonly customer_id: string
  readonly admin_url: string | null
}

const PATHS = ['/api/billing-health', '/api/billing-health/findings'] as const

/** A wrong query, its code, where the fault is, and what the message says. */
const WRONG: readonly (readonly [query: string, code: ErrorCode, where: string, says: string])[] = [
  ['class=nonsense', 'invalid_value', 'query.class', '"nonsense"'],
  ['class=healthy', 'invalid_value', 'query.class', '"healthy"'],
  ['class=other&class=nonsense', 'invalid_value', 'query.class', '"nonsense"'],
  ['filter=class=nonsense', 'invalid_value', 'query.filter', '"nonsense"'],
  ['class=other&filter=class=not_billed', 'invalid_value', 'query.class', '"not_billed"'],
  ['state=OPEN', 'invalid_value', 'query.state', 'open or closed'],
  ['filter=state=gone', 'invalid_value', 'query.filter', 'open or closed'],
  ['filter=nothing', 'invalid_value', 'query.filter', 'key=value'],
  ['filter=shape=round', 'unknown_filter', 'query.filter', '"shape"'],
  ['filter=attr.shape=round', 'unknown_attribute', 'query.filter', '"shape"'],
  ['segment=00000000-0000-4000-8000-000000000009', 'unknown_segment', 'query.segment', '000000000009'],
  ['start=2026-02-30', 'invalid_value', 'query.start', 'YYYY-MM-DD'],
  ['end=tomorrow', 'invalid_value', 'query.end', 'YYYY-MM-DD'],
  ['start=2026-11-10&end=2026-11-01', 'invalid_range', 'query.start', '2026-11-01'],
  ['start=2026-11-21', 'invalid_range', 'query.start', 'up to yesterday, 2026-11-20'],
  ['range=sometime', 'invalid_value', 'query.range', 'last-month'],
  ['range=ytd&start=2026-01-01', 'invalid_range', 'query.range', 'one or the other'],
  ['money=gold', 'invalid_value', 'query.money', 'cents or units'],
  ['source_id=a&source_id=b', 'invalid_value', 'query.source_id', 'one value'],
  ['search=%00', 'invalid_value', 'query.search', 'text'],
  ['order=class', 'invalid_value', 'query.order', '"order"'],
  ['definitions=nonsense', 'invalid_value', 'query.definitions', '"nonsense"'],
]

oneEngineInRotation('wrong questions about billing health', (target) => {
  let app: ReturnType<typeof createApp>
  beforeAll(async () => {
    const engine = await engineOver(await sharedReal(target), { tenant: ['alpha'], store: await keptStore({}) })
    app = createApp({ engine, version: '0', corsOrigins: [], limits: { body_bytes: 1000 }, log: () => {} })
  })

  async function refusal(path: string): Promise<Refusal & { readonly status: number }> {
    const response = await app.request(path)
    return { status: response.status, ...((await response.json()) as Refusal) }
  }

  describe.each(PATHS)('%s', (path) => {
    it.each(WRONG)('%s', async (query, code, where, says) => {
      const found = await refusal(`${path}?${query}`)
      expect(found).toMatchObject({ status: ERROR_CODES[code].status, code, issues: [{ where }] })
      expect(found.issues.map(({ message }) => message).join(' ')).toContain(says)
    })

    it('names what is allowed', async () => {
      expect((await refusal(`${path}?class=nonsense`)).available).toEqual(FINDING_CLASSES)
      expect((await refusal(`${path}?state=nonsense`)).available).toEqual(['open', 'closed'])
      const { available_filters: filters = [] } = await refusal(`${path}?filter=shape=round`)
      expect(filters).toEqual(expect.arrayContaining(['class', 'state', 'currency', 'customer_country']))
      expect(filters).toEqual([...new Set(filters)])
      expect((await refusal(`${path}?filter=attr.shape=round`)).available_attributes).toContain('attr.tier')
      expect((await refusal(`${path}?shape=round`)).available).toEqual(expect.arrayContaining(['class', 'end', 'start', 'state']))
    })

    it('filters by each field that it offers', async () => {
      const { available_filters: filters = [] } = await refusal(`${path}?filter=shape=round`)
      for (const key of filters) {
        const values = { tenant: 'alpha', class: 'account_parked', state: 'open' }[key] ?? 'none'
        expect((await app.request(`${path}?filter=${key}=${values}`)).status, key).toBeLessThan(500)
      }
    })

    it('the document describes each code', async () => {
      const document = JSON.parse(await (await app.request('/openapi.json')).text())
      const lacking = [...new Set(WRONG.map(([, code]) => code))].filter((code) => {
        const refusal = describedPart(document, document.paths[path].get.responses[ERROR_CODES[code].status])
        return !String(refusal?.description).includes(`\`${code}\``)
      })
      expect(lacking).toEqual([])
    })
  })

  it.each(['limit=0', 'limit=1001', 'limit=ten', 'offset=-1'])('a page of findings refuses %s', async (query) => {
    const [name] = query.split('=')
    expect(await refusal(`${PATHS[1]}?${query}`)).toMatchObject({
      status: 400,
      code: 'invalid_value',
      issues: [{ where: `query.${name}` }],
    })
  })

  it.each(['customer_id=nobody', 'currency=XXX'])('%s matches no days, as in lists', async (query) => {
    const sums = await (await app.request(`${PATHS[0]}?${query}`)).json()
    expect(sums).toMatchObject({ subscription_days: 0, agreed_base_cents: 0, classes: [] })
    expect(await (await app.request(`${PATHS[1]}?${query}`)).json()).toMatchObject({ total: 0, rows: [] })
    expect(await (await app.request(`/api/invoices?${query}`)).json()).toMatchObject({ total: 0, rows: [] })
  })

  it('another definition set is named as without effect', async () => {
    const response = await app.request(`${PATHS[0]}?definitions=plumbline`)
    expect([response.status, response.headers.get('x-warnings')?.split(',')[0]]).toEqual([200, 'unused_parameter'])
    const usual = await app.request(`${PATHS[0]}?definitions=default`)
    expect(usual.headers.get('x-warnings')).not.toContain('unused_parameter')
  })

  it('a file of the sums has a line for each class and for the healthy days', async () => {
    const { classes, healthy_days, subscription_days } = (await (await app.request(PATHS[0])).json()) as HealthAnswer
    const text = await (await app.request(`${PATHS[0]}?format=csv`)).text()
    const [head = '', ...lines] = text.trim().split('\r\n')
    const rows = lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [head.split(',')[at], cell])))
    expect(rows.map((row) => row['class'])).toEqual([...classes.map((row) => row.class), 'healthy'])
    expect(rows.at(-1)?.['days']).toBe(String(healthy_days))
    expect(rows.reduce((sum, row) => sum + Number(row['days']), 0)).toBe(subscription_days)
    expect(text).not.toContain('{')
  })

  it('findings, rows behind numbers and notices lead to the billing system', async () => {
    const engine = await engineOver(await sharedReal(target), { tenant: ['alpha'], kauiUrl: 'https://kaui.example.com' })
    const linked = createApp({ engine, version: '0', corsOrigins: [], limits: { body_bytes: 1000 }, log: () => {} })
    const first = async (one: typeof app) => {
      const { rows } = (await (await one.request(`${PATHS[1]}?limit=1`)).json()) as { readonly rows: readonly Linked[] }
      return rows[0]
    }
    const found = await first(linked)
    expect(found?.admin_url).toBe(`https://kaui.example.com/accounts/${found?.customer_id}`)
    expect((await first(app))?.admin_url).toBeNull()
    const address = '/api/metrics/mrr/rows?at=2026-10-31&limit=1'
    const { rows } = (await (await linked.request(address)).json()) as { readonly rows: readonly Linked[] }
    expect(rows[0]?.admin_url).toBe(`https://kaui.example.com/accounts/${rows[0]?.customer_id}`)
    const csv = await (await linked.request(`${address}&format=csv`)).text()
    expect(csv.split('\r\n')[0]?.split(',')).toContain('admin_url')
    expect(csv).toContain(rows[0]?.admin_url)
    const invoiced = '/api/metrics/ltv/rows?query_type=cohort&range=last-month&measure=total_revenue&limit=1'
    const months = await (await linked.request('/api/metrics/ltv/cohort?range=last-month')).json()
    const { cohort_month } = (months as readonly { readonly cohort_month: string; readonly total_revenue: number }[]).find(
      ({ total_revenue }) => total_revenue > 0,
    ) ?? { cohort_month: '' }
    const paid = (await (await linked.request(`${invoiced}&cohort_month=${cohort_month}`)).json()) as {
      readonly rows: readonly (Linked & { readonly document_id: string })[]
    }
    const [invoice] = paid.rows
    expect(invoice?.admin_url).toBe(`https://kaui.example.com/accounts/${invoice?.customer_id}/invoices/${invoice?.document_id}`)
    const unpaid = await (await linked.request('/api/billing-health/notices?kind=never_attempted&limit=1')).json()
    const [notice] = (unpaid as { readonly rows: readonly (Linked & { readonly invoice_id: string })[] }).rows
    expect(notice?.admin_url).toBe(`https://kaui.example.com/accounts/${notice?.customer_id}/invoices/${notice?.invoice_id}`)
    await engine.close()
  })

  it('the sums have no pages', async () => {
    expect(await refusal(`${PATHS[0]}?limit=1`)).toMatchObject({
      status: 400,
      code: 'invalid_value',
      issues: [{ where: 'query.limit' }],
    })
  })
})

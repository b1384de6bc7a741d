import { beforeAll, describe, expect, it } from 'vitest'
import type { Engine, ListName } from '../../src/engine/engine.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { realTables, type TenantName } from '../support/data/recorded/recorded-tables.ts'
import { recordedTenants, shiftOf } from '../support/data/recorded/recorded-tenants.ts'
import { oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { type Records, recordsOf } from '../support/oracles/record-loops.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

type Row = Record<string, unknown>
interface Page {
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly rows: readonly Row[]
}

const TENANTS: readonly TenantName[] = ['alpha', 'beta']
const LISTS: readonly ListName[] = ['customers', 'subscriptions', 'invoices']

const expected: Record<TenantName, Records> = { alpha: recordsOf('alpha'), beta: recordsOf('beta') }

/** Custom fields of an account, typed as they look, and its tags. */
function engineAttributes(id: string): Row {
  const own = (name: string) =>
    realTables(name).filter((row) => row['object_id'] === id && row['object_type'] === 'ACCOUNT' && row['is_active'] === true)
  const names = new Map(realTables('tag_definitions').map((row) => [row['id'], row['name']]))
  const fields = own('custom_fields').map((row) => [String(row['field_name']), typed(String(row['field_value']))])
  const tags = own('tags').map(({ tag_definition_id: tag }) => [
    `tag.${names.get(tag) ?? CONTROL_TAGS[String(tag).at(-1) ?? '']}`,
    true,
  ])
  return Object.fromEntries([...fields, ...tags])
}

function typed(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true'
  if (/^\d{4}-\d\d-\d\dT.*Z$/.test(text)) return new Date(text).toISOString()
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}

// By the last digit of their ids.
const CONTROL_TAGS: Readonly<Record<string, string>> = {
  1: 'AUTO_PAY_OFF',
  2: 'AUTO_INVOICING_OFF',
  3: 'OVERDUE_ENFORCEMENT_OFF',
  5: 'MANUAL_PAY',
  6: 'TEST',
  7: 'PARTNER',
}

oneEngineInRotation('the data endpoints compared with loops over the recorded tables', (target) => {
  const engines = new Map<string, Engine>()
  beforeAll(async () => {
    const database = await sharedReal(target)
    for (const tenant of [...TENANTS, 'all']) engines.set(tenant, await engineOver(database, { tenant: [tenant] }))
  })
  const engineOf = (tenant: string): Engine => {
    const engine = engines.get(tenant)
    if (engine === undefined) throw new Error(`no engine for ${tenant}`)
    return engine
  }
  const pageOf = async (tenant: string, name: ListName, params: Row = {}, spec: Row = {}) =>
    (await engineOf(tenant).list(name, params, spec)).data as Page

  async function allOf(tenant: string, name: ListName, params: Row = {}): Promise<Row[]> {
    const rows: Row[] = []
    for (let offset = 0; ; offset += 1000) {
      const page = await pageOf(tenant, name, { ...params, limit: 1000, offset })
      rows.push(...page.rows)
      if (page.rows.length === 0 || rows.length === page.total) return rows
    }
  }

  describe.each(recordedTenants(target))('%s', (tenant) => {
    const shift = shiftOf(target, tenant)

    it.each(LISTS)('%s: every row, in order', async (name) => {
      const found = await allOf(tenant, name)
      // Reasons come from the audit log and have their own tests.
      const shown = name === 'subscriptions' ? found.map(({ cancel_reason: _, ...row }) => row) : found
      expect(shown.length).toBe(expected[tenant][name].length)
      for (const [index, row] of expected[tenant][name].entries()) expect(shown[index], `${name} ${index}`).toEqual(row)
    })

    it.each(LISTS)('%s: pages join to the list', async (name) => {
      const wanted = expected[tenant][name]
      const first = await pageOf(tenant, name)
      expect(first).toMatchObject({ total: wanted.length, limit: 100, offset: 0 })
      expect(first.rows.map((row) => row['id'])).toEqual(wanted.slice(0, 100).map((row) => row['id']))
      const last = await pageOf(tenant, name, { limit: '7', offset: String(wanted.length - 3) })
      expect(last.rows.map((row) => row['id'])).toEqual(wanted.slice(-3).map((row) => row['id']))
      expect(await pageOf(tenant, name, { offset: wanted.length + 5 })).toEqual({
        total: wanted.length,
        limit: 100,
        offset: wanted.length + 5,
        rows: [],
      })
    })

    const filtered = [
      ['customers', 'status', ['active', 'free', 'paused', 'trialing', 'churned', 'lead']],
      ['customers', 'currency', ['EUR', 'USD', 'JPY']],
      ['customers', 'country', ['DE', 'US']],
      ['subscriptions', 'status', ['pending', 'trialing', 'active', 'paused', 'canceled']],
      ['subscriptions', 'plan_id', ['pro-monthly', 'contract-monthly', 'nothing']],
      ['subscriptions', 'product_name', ['Pro', 'Storage']],
      ['subscriptions', 'currency', ['EUR', 'GBP']],
      ['invoices', 'status', ['draft', 'void', 'paid', 'uncollectible', 'open']],
      ['invoices', 'currency', ['EUR']],
    ] as const
    // Questions that one tenant leaves out go to the other.
    it.each(sampleOf(target, filtered, { first: 2, others: 2, shift }))('%s by %s', async (name, key, values) => {
      for (const value of sampleOf<string>(target, values, { first: 3, others: values.length, shift })) {
        const wanted = expected[tenant][name].filter((row) => row[key] === value)
        const page = await pageOf(tenant, name, { limit: 5 }, { filters: { [key]: value } })
        expect([value, page.total], value).toEqual([value, wanted.length])
        expect(page.rows.map((row) => row['id'])).toEqual(wanted.slice(0, 5).map((row) => row['id']))
      }
      const some = values.slice(0, 2)
      const both = await pageOf(tenant, name, { limit: 1 }, { filters: { [key]: some } })
      expect(both.total).toBe(expected[tenant][name].filter((row) => some.some((value) => value === row[key])).length)
    })

    it('one customer by id and by key', async () => {
      for (const customer of sampleOf(target, expected[tenant].customers.slice(0, 4), { others: 4, shift })) {
        const owned = expected[tenant].subscriptions.filter((row) => row['customer_id'] === customer['id'])
        const { data } = await engineOf(tenant).customer(String(customer['id']))
        const { subscriptions, ...rest } = data as Row & { subscriptions: Row[] }
        expect(rest).toEqual({ ...customer, attributes: engineAttributes(String(customer['id'])), admin_url: null })
        expect(subscriptions.map(({ cancel_reason: _, ...row }) => row)).toEqual(owned)
        expect((await engineOf(tenant).customer(String(customer['external_key']))).data).toEqual(data)
        const listed = await allOf(tenant, 'subscriptions', { customer_id: customer['id'] })
        expect(listed).toEqual(subscriptions)
        const invoices = await allOf(tenant, 'invoices', { customer_id: customer['id'] })
        expect(invoices).toEqual(expected[tenant].invoices.filter((row) => row['customer_id'] === customer['id']))
      }
    })

    it('invoices of some days', async () => {
      for (const days of [{ start: '2026-03-05', end: '2026-03-05' }, { start: '2026-11-10' }, { end: '2025-01-31' }]) {
        const { start = '', end = '9999' } = days as { start?: string; end?: string }
        const inside = (day: string) => day >= start && day <= end
        const wanted = expected[tenant].invoices.filter((row) => inside(String(row['invoice_date'])))
        expect(await allOf(tenant, 'invoices', days), JSON.stringify(days)).toEqual(wanted)
      }
    })
  })

  it('search finds parts of names, addresses and keys, and whole ids', async () => {
    const { customers } = expected.alpha
    const [one] = customers
    const part = 'CUSTOMER 31'
    const named = customers.filter((row) => String(row['name']).toUpperCase().includes(part))
    expect((await pageOf('alpha', 'customers', { search: part })).total).toBe(named.length)
    expect(named.length).toBeGreaterThan(3)
    const id = String(one?.['id'])
    expect((await pageOf('alpha', 'customers', { search: id })).rows).toEqual([one])
    expect((await pageOf('alpha', 'customers', { search: id.slice(0, 20) })).total).toBe(0)
    expect((await pageOf('alpha', 'customers', { search: 'ACC-0031@' })).rows).toMatchObject([
      { email: 'alpha-acc-0031@example.test' },
    ])
    const owned = expected.alpha.subscriptions.filter((row) => row['customer_id'] === id)
    expect((await pageOf('alpha', 'subscriptions', { search: id })).total).toBe(owned.length)
    const billed = expected.alpha.invoices.filter((row) => String(row['customer_name']).toUpperCase().includes(part))
    expect((await pageOf('alpha', 'invoices', { search: part, limit: 1 })).total).toBe(billed.length)
  })

  const hostile = ['%', '_', '!', '100%', "'", "' or 1=1 --", '\\', '"', '!%', 'alpha_acc', '  ', 'ä', '😀']
  it.each(hostile.map((search, shift) => [search, shift] as const))('search takes %j as it is written', async (search, shift) => {
    for (const name of sampleOf(target, LISTS, { first: 3, others: 3, shift })) {
      const texts = (row: Row) => [row['name'], row['email'], row['external_key'], row['customer_name']].map(String)
      const wanted = expected.beta[name].filter((row) => texts(row).some((text) => text.toLowerCase().includes(search)))
      expect((await pageOf('beta', name, { search })).total, name).toBe(wanted.length)
    }
  })

  it('tenants never leak', async () => {
    for (const [tenant, other] of [
      ['alpha', 'beta'],
      ['beta', 'alpha'],
    ] as const) {
      const foreign = expected[other].customers[0]
      const source_id = foreign?.['source_id']
      for (const id of [foreign?.['id'], foreign?.['external_key']]) {
        await expect(engineOf(tenant).customer(String(id))).rejects.toMatchObject({ code: 'not_found' })
      }
      for (const name of LISTS) {
        expect(await pageOf(tenant, name, { source_id })).toMatchObject({ total: 0, rows: [] })
        expect(await pageOf(tenant, name, { search: foreign?.['id'] })).toMatchObject({ total: 0 })
      }
      const params = { customer_id: foreign?.['id'] }
      expect(await pageOf(tenant, 'subscriptions', params)).toMatchObject({ total: 0 })
      expect(await pageOf(tenant, 'invoices', params)).toMatchObject({ total: 0 })
    }
  })

  it('all tenants together are the two lists, each to be had by its source', async () => {
    for (const name of sampleOf(target, LISTS, { first: 1, others: 3 })) {
      const { total } = await pageOf('all', name, { limit: 1 })
      expect(total).toBe(expected.alpha[name].length + expected.beta[name].length)
      const source_id = expected.beta.customers[0]?.['source_id']
      expect((await pageOf('all', name, { limit: 1, source_id })).total).toBe(expected.beta[name].length)
    }
  })
})

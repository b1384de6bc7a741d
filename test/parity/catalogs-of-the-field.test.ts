import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKillbillConnector } from '../../connectors/killbill/index.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { insertRows } from '../support/data/killbill/insert-rows.ts'
import { killbillDatabase } from '../support/data/killbill/killbill-database.ts'
import { catalogOf, monthlyPlan } from '../support/data/scenario-tables.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/targets.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

const NOW = new Date('2025-03-01T00:00:00Z')
const START = '2024-01-15 00:00:00'

const dated = (day: string, plans: string) => catalogXml({ effectiveDate: day, plans })
const version = (day: string, ...plans: string[]) =>
  dated(day, plans.join('')).replace('<catalog ', '<version ').replace('</catalog>', '</version>')

/** Catalog texts and the plan names, as stored, of one subscription each. */
const TENANTS: Readonly<Record<string, { catalogs: readonly string[]; plans: readonly string[]; overrides?: boolean }>> = {
  exported: {
    catalogs: [
      `<catalogs><versions>${version('2024-01-01', monthlyPlan('box', '30'))}${version('2025-01-01', monthlyPlan('box', '36', { existing: '2025-02-01' }))}</versions></catalogs>`,
    ],
    plans: ['box'],
  },
  decimals: {
    catalogs: [catalogOf(monthlyPlan('dot', '.95'), monthlyPlan('plus', '+5.00'), monthlyPlan('trailing', '5.'))],
    plans: ['dot', 'plus', 'trailing'],
  },
  retired: {
    catalogs: [
      dated('2024-01-01', monthlyPlan('back', '10')),
      dated('2024-03-01', monthlyPlan('other', '1')),
      dated('2024-05-01', monthlyPlan('back', '99', { existing: '2024-06-01' })),
    ],
    plans: ['back'],
  },
  colon: {
    catalogs: [catalogOf(monthlyPlan('standard', '10.00'), monthlyPlan('standard-2', '99.00'))],
    plans: ['standard-2', 'standard:1'],
    overrides: true,
  },
  unpriced: {
    catalogs: [
      catalogOf(
        monthlyPlan('known', '10'),
        planXml('odd', { final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: '1e3' } }) }),
      ),
    ],
    plans: ['known', 'odd'],
  },
  period: {
    catalogs: [catalogOf(planXml('yearly', { final: phaseXml('EVERGREEN', { period: 'YEARLY', prices: { USD: '120' } }) }))],
    plans: ['yearly'],
  },
}

async function fill(database: TestDatabase): Promise<void> {
  let key = 0
  for (const [place, [name, { catalogs, plans, overrides }]] of Object.entries(TENANTS).entries()) {
    const tenant = { tenant_record_id: place + 1 }
    await insertRows(database, 'tenants', [{ record_id: place + 1, external_key: name, api_key: name }])
    await insertRows(
      database,
      'tenant_kvs',
      catalogs.map((tenant_value) => ({ ...tenant, tenant_value })),
    )
    for (const plan of plans) {
      key += 1
      const owned = { ...tenant, account_record_id: key }
      await insertRows(database, 'accounts', [{ ...tenant, record_id: key, currency: 'USD' }])
      await insertRows(database, 'bundles', [{ ...owned, id: `b${key}`, account_id: 'a', external_key: `b${key}` }])
      await insertRows(database, 'subscriptions', [{ ...owned, id: `s${key}`, bundle_id: `b${key}`, start_date: START }])
      const names = { plan_name: plan, phase_name: `${plan}-evergreen`, price_list_name: 'DEFAULT' }
      await insertRows(database, 'subscription_events', [
        { ...owned, ...names, subscription_id: `s${key}`, user_type: 'CREATE', effective_date: START, quantity: 0 },
      ])
    }
    if (overrides !== true) continue
    const phase = { parent_phase_name: 'standard-evergreen', currency: 'USD', recurring_price: '7.00' }
    await insertRows(database, 'catalog_override_plan_definition', [{ ...tenant, record_id: 1, parent_plan_name: 'standard' }])
    await insertRows(database, 'catalog_override_phase_definition', [{ ...tenant, record_id: 1, ...phase }])
    await insertRows(database, 'catalog_override_plan_phase', [
      { ...tenant, record_id: 1, phase_number: 1, phase_def_record_id: 1, target_plan_def_record_id: 1 },
    ])
  }
}

firstEngineAndOneOther('catalogs as servers have them', (target) => {
  let database: TestDatabase
  const opened: Engine[] = []
  const both = async (tenant: string, definitions = {}) => {
    const options = { tenant: [tenant], now: NOW, definitions }
    const engines = [await engineOver(database, options), (await cachedEngineOver(database, options)).engine]
    opened.push(...engines)
    return engines
  }
  beforeAll(async () => {
    database = await killbillDatabase(target)
    await fill(database)
  })
  afterAll(async () => {
    for (const engine of opened) await engine.close()
  })

  it.each([
    ['the REST export, before its date for existing subscriptions', 'exported', '2025-01-31', 3000],
    ['the REST export, after it', 'exported', '2025-02-01', 3600],
    ['prices without a digit before or after the point, and with a sign', 'decimals', '2025-02-01', 95 + 500 + 500],
    ['a plan that was retired and brought back keeps its price for who has it', 'retired', '2025-02-01', 1000],
    ['a plan whose name an override could have, on a server with colons', 'colon', '2025-02-01', 9900 + 700],
  ])('%s', async (_name, tenant, at, cents) => {
    for (const engine of await both(tenant)) expect((await engine.query('mrr', { at }, {})).data).toBe(cents)
  })

  it('one unpriced plan: the refusal names the way out, and what is then answered names the plan', async () => {
    for (const engine of await both('unpriced')) {
      await expect(engine.query('mrr', { at: '2025-02-01' }, {})).rejects.toMatchObject({
        code: 'unpriced_plan',
        message: expect.stringMatching(
          /odd \(USD, 1 subscription: its price "1e3" of phase EVERGREEN is no decimal number\).*definitions\.allow_unpriced/,
        ),
      })
    }
    for (const engine of await both('unpriced', { allow_unpriced: true })) {
      const { data, meta } = await engine.query('mrr', { at: '2025-02-01' }, {})
      expect(data).toBe(1000)
      expect(meta.warnings).toEqual([
        { code: 'unpriced_plan', count: 1, message: expect.stringContaining('odd (USD, 1 subscription: its price "1e3"') },
      ])
    }
  })

  it('a billing period that the engine does not have is named, and no price is said to be missing', async () => {
    const flaw = /its billing period "YEARLY" of phase EVERGREEN is none of Kill Bill \(DAILY, .*, NO_BILLING_PERIOD\)/
    for (const engine of await both('period')) {
      const refused = await engine.query('mrr', { at: '2025-02-01' }, {}).then(
        () => '',
        (error: Error) => error.message,
      )
      expect(refused).toMatch(flaw)
      expect(refused).toMatch(/^The catalog has a price that cannot be read for yearly \(USD, 1 subscription: /)
      expect(refused).not.toContain('no price')
    }
    for (const engine of await both('period', { allow_unpriced: true })) {
      const { data } = await engine.billingNotices({ kind: 'without_price' })
      const { rows } = data as { readonly rows: readonly { readonly sentence: string }[] }
      expect(rows.map(({ sentence }) => sentence)).toEqual([expect.stringMatching(flaw)])
    }
    expect((await findings('period'))('catalog_prices')).toMatchObject({
      level: 'warning',
      message: expect.stringContaining('yearly EVERGREEN billing period: "YEARLY" is none of Kill Bill'),
    })
    expect((await findings('period'))('prices')).toMatchObject({ level: 'failure', message: expect.stringMatching(flaw) })
  })

  const findings = async (tenant: string, settings: Partial<Parameters<typeof createKillbillConnector>[0]> = {}) => {
    const connector = createKillbillConnector({ tenant: [tenant], catalog: [], ...settings })
    const found = await database
      .executor()
      .withSnapshot(
        (snapshot) => connector.check?.(snapshot, { now: NOW, definitions: definitionsSchema.parse({}) }) ?? Promise.resolve([]),
      )
    return (name: string) => found.find((finding) => finding.name === name)
  }

  it('check lists plan names with two readings and prices that cannot be read', async () => {
    expect((await findings('colon'))('plan_names')).toMatchObject({
      level: 'warning',
      message: expect.stringContaining('standard-2'),
    })
    expect((await findings('colon', { override_delimiter: ':' }))('plan_names')).toMatchObject({ level: 'ok' })
    expect((await findings('decimals'))('plan_names')).toBeUndefined()
    expect((await findings('unpriced'))('catalog_prices')).toMatchObject({
      level: 'warning',
      message: expect.stringContaining('odd EVERGREEN USD: "1e3" is no decimal number'),
    })
  })

  it('Aviate has its own catalog: check says so where its tables hold rows, and so does every answer', async () => {
    const asked = async () =>
      Promise.all(
        (await both('decimals')).map(async (engine) => (await engine.query('mrr', { at: '2025-02-01' }, {})).meta.warnings),
      )
    await database.adminQuery('create table aviate_catalog_plan (record_id int primary key, secret varchar(50))')
    expect((await findings('decimals'))('aviate')).toBeUndefined()
    expect(await asked()).toEqual([[], []])
    await database.adminQuery("insert into aviate_catalog_plan values (1, 'never read')")
    const finding = (await findings('decimals'))('aviate')
    expect(finding).toMatchObject({ level: 'warning', message: expect.stringContaining('aviate_catalog_plan') })
    expect(finding?.message).toContain('connector.catalog')
    expect(finding?.message).not.toContain('never read')
    const warning = { code: 'prices_in_doubt', message: finding?.message }
    expect(await asked()).toEqual([[warning], [warning]])
    const file = join(await mkdtemp(join(tmpdir(), 'plumbline-test-')), 'catalog.xml')
    await writeFile(file, catalogOf(monthlyPlan('dot', '1')))
    expect((await findings('decimals', { catalog: [file] }))('aviate')).toMatchObject({ level: 'ok' })
    const request = { now: NOW, definitions: definitionsSchema.parse({}) }
    const connector = createKillbillConnector({ tenant: ['decimals'], catalog: [file] })
    const session = await database.executor().withSnapshot((snapshot) => connector.open(snapshot, request))
    expect(session.prices_in_doubt).toBeUndefined()
  })
})

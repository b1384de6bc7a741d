import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { createLook } from '../../connectors/killbill/changes/look.ts'
import type { Look } from '../../src/connector-kit/mirror-source.ts'
import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { agreePrice, NEGOTIATED } from '../support/data/histories/catalog-writes.ts'
import { databaseWriter } from '../support/data/histories/database-writer.ts'
import { type Filled, fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory } from '../support/data/histories/generated-history.ts'
import { PLANS } from '../support/data/histories/history-catalogs.ts'
import { DAY, dice, later } from '../support/data/histories/seeded-dice.ts'
import type { FilledRow } from '../support/data/killbill/insert-rows.ts'
import { describeTargets } from '../support/databases/targets.ts'
import { DEFINITIONS, heldDifferences, NONE_HELD, type SoakedCache, soakedCache } from '../support/product/held-rows.ts'

const MOMENT = { now: '2024-05-20 12:00:00', seconds: 0 }
const SEED = 7
const ACCOUNTS = 30
/** A number of plans whose marks, with those of their prices, are no longer small. */
const MANY = 5_200

const BULK = catalogXml({
  effectiveDate: '2024-10-01T00:00:00Z',
  plans: Array.from({ length: MANY }, (_, index) =>
    planXml(`bulk-${index}`, { final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: `${index}.50` } }) }),
  ).join(''),
})

/** Catalogs in which some bases do not offer every add-on, alone and with thousands of plans and prices. */
const CATALOGS = [
  ['a usual catalog', generatedHistory(SEED, ACCOUNTS), NEGOTIATED],
  ['thousands of plans', withVersion(BULK), ['bare', 'seats']],
] as const

describeTargets(
  'a price that was agreed with one customer',
  (target) => {
    const closing: (() => Promise<unknown>)[] = []
    afterEach(async () => {
      for (const close of closing.splice(0).reverse()) await close()
    })

    it.each(CATALOGS)('reaches the rows of that customer only, also after a restart, with %s', async (_, history, plans) => {
      const filled = await fillDatabase(target, history)
      const { database } = filled
      const directory = await mkdtemp(join(tmpdir(), 'plumbline-agreed-'))
      closing.push(() => rm(directory, { recursive: true }))
      const engine = billingEngine(filled)
      closing.push(engine.close)
      let processes = 0
      const start = (): SoakedCache => {
        processes += 1
        return soakedCache(database.executor({ poolSize: 2 }), `process ${processes}`, directory)
      }
      const expectFilled = async (cache: SoakedCache, filledAt: string, agreed: string) => {
        const held = await cache.held(MOMENT)
        const anew = soakedCache(database.executor({ poolSize: 2 }), 'filled anew', null)
        const { tables } = await anew.held(MOMENT).finally(() => anew.cache.close())
        expect(heldDifferences(['held', held.tables], ['filled', tables]), agreed).toBeUndefined()
        expect(
          tables['subscription_span']?.filter((line) => line.includes(`"${agreed}"`)),
          agreed,
        ).not.toEqual([])
        expect(held.filled_at, agreed).toBe(filledAt)
        expect(cache.failures()).toEqual([])
      }

      let cache = start()
      const { filled_at } = await cache.held(MOMENT)
      const looking = { running: lookOf(filled, 'looking'), marks: undefined as unknown }
      looking.marks = (await looking.running(undefined)).marks
      for (const plan of plans) {
        const { name, customer } = await engine.agree(plan)
        // A running process, and one that knows nothing but the marks.
        const looks = [await looking.running(looking.marks), await lookOf(filled, `after ${name}`)(looking.marks)]
        for (const look of looks) expect(found(look), name).toEqual({ extent: 'customers', customers: [customer] })
        looking.marks = looks[0]?.marks
        expect((await cache.held(MOMENT)).filled_at, name).toBe(filled_at)
        await cache.cache.close()
        const { name: meanwhile } = await engine.agree(plan)
        cache = start()
        await expectFilled(cache, filled_at, meanwhile)
        looking.marks = (await looking.running(looking.marks)).marks
      }
      await cache.cache.close()
    })

    it('a catalog that loses a plan changes the rows of its customers in that tenant only, also after a restart', async () => {
      const filled = await fillDatabase(target, generatedHistory(SEED, ACCOUNTS))
      const { database } = filled
      const customers = await database.adminQuery(
        `select distinct s.account_record_id as customer from subscription_events as e join subscriptions as s on s.id = e.subscription_id
where e.tenant_record_id = 2 and e.phase_name in ('full-evergreen', 'full-discount', 'full-trial', 'full-fixedterm')`,
      )
      expect(customers.length).toBeGreaterThan(0)
      const theirs = { extent: 'customers', customers: customers.map((each) => String(each['customer'])).sort() }
      const versions = await database.adminQuery(
        `select record_id, tenant_value as text from tenant_kvs where tenant_record_id = 2 and tenant_key = 'CATALOG' order by record_id desc`,
      )
      let { marks } = await lookOf(filled, 'first')(undefined)
      // After the last version, no row of the catalog names the plan any more.
      for (const { record_id, text } of versions) {
        const without = String(text).replace(/<plan name="full">.*?<\/plan>/s, '')
        expect(without).not.toBe(text)
        await database.adminQuery(
          `update tenant_kvs set tenant_value = '${without.replaceAll("'", "''")}' where record_id = ${record_id}`,
        )
        const look = await lookOf(filled, `without version ${record_id}`)(marks)
        expect(found(look)).toEqual(theirs)
        marks = look.marks
      }
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

const found = ({ extent, customers }: Look) => ({ extent, customers: [...customers].sort() })

function withVersion(tenant_value: string): ReturnType<typeof generatedHistory> {
  const history = generatedHistory(SEED, ACCOUNTS)
  return { ...history, tenant_kvs: [...(history['tenant_kvs'] ?? []), { tenant_record_id: 1, tenant_value }] }
}

/** The looks of another process. */
function lookOf({ database }: Filled, process: string): (marks: unknown) => Promise<Look> {
  const executor = database.executor()
  const settings = { tenant: ['all'], catalog: [] }
  const look = createLook(settings, { wall: () => 0, running: () => 0, process })
  const request = { now: new Date(`${MOMENT.now.replace(' ', 'T')}Z`), definitions: DEFINITIONS }
  return (marks) => executor.withSnapshot((snapshot) => look(snapshot, request, marks, NONE_HELD))
}

/** The billing engine, which agrees prices with one customer after the other. */
function billingEngine({ database, tables }: Filled) {
  const writer = databaseWriter(database, tables)
  const draw = dice(SEED)
  const began = later(MOMENT.now, -60 * DAY)
  // Nothing hides or blocks their subscriptions.
  const customers = writer.rows('accounts').filter(({ record_id }) => {
    const isOf = (row: FilledRow) => row['account_record_id'] === record_id
    return !writer.rows('tags').some(isOf) && !writer.rows('blocking_states').some(isOf)
  })
  let sold = 0
  return {
    close: writer.close,
    /** Sells a base with an add-on, and this plan at an agreed price two months later. */
    async agree(plan: (typeof NEGOTIATED)[number]) {
      const account = customers[sold]
      if (account === undefined) throw new Error(`nobody is left for ${plan}`)
      sold += 1
      const owner = {
        tenant_record_id: account['tenant_record_id'] ?? null,
        account_record_id: account['record_id'] ?? null,
      }
      const writing = await writer.begin(MOMENT.now)
      const bundle = await writing.insert('bundles', {
        ...owner,
        account_id: account['id'] ?? null,
        external_key: `sold-${sold}`,
      })
      const subscribe = async (category: string, plan_name: string, phase_name: string): Promise<FilledRow> => {
        const subscription = await writing.insert('subscriptions', {
          ...owner,
          bundle_id: bundle['id'] ?? null,
          category,
          start_date: began,
        })
        const cells = { effective_date: began, event_type: 'API_USER', user_type: 'CREATE', plan_name, phase_name }
        const named = { subscription_id: subscription['id'] ?? null, price_list_name: 'DEFAULT', quantity: 0 }
        await writing.insert('subscription_events', { ...owner, ...named, ...cells })
        return subscription
      }
      const base = await subscribe('BASE', 'p-monthly', 'p-monthly-evergreen')
      const addon = await subscribe('ADD_ON', 'seats', 'seats-evergreen')
      const scene = { writing, writer, dice: draw, now: MOMENT.now, account, owner }
      const name = await agreePrice(scene, plan, '12.30', Object.hasOwn(PLANS.ADD_ON, plan) ? addon : base)
      await writing.commit()
      return { name, customer: String(account['record_id']) }
    },
  }
}

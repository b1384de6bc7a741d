import { expect, it } from 'vitest'
import { lagoGrants } from '../../connectors/lago/grants.ts'
import { dice } from '../support/data/histories/seeded-dice.ts'
import { callLago, fillLago, generatedLago } from '../support/data/lago/generated/generated-lago.ts'
import { DAY, HOUR, SECOND } from '../support/data/lago/generated/lago-scene.ts'
import { instantText } from '../support/data/lago/generated/lago-store.ts'
import { lagoWriter, type OpenWriting } from '../support/data/lago/generated/lago-writer.ts'
import { PROPERTY_FACTOR } from '../support/data/property-runs.ts'
import { createRole } from '../support/databases/restricted-role.ts'
import { sampleOf } from '../support/databases/rotation.ts'
import { describeTargets } from '../support/databases/targets.ts'
import { heldDifferences } from '../support/product/held-rows.ts'
import { lagoCache } from '../support/product/lago-cache.ts'

const SEED = 20261128
const ROUNDS = 10
const SIZE = { customers: 14, calls: 12 }
const MOST_OPEN = 3
/** Rounds between comparisons. */
const EVERY = 5

/** Statements of a console: they save rows without an instant and without a version, and remove some. `$1` is a letter of an id. */
const BULK = [
  `update plans set amount_cents = amount_cents + 100 where id::text like '$1%' and amount_cents is not null`,
  `update fees set amount_cents = amount_cents + 1 where id::text like '$1%'`,
  `update invoices set total_amount_cents = total_amount_cents + 1 where id::text like '$1%'`,
  `update subscriptions set ending_at = now() where id::text like '$1%' and status = 1`,
  `delete from fees where id::text like '$1%'`,
  `delete from customer_metadata where id::text like '$1%'`,
  `delete from versions where item_id like '$1%'`,
  `update customers set name = 'bulk' where id::text like '$1%'`,
]

const ROLES = {
  'a role with the printed grants': { grants: lagoGrants, hasBulk: true },
  // A role of an earlier version sees saves of customers and payments by their instants.
  'a role without the number of the last transaction': {
    grants: (request: Parameters<typeof lagoGrants>[0]) => lagoGrants(request).map((text) => text.replace(', xmin)', ')')),
    hasBulk: false,
  },
}

describeTargets(
  'the rows that a cache of Lago rebuilds while Lago writes',
  (target) => {
    it.each(sampleOf(target, Object.entries(ROLES), { first: 2 }))(
      'are those of a new filling, cell by cell, as %s',
      async (_, { grants, hasBulk }) => {
        const rounds = (hasBulk ? ROUNDS : EVERY) * PROPERTY_FACTOR
        const history = generatedLago({ seed: SEED, ...SIZE })
        const { store } = history
        const database = await target.createDatabase()
        await fillLago(database, history)
        const role = await createRole(database, grants)
        const writer = lagoWriter(database)
        const draw = dice(SEED)
        let now = history.end - 60 * DAY
        const clock = { now: () => new Date(now) }
        const executor = () => database.executor({ url: role.url, poolSize: 2 })
        const kept = lagoCache(executor(), clock)
        const open: { readonly writing: OpenWriting; readonly customer: string }[] = []
        const fillings = new Set<string>()
        try {
          for (let round = 1; round <= rounds; round += 1) {
            const names: string[] = []
            for (let count = draw.below(3); count >= 0; count -= 1) {
              const held = new Set(open.map(({ customer }) => customer))
              const free = store.rows('customers').filter((row) => !held.has(String(row['id'])))
              // Changes of plans wait for open transactions of their overrides.
              const isOwn = open.length > 0 || draw.chance(50)
              const { name, customer } = callLago(store, draw, now, { free, isOwn })
              const writing = await writer.begin(store.takeJournal())
              names.push(name)
              if (isOwn && open.length < MOST_OPEN && draw.chance(30)) open.push({ writing, customer })
              else await writing.commit()
            }
            if (open.length > 0 && draw.chance(50)) await open.shift()?.writing.commit()
            if (hasBulk && open.length === 0 && draw.chance(50)) {
              const text = draw.pick(BULK).replace('$1', draw.pick([...'0123456789abcdef']))
              await database.adminQuery(text)
              names.push(text)
            }
            now += draw.pick([SECOND, SECOND, HOUR, DAY, 17 * DAY])
            const rebuilt = await kept.held()
            fillings.add(rebuilt.filled_at)
            if (round % EVERY !== 0) continue
            const anew = lagoCache(executor(), clock)
            const filled = await anew.held().finally(() => anew.cache.close())
            const found = heldDifferences(['rebuilt', rebuilt.tables], ['filled', filled.tables])
            expect(found, `round ${round}, after ${names.join(', ')}, at ${clock.now().toISOString()}`).toBeUndefined()
          }
          expect(kept.cache.failures()).toEqual([])
          // Rounds are followed by refreshes. A new time zone or year may ask for a filling.
          expect(fillings.size).toBeLessThan(rounds / 2)
        } finally {
          for (const { writing } of open) await writing.commit()
          await kept.cache.close()
          await writer.close()
          await role.drop()
        }
      },
      600_000,
    )

    it('change at an instant that is dated later than now: the creation and the payment of an invoice, a fee, a planned end', async () => {
      const history = generatedLago({ seed: 3, customers: 4, calls: 4 })
      const { store } = history
      const at = history.end
      const [customer] = store.rows('customers').filter((row) => row['account_type'] === 'customer')
      const owner = { organization_id: customer?.['organization_id'] ?? null, customer_id: customer?.['id'] ?? null }
      const entity = { organization_id: owner.organization_id, billing_entity_id: customer?.['billing_entity_id'] ?? null }
      const plan = store.rows('plans').find((row) => row['organization_id'] === owner.organization_id)
      const subscription = store.insert('subscriptions', at - 90 * DAY, {
        ...{ ...owner, plan_id: plan?.['id'] ?? null, external_id: 'ahead', status: 1, started_at: instantText(at - 90 * DAY) },
        ending_at: instantText(at + 4 * HOUR),
      })
      const invoice = store.insert('invoices', at + HOUR, {
        ...{ ...owner, ...entity, currency: 'USD', status: 1, payment_status: 1, total_amount_cents: 900, number: 'ahead' },
        finalized_at: instantText(at + HOUR),
      })
      store.insert('payments', at + 2 * HOUR, {
        ...{ ...owner, payable_id: invoice['id'] ?? null, amount_cents: 900, amount_currency: 'USD', status: 'done' },
        ...{ payable_payment_status: 'succeeded', payment_type: 'manual' },
      })
      store.insert('fees', at, {
        ...{ ...entity, subscription_id: subscription['id'] ?? null, fee_type: 0, amount_cents: 500, amount_currency: 'USD' },
        ...{ taxes_amount_cents: 0, pay_in_advance: true, payment_status: 1, succeeded_at: instantText(at + 3 * HOUR) },
        properties: JSON.stringify({ timestamp: new Date(at).toISOString() }),
      })
      const database = await target.createDatabase()
      await fillLago(database, history)
      let now = at
      const clock = { now: () => new Date(now) }
      const kept = lagoCache(database.executor(), clock)
      const seen = new Set<string>()
      try {
        for (let hour = 0; hour <= 5; hour += 1) {
          now = at + hour * HOUR
          const { tables, filled_at } = await kept.held()
          seen.add(filled_at)
          const paid = tables['invoice']?.filter((line) => line.includes(String(invoice['id']))).length
          const billed = tables['usage_charge']?.filter((line) => line.includes(String(subscription['id']))).length
          const ended = tables['subscription']?.find((line) => line.includes(String(subscription['id'])))
          expect([paid, billed], `after ${hour} hours`).toEqual([hour >= 2 ? 1 : 0, hour >= 3 ? 1 : 0])
          // The engine ends a subscription by a job. Until then its planned end has no effect once it has passed.
          expect(ended?.includes(`"cancel_at":"${instantText(at + 4 * HOUR).slice(0, 19)}"`), `after ${hour} hours`).toBe(
            hour < 4,
          )
        }
        expect(seen.size).toBe(1)
      } finally {
        await kept.cache.close()
      }
    })
  },
  { only: ['postgres'] },
)

import { afterAll, beforeAll, expect, it } from 'vitest'
import { firstLook, lookAgain } from '../../connectors/killbill/changes/change-log.ts'
import { LOGS } from '../../connectors/killbill/changes/logs.ts'
import { LONGEST_TRANSACTION_SECONDS, settle } from '../../connectors/killbill/changes/settling.ts'
import { patienceFor } from '../../src/cache/mirror/options.ts'
import { createQueryRunner, type QueryRunner } from '../../src/connector-kit/query-runner.ts'
import { fixedClock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/errors.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { paramsForDays } from '../../src/query/inputs.ts'
import { firstEngineAndOneOther, sampleOf } from '../support/databases/rotation.ts'
import { MAIN_METRICS } from '../support/product/billing-metrics.ts'
import { type CountedCache, countedCache } from '../support/product/counted-cache.ts'
import { mirrored } from '../support/product/mirrored.ts'
import { END_OF_RECORDING, engineOver } from '../support/product/recorded-engine.ts'
import { type ReplaceableReal, replaceableReal } from './replaceable-database.ts'

/** The ages that a service of two minutes, and of two days, has left behind. */
const HORIZONS = [150, 2 * LONGEST_TRANSACTION_SECONDS]
const CUT = '2026-08-15 00:00:00'

/** Tables with an instant at which each row was written. */
const DATED =
  `account_history bundles bundle_history subscriptions subscription_history subscription_events subscription_event_history
  blocking_states blocking_state_history invoices invoice_history invoice_items invoice_item_history invoice_payments
  invoice_payment_history custom_fields custom_field_history tags tag_history audit_log accounts`.split(/\s+/)

/** Logs whose rows have an id each. */
const ID_LOGS = [...DATED.filter((table) => table.endsWith('_history')), 'tenant_broadcasts']

interface Question {
  readonly name: string
  ask(engine: Engine): Promise<unknown>
}

const RANGE = { start: '2025-11-20', end: '2026-11-20' }

/** Every query of every metric that a cache may answer, plainly and by plan where it can be; the lists. */
const QUESTIONS: readonly Question[] = [
  ...MAIN_METRICS.flatMap(({ name, queries }) =>
    Object.entries(queries).map(([query_type, { inputs }]): Question => {
      const dates = paramsForDays(inputs, RANGE)
      return {
        name: `${name} ${query_type}`,
        ask: async (engine) => (await engine.query(name, { query_type, ...dates })).data,
      }
    }),
  ),
  {
    name: 'mrr by attribute',
    ask: async (engine) => (await engine.query('mrr', { query_type: 'current' }, { dimensions: ['attr.tier'] })).data,
  },
  { name: 'customers', ask: async (engine) => (await engine.list('customers', { limit: '1000' })).data },
  { name: 'subscriptions', ask: async (engine) => (await engine.list('subscriptions', { limit: '1000' })).data },
]

firstEngineAndOneOther(
  'a database that is replaced under a running service',
  (target) => {
    let real: ReplaceableReal
    let direct: Engine
    let engine: Engine
    let cache: CountedCache
    let seconds = 0

    beforeAll(async () => {
      real = await replaceableReal(target)
      const common = { tenant: ['all'], definitions: { allow_unpriced: true } }
      direct = await engineOver(real.database, common)
      engine = await engineOver(real.database, {
        ...common,
        cache: (executor, connector, definitions) => {
          cache = countedCache(
            executor,
            mirrored(connector, () => seconds),
            {
              clock: fixedClock(END_OF_RECORDING),
              definitions,
              patience: patienceFor(300_000),
            },
          )
          return cache
        },
      })
    })
    afterAll(async () => {
      await engine.close()
      await direct.close()
      await real.drop()
    })

    const answers = (asked: Engine, questions: readonly Question[]) =>
      Promise.all(
        questions.map(async ({ name, ask }) => {
          const answer = await ask(asked).catch((error: unknown) => {
            if (error instanceof AppError) return String(error)
            throw error
          })
          return [name, answer] as const
        }),
      )

    /** Asks as long as it takes until nothing that was there before is watched for late rows any more. */
    const serveLong = async (): Promise<void> => {
      for (const horizon of HORIZONS) {
        for (let look = 0; look < 3; look += 1) {
          await engine.query('mrr', { query_type: 'current' })
          seconds += horizon
        }
      }
    }

    /** After the change the first answers, asked for all at once, are those of the database; so are those of the next filling. */
    const expectFollowed = async (questions: readonly Question[]): Promise<void> => {
      const first = await answers(engine, questions)
      const wanted = await answers(direct, questions)
      expect(first).toEqual(wanted)
      expect((await cache.ready()).status).toBe('ready')
      const before = cache.answered()
      expect(await answers(engine, questions)).toEqual(wanted)
      const refused = wanted.filter(([, answer]) => typeof answer === 'string').length
      expect(cache.answered() - before).toBe(questions.length - refused)
      expect(cache.failures()).toEqual([])
    }

    const some = (shift: number) => sampleOf(target, QUESTIONS, { first: 6, others: 7, shift })
    const most = (shift: number) => sampleOf(target, QUESTIONS, { first: 2, others: 5, shift })

    it('answers from the copy that took its place, whose logs are the same', async () => {
      const asked = some(0)
      await expectFollowed(asked)
      await real.prepare([
        `update copy.accounts set country = 'XX', name = 'scrubbed'`,
        `update copy.invoice_items set amount = amount * 0.75`,
        `update copy.subscription_events set effective_date = '2026-11-01 00:00:00' where user_type = 'CANCEL'`,
        `update copy.custom_fields set field_value = 'scrubbed'`,
      ])
      await serveLong()
      const before = await answers(direct, asked.slice(0, 5))
      await real.replace()
      await expectFollowed(asked)
      expect(await answers(direct, asked.slice(0, 5))).not.toEqual(before)
    })

    it('answers from other rows that have the numbers of lost ones', async () => {
      const asked = most(0)
      await serveLong()
      const before = await answers(direct, asked.slice(0, 5))
      await real.change([
        'begin',
        ...ID_LOGS.map((table) => `update ${table} set id = concat('ffff', substr(id, 5)) where created_date >= '${CUT}'`),
        `update invoice_items set amount = amount * 0.5 where created_date >= '${CUT}'`,
        `update subscription_events set plan_name = 'basic-annual', phase_name = 'basic-annual-evergreen' where created_date >= '${CUT}' and user_type in ('CREATE', 'CHANGE')`,
        `update custom_fields set field_value = 'other' where created_date >= '${CUT}'`,
        `update tags set is_active = false where created_date >= '${CUT}'`,
        'commit',
      ])
      await expectFollowed(asked)
      expect(await answers(direct, asked.slice(0, 5))).not.toEqual(before)
    })

    it('answers from an older copy', async () => {
      const asked = some(1)
      await serveLong()
      const before = await answers(direct, asked.slice(0, 5))
      await real.change(['begin', ...DATED.map((table) => `delete from ${table} where created_date >= '${CUT}'`), 'commit'])
      await expectFollowed(asked)
      expect(await answers(direct, asked.slice(0, 5))).not.toEqual(before)
    })

    it('answers from a database of another tenant', async () => {
      await serveLong()
      const [tenant] = await real.database.adminQuery(`select min(record_id) as record_id from tenants`)
      const gone = String(tenant?.['record_id'])
      const tables = [...DATED, 'tenant_kvs', 'tenant_broadcasts', 'tag_definitions'].map(
        (table) => `delete from ${table} where tenant_record_id = ${gone}`,
      )
      await real.change(['begin', ...tables, `delete from tenants where record_id = ${gone}`, 'commit'])
      await expectFollowed(some(2))
    })

    /** One after the other in one database: each log is put right again, so that the next change is the only one. */
    it('sees in each log that its newest row is another one, or is gone, and nothing where it is the same', async () => {
      const dialect = real.database.dialect.name
      const look = <T>(work: (run: QueryRunner) => Promise<T>) =>
        real.database.executor().withSnapshot((snapshot) => work(createQueryRunner(snapshot)))
      const seen: Record<string, unknown> = {}
      for (const { table, identity = ['id'] } of LOGS) {
        const [last] = await real.database.adminQuery(`select * from ${table} order by record_id desc limit 1`)
        const [column = ''] = identity
        // Not every log has rows in the recording.
        if (last === undefined) continue
        const first = await look((run) => firstLook(run, dialect))
        const later = (wall: number) => ({ wall, running: wall, process: '' })
        const { settling } = settle(first.marks, undefined, first.server, later(0))
        const { marks } = settle(first.marks, settling, { ...first.server, transactions: null }, later(HORIZONS[1] ?? 0))
        const kindNow = async () => (await look((run) => lookAgain(run, marks, { dialect }))).kind
        const where = `where record_id = ${last['record_id']}`
        const kinds = [await kindNow()]
        for (const [change, undo] of [
          [`update ${table} set ${column} = '77' ${where}`, `update ${table} set ${column} = '${last[column]}' ${where}`],
          [
            `update ${table} set record_id = 900000 ${where}`,
            `update ${table} set record_id = ${last['record_id']} where record_id = 900000`,
          ],
        ] as const) {
          await real.change([change])
          kinds.push(await kindNow())
          await real.change([undo])
          kinds.push(await kindNow())
        }
        seen[table] = kinds
      }
      expect(Object.keys(seen).length).toBeGreaterThan(12)
      for (const kinds of Object.values(seen)) expect(kinds).toEqual(['none', 'lost', 'none', 'lost', 'none'])
    })

    it('answers from an empty one', async () => {
      await serveLong()
      await real.change([
        'begin',
        ...[...DATED, ...LOGS.map(({ table }) => table)].map((table) => `delete from ${table}`),
        'commit',
      ])
      await expectFollowed(some(3))
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

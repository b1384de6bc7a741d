import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFeed } from '../../connectors/killbill/fill/feed.ts'
import type { Clock } from '../../src/core/clock.ts'
import { createApp } from '../../src/http/app.ts'
import { type BillingWriter, billingWriter } from '../support/billing-writer.ts'
import { type CountedCache, countedCache } from '../support/counted-cache.ts'
import { fillDatabase } from '../support/generated-database.ts'
import { generatedHistory, RATES_CSV } from '../support/generated-history.ts'
import { allOf, anyOf, keptStore, segmentId } from '../support/kept-store.ts'
import { type Begun, beginRandomWrite, type Dice, dice, later, SHARED_WRITES } from '../support/random-writes.ts'
import { engineOver } from '../support/real-engine.ts'
import { describeTargets } from '../support/targets.ts'

type App = ReturnType<typeof createApp>

// biome-ignore lint/style/noProcessEnv: a longer or another run by hand, no product configuration
const { WRITER_ROUNDS, WRITER_SEED } = process.env
const ROUNDS = Number(WRITER_ROUNDS ?? 120)
const SEED = Number(WRITER_SEED ?? 20260301)
const ACCOUNTS = 24
const START = '2024-05-20 12:00:00'
const DAY = 86_400
/** At least so many of the answers must have come from the cache: it may be filling again after a catalog upload only. */
const FEWEST_CACHED = 0.8

/** A stored attribute of the accounts that the history begins with. */
const SIZES = Array.from({ length: ACCOUNTS }, (_, index) => ({
  source_id: index % 2 === 0 ? 'tenant-one' : 'tenant-two',
  customer_id: `account-${index + 1}`,
  value: index % 3 === 0 ? 'small' : 'large',
}))
const SEGMENTS = {
  [segmentId(1)]: allOf({ field: 'attr.tier', op: 'in', value: ['gold', 'Zoë'] }),
  [segmentId(2)]: anyOf({ field: 'attr.tag.vip', op: '=', value: true }, { field: 'attr.size', op: '=', value: 'small' }),
  [segmentId(3)]: allOf({ field: 'attr.seats', op: 'is_empty' }, { field: 'plan_id', op: '!=', value: 'phased' }),
}

/** Every attribute that the segments name has a value from the beginning. */
async function nameAttributes(writer: BillingWriter): Promise<void> {
  const account = writer.rows('accounts')[0]
  const owner = { tenant_record_id: account?.['tenant_record_id'] ?? null, account_record_id: account?.['record_id'] ?? null }
  const object = { ...owner, object_id: account?.['id'] ?? null, object_type: 'ACCOUNT' }
  const writing = await writer.begin(START)
  for (const field_name of ['tier', 'seats'])
    await writing.insert('custom_fields', { ...object, field_name, field_value: 'gold' })
  const { tenant_record_id } = owner
  const definition = await writing.insert('tag_definitions', {
    tenant_record_id,
    id: 'label-vip',
    name: 'vip',
    description: 'vip',
  })
  await writing.insert('tags', { ...object, tag_definition_id: definition['id'] ?? null })
  await writing.commit()
}

describeTargets(
  'answers while the billing engine writes',
  (target) => {
    let writer: BillingWriter
    let direct: App
    let cached: App
    let cache: CountedCache
    let now = START
    let seconds = 0
    /** Requests may have begun before others that were answered already. */
    let behind = 0
    const close: (() => Promise<void>)[] = []

    beforeAll(async () => {
      const { database, tables } = await fillDatabase(target, generatedHistory(SEED, ACCOUNTS))
      writer = billingWriter(database, tables)
      const clock: Clock = { now: () => new Date(`${later(now, -behind).replace(' ', 'T')}Z`) }
      const store = await keptStore({ attributes: { size: { type: 'string', values: SIZES } }, segments: SEGMENTS }, RATES_CSV)
      await nameAttributes(writer)
      const options = { tenant: ['all'], clock, store, definitions: { allow_unpriced: true } }
      const directEngine = await engineOver(database, options)
      const cachedEngine = await engineOver(database, {
        ...options,
        cache: (executor, { type }, definitions) => {
          const feed = { type, createFeed: () => createFeed({ tenant: ['all'], catalog: [] }, () => seconds) }
          cache = countedCache(executor, feed, { clock, definitions })
          return cache
        },
      })
      close.push(
        () => directEngine.close(),
        () => cachedEngine.close(),
        () => writer.close(),
      )
      const appOf = (engine: typeof directEngine) =>
        createApp({
          engine,
          version: '0',
          corsOrigins: [],
          limits: { body_bytes: 1_000_000 },
          log: (line) => process.stderr.write(`${line}\n`),
        })
      direct = appOf(directEngine)
      cached = appOf(cachedEngine)
    })
    afterAll(async () => {
      for (const one of close) await one()
    })

    it('are the direct ones of the same instant, round after round', async () => {
      const draw = dice(SEED)
      const open: Begun[] = []
      let asked = 0
      const aboutSegments: boolean[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        const done = await writeSomething(draw, open)
        if (draw.chance(25)) now = later(now, draw.pick([1, 1, 3_600, DAY, DAY, 5 * DAY, 17 * DAY]))
        // Where the server does not tell, a transaction is waited for as long as it may last at most.
        if (draw.chance(20)) seconds += open.length === 0 ? 2 * DAY : 100
        behind = draw.chance(10) ? draw.pick([1, 60, 3_600]) : 0
        const path = requestPath(draw, later(now, -behind))
        const [one, other] = [await answerOf(direct, path), await answerOf(cached, path)]
        // The last customer of an attribute may have lost it.
        expect(one, path).toMatch(path.includes('segment') ? /^(200|400) / : /^200 /)
        asked += 1
        if (path.includes('segment')) aboutSegments.push(one.startsWith('200 '))
        if (one !== other)
          expect(differing(one, other), `seed ${SEED} round ${round} after ${done}: ${path} at ${now}`).toBeUndefined()
      }
      for (const transaction of open) await transaction.rollback()
      expect(cache.failures()).toEqual([])
      expect(aboutSegments.filter(Boolean).length).toBeGreaterThan(aboutSegments.length / 2)
      expect(cache.answered() / asked).toBeGreaterThan(FEWEST_CACHED)
    }, 3_600_000)

    /** One to three transactions, some of which stay open for rounds and end in any order. */
    async function writeSomething(draw: Dice, open: Begun[]): Promise<string> {
      const done: string[] = []
      for (let count = draw.below(3); count >= 0; count -= 1) {
        const begun = await beginRandomWrite(writer, draw, now)
        const staysOpen = draw.chance(20) && open.length < 5 && !SHARED_WRITES.includes(begun.name)
        if (staysOpen) open.push(begun)
        else await begun.commit()
        done.push(staysOpen ? `${begun.name} (open)` : begun.name)
      }
      if (open.length > 0 && draw.chance(25)) {
        const [ended] = open.splice(draw.below(open.length), 1)
        const word = draw.chance(80) ? 'commit' : 'rollback'
        await ended?.[word]()
        done.push(`${word} of ${ended?.name}`)
      }
      return done.join(', ')
    }
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

function requestPath(draw: Dice, now: string): string {
  const end = now.slice(0, 10)
  const start = later(now, -draw.pick([10, 40, 120, 200]) * DAY).slice(0, 10)
  const range = `start=${start}&end=${end}`
  const by = (...dimensions: readonly string[]) => draw.pick(['', ...dimensions.map((dimension) => `&dimensions=${dimension}`)])
  return draw.pick([
    () =>
      `/api/metrics/mrr?at=${end}${by('plan_id', 'currency', 'customer_id', 'mrr_band', 'cohort_month', 'pending_cancellation', 'collection_method')}`,
    () => `/api/metrics/mrr?${range}&interval=month${by('currency', 'movement_source')}`,
    () => `/api/metrics/mrr/breakdown?${range}${by('customer_id', 'plan_id', 'movement_source')}`,
    () => `/api/metrics/mrr/waterfall?${range}&interval=month`,
    () => `/api/metrics/churn?type=logo&${range}${by('customer_country', 'churn_type', 'cancel_reason')}`,
    () => `/api/metrics/churn?type=revenue&${range}${by('cancel_reason', 'plan_id')}`,
    () => `/api/metrics/retention?query_type=nrr&${range}`,
    () => `/api/metrics/retention?query_type=cohort_matrix&${range}`,
    () => `/api/metrics/ltv/cohort?${range}`,
    () => `/api/metrics/trials?${range}${by('plan_id', 'customer_id')}`,
    () => `/api/metrics/usage-revenue?${range}${by('customer_id', 'plan_id')}`,
    () => `/api/metrics/summary?end=${end}`,
    () => `/api/metrics/mrr?at=${end}&segment=${segmentId(1)}`,
    () => `/api/metrics/churn?type=logo&${range}&${[1, 2, 3].map((number) => `compare_segments=${segmentId(number)}`).join('&')}`,
    () => `/api/customers?limit=1000${draw.pick(['', `&segment=${segmentId(2)}`])}`,
    () => `/api/subscriptions?limit=1000`,
  ])()
}

async function answerOf(app: App, path: string): Promise<string> {
  const response = await app.request(path)
  return `${response.status} ${(await response.text()).replace(/"request_id":"[^"]*"/, '')}`
}

function differing(one: string, other: string): readonly [string, string] | undefined {
  let at = 0
  while (one[at] === other[at]) at++
  return [one.slice(Math.max(0, at - 300), at + 200), other.slice(Math.max(0, at - 300), at + 200)]
}

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Clock } from '../../src/core/clock.ts'
import { createApp } from '../../src/facades/http/app.ts'
import type { BillingWriter } from '../support/data/histories/billing-writer.ts'
import { databaseWriter } from '../support/data/histories/database-writer.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { type Begun, beginRandomWrite, SHARED_WRITES } from '../support/data/histories/random-writes.ts'
import { type Dice, dice, later } from '../support/data/histories/seeded-dice.ts'
import { isInTurn } from '../support/databases/rotation.ts'
import { describeTargets, isFirst } from '../support/databases/targets.ts'
import { type CountedCache, countedCache } from '../support/product/counted-cache.ts'
import { mirrored } from '../support/product/mirrored.ts'
import { requestPath } from '../support/product/random-requests.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { allOf, anyOf, keptStore, segmentId } from '../support/product/store-with-segments.ts'

type App = ReturnType<typeof createApp>

// biome-ignore lint/style/noProcessEnv: a longer or another run by hand, no product configuration
const { WRITER_ROUNDS, WRITER_SEED } = process.env
/** This number of rounds draws every kind of write. */
const ROUNDS = 50
/** Differences of other engines in writes and reads occur in each round. */
const ROUNDS_OF_OTHERS = 20
const SEED = Number(WRITER_SEED ?? 20260301)
/** In the usual run what two rounds have written is asked about once: every kind of write takes more rounds than that takes questions. */
const ASKED_EACH = WRITER_ROUNDS === undefined ? 2 : 1
const ACCOUNTS = 24
const START = '2024-05-20 12:00:00'
const DAY = 86_400
/** The least share of answers from the cache: it may be filling again after a catalog upload only. */
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

const SEGMENT_IDS = Object.keys(SEGMENTS)

/** Every attribute that the segments name has values from the beginning, of several accounts: any of them may lose its own. */
async function nameAttributes(writer: BillingWriter): Promise<void> {
  const tenant_record_id = writer.rows('accounts')[0]?.['tenant_record_id'] ?? null
  const writing = await writer.begin(START)
  const definition = await writing.insert('tag_definitions', {
    tenant_record_id,
    id: 'label-vip',
    name: 'vip',
    description: 'vip',
  })
  const neighbours = writer.rows('accounts').filter((row) => row['tenant_record_id'] === tenant_record_id)
  for (const account of neighbours.slice(0, 3)) {
    const owner = { tenant_record_id, account_record_id: account['record_id'] ?? null }
    const object = { ...owner, object_id: account['id'] ?? null, object_type: 'ACCOUNT' }
    for (const field_name of ['tier', 'seats'])
      await writing.insert('custom_fields', { ...object, field_name, field_value: 'gold' })
    await writing.insert('tags', { ...object, tag_definition_id: definition['id'] ?? null })
  }
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
      writer = databaseWriter(database, tables)
      const clock: Clock = { now: () => new Date(`${later(now, -behind).replace(' ', 'T')}Z`) }
      const store = await keptStore({ attributes: { size: { type: 'string', values: SIZES } }, segments: SEGMENTS }, RATES_CSV)
      await nameAttributes(writer)
      const options = { tenant: ['all'], clock, store, definitions: { allow_unpriced: true } }
      const directEngine = await engineOver(database, options)
      const cachedEngine = await engineOver(database, {
        ...options,
        cache: (executor, connector, definitions) => {
          cache = countedCache(
            executor,
            mirrored(connector, () => seconds),
            { clock, definitions },
          )
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
      const rounds = Number(WRITER_ROUNDS ?? (isFirst(target) ? ROUNDS : ROUNDS_OF_OTHERS))
      for (let round = 0; round < rounds; round += 1) {
        const done = await writeSomething(draw, open)
        if (draw.chance(25)) now = later(now, draw.pick([1, 1, 3_600, DAY, DAY, 5 * DAY, 17 * DAY]))
        // Where the server does not tell, a transaction is waited for as long as it may last at most.
        if (draw.chance(20)) seconds += open.length === 0 ? 2 * DAY : 100
        behind = draw.chance(10) ? draw.pick([1, 60, 3_600]) : 0
        const path = requestPath(draw, later(now, -behind), SEGMENT_IDS)
        if (!isInTurn(round, ASKED_EACH)) continue
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
      // In so few rounds as another engine has there may be none.
      if (isFirst(target)) expect(aboutSegments.filter(Boolean).length).toBeGreaterThan(aboutSegments.length / 2)
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

async function answerOf(app: App, path: string): Promise<string> {
  const response = await app.request(path)
  return `${response.status} ${(await response.text()).replace(/"request_id":"[^"]*"/, '')}`
}

function differing(one: string, other: string): readonly [string, string] | undefined {
  let at = 0
  while (one[at] === other[at]) at++
  return [one.slice(Math.max(0, at - 300), at + 200), other.slice(Math.max(0, at - 300), at + 200)]
}

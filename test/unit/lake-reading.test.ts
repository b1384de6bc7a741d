import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createKillbillConnector } from '../../connectors/killbill/index.ts'
import { type LakeSource, lakeHeader } from '../../src/cache/lake/lake-source.ts'
import { packOpening, sessionDigest } from '../../src/cache/lake/opening.ts'
import type { Publication } from '../../src/cache/lake/publications.ts'
import { createLakeCache, type LakeCache } from '../../src/cache/lake/read-lake.ts'
import { loadCatalog } from '../../src/compiler/catalog.ts'
import { trino } from '../../src/compiler/dialects/trino.ts'
import type { Statement } from '../../src/compiler/statement.ts'
import { plainSession } from '../../src/connector-kit/complete-session.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import { AppError } from '../../src/core/errors.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { judgeLag } from '../../src/execution/session/replica-lag.ts'
import type { Executor } from '../../src/ports/executor.ts'
import type { CacheReading, ChangeMark } from '../../src/ports/read-through.ts'
import type { Row } from '../../src/ports/rows.ts'
import type { ReplicaLag } from '../../src/ports/snapshot.ts'

const killbill = createKillbillConnector({ tenant: ['all'], catalog: [] })
const CATALOG = loadCatalog({ sql: join(packageRoot(), 'sql'), relations: [killbill.relationsDirectory] })
const DEFINITIONS = definitionsSchema.parse({ base_currency: 'USD' })
const mirror = killbill.mirror
if (mirror === undefined) throw new Error('the connector has no mirror')
const FACT: Statement = { text: 'select a fact', values: [], label: 'fact' }

const SOURCE: LakeSource = {
  connector: {
    ...killbill,
    open: async (snapshot) => {
      const [row] = await snapshot.query(FACT)
      return { ...plainSession({ sources: [], currencies: [String(row?.['fact'])] }) }
    },
  },
  mirror,
  catalog: CATALOG,
  definitions: DEFINITIONS,
  dialect: trino,
  header: { version: '1', code: '', identity: '', definitions: DEFINITIONS },
}

function publication(id: string, now: string, header = lakeHeader(SOURCE)): Publication {
  const session = sessionDigest(plainSession({ sources: [], currencies: [`of ${id}`] }))
  return { id, made_at: now, now, data_through: now, header, session, versions: {}, rows: { customer: 7 } }
}

/** Trino with these publications, the newest first. Statements over tables of others fail. */
function lakeOver(options: Partial<Parameters<typeof createLakeCache>[0]> = {}) {
  const state = {
    publications: undefined as readonly Publication[] | undefined,
    asked: 0,
    failure: undefined as Error | undefined,
    /** A publication whose tables are gone. */
    gone: undefined as string | undefined,
  }
  const query = async ({ text, values, label }: Statement): Promise<readonly Row[]> => {
    if (state.failure !== undefined) throw state.failure
    if (label.startsWith('lake.tables')) return state.publications === undefined ? [] : [{ table_name: 'plumbline_publications' }]
    if (label.startsWith('lake.publications')) {
      state.asked += 1
      return (state.publications ?? []).map((each) => ({ content: JSON.stringify(each) }))
    }
    const [, named] = /\b(p\d+_[0-9a-f]{4})_/.exec(text) ?? []
    if (named === state.gone || !state.publications?.some(({ id }) => id === named))
      throw new AppError('unsupported_by_connector', 'gone', { context: { missing: [`${named}_held_customer`] } })
    if (!label.startsWith('lake.opening')) return [{ from: named ?? null, values: values.length }]
    const packed = packOpening({ reads: [{ text: FACT.text, values: [], rows: [{ fact: `of ${named}` }] }] })
    return [{ content: packed.slice(0, 20) }, { content: packed.slice(20) }]
  }
  const executor: Executor = {
    dialect: trino,
    variant: 'trino',
    withSnapshot: (work) =>
      work({
        dialect: trino,
        query,
        async *stream(statement) {
          yield* await query(statement)
        },
      }),
    state: () => Promise.reject(new Error('not asked')),
    writePrivileges: async () => [],
    tableSizes: async () => null,
    load: () => ({ running: 0, waiting: 0, size: 1 }) as never,
    close: async () => {},
  }
  const failures: unknown[] = []
  const cache = createLakeCache({
    ...SOURCE,
    executor,
    place: { catalog: 'lake', schema: 'plumbline' },
    load: (tables) => loadCatalog({ sql: join(packageRoot(), 'sql'), relations: [], tables }),
    lookEveryMs: 0,
    isStraightAllowed: false,
    onFailure: (error) => failures.push(error),
    ...options,
  })
  return { cache, state, failures }
}

/** Reads as a request does, and tells from which publication. */
async function readFrom(cache: LakeCache, sent: () => void = () => {}, told: (replicaLag: ReplicaLag) => void = () => {}) {
  let now: Date | undefined
  const found = await cache.read(
    () => {
      now = cache.now()
      return { now: now ?? new Date(0), definitions: DEFINITIONS }
    },
    async ({ session, catalogOf, snapshot, replicaLag, mark }: CacheReading) => {
      const template = catalogOf(DEFINITIONS).relation('customer', 'trino')
      const text = JSON.stringify(template?.nodes)
      sent()
      told(replicaLag)
      const [row] = await snapshot.query({ text, values: [], label: 'question' })
      return { from: row?.['from'], facts: session.currencies, through: replicaLag.data_through, mark }
    },
  )
  return found === null ? null : { ...found.value, now: now?.toISOString() }
}

it('answers from the newest publication, as of its instant', async () => {
  const { cache, state } = lakeOver()
  state.publications = [publication('p2_bbbb', '2026-02-01T00:00:00.000Z'), publication('p1_aaaa', '2026-01-01T00:00:00.000Z')]
  expect(await readFrom(cache)).toEqual({
    from: 'p2_bbbb',
    facts: ['of p2_bbbb'],
    through: '2026-02-01T00:00:00.000Z',
    now: '2026-02-01T00:00:00.000Z',
    mark: { from: '2026-02-01 00:00:00', to: null },
  })
  expect(cache.state()).toEqual({ status: 'ready', accounts: 7 })
})

it('keeps its mark until there is a newer publication', async () => {
  const { cache, state } = lakeOver()
  const marks: (ChangeMark | undefined)[] = []
  state.publications = [publication('p1_aaaa', '2026-01-01T00:00:00.000Z')]
  for (const _ of [1, 2]) marks.push((await readFrom(cache))?.mark)
  state.publications = [publication('p2_bbbb', '2026-02-01T00:00:00.000Z'), ...state.publications]
  marks.push((await readFrom(cache))?.mark)
  expect(marks[1]).toBe(marks[0])
  expect(marks[2]).not.toBe(marks[0])
  expect(cache.now()?.toISOString()).toBe('2026-02-01T00:00:00.000Z')
})

it('a known answer needs no statement', async () => {
  const { cache, state } = lakeOver()
  state.publications = [publication('p1_aaaa', '2026-01-01T00:00:00.000Z')]
  const unused = () => Promise.reject(new Error('it was asked'))
  const recall = () => ({ value: 'known' })
  const request = () => ({ now: new Date(0), definitions: DEFINITIONS })
  expect(await cache.read(request, unused, undefined, recall)).toEqual({ value: 'known' })
})

it('looks no more often than it should, and shares one look', async () => {
  const { cache, state } = lakeOver({ lookEveryMs: 60_000 })
  state.publications = [publication('p1_aaaa', '2026-01-01T00:00:00.000Z')]
  await Promise.all([readFrom(cache), readFrom(cache), readFrom(cache)])
  await readFrom(cache)
  expect(state.asked).toBe(1)
})

it('goes on with the next publication if its tables are removed under it', async () => {
  const { cache, state } = lakeOver({ lookEveryMs: 60_000 })
  state.publications = [publication('p1_aaaa', '2026-01-01T00:00:00.000Z')]
  await readFrom(cache)
  state.publications = [publication('p2_bbbb', '2026-02-01T00:00:00.000Z')]
  expect(await readFrom(cache)).toMatchObject({ from: 'p2_bbbb', now: '2026-02-01T00:00:00.000Z' })
})

it('uses no publication of another version, and says so', async () => {
  const { cache, state } = lakeOver()
  const [own, other] = [
    publication('p1_aaaa', '2026-01-01T00:00:00.000Z'),
    publication('p2_bbbb', '2026-02-01T00:00:00.000Z', 'other'),
  ]
  state.publications = [other, own]
  expect(await readFrom(cache)).toMatchObject({ from: 'p1_aaaa' })
  expect(await cache.check()).toMatchObject({
    ok: true,
    status: 'stale',
    publication: 'p1_aaaa',
    reason: expect.stringContaining('another version'),
  })
  state.publications = [other]
  await expect(readFrom(cache)).rejects.toMatchObject({
    code: 'connector_unavailable',
    message: expect.stringContaining('another version'),
  })
  expect(await cache.check()).toMatchObject({ ok: false, status: 'none', publication: null, age_seconds: null })
})

it.each([undefined, []])(
  'without a publication it refuses, or leaves the question to the billing tables',
  async (publications) => {
    const strict = lakeOver()
    strict.state.publications = publications
    await expect(readFrom(strict.cache)).rejects.toMatchObject({
      code: 'connector_unavailable',
      message: expect.stringContaining('plumbline publish'),
    })
    const lenient = lakeOver({ isStraightAllowed: true })
    lenient.state.publications = publications
    expect(await readFrom(lenient.cache)).toBeNull()
    expect(await lenient.cache.check()).toMatchObject({ ok: true, status: 'none' })
    expect(lenient.cache.now()).toBeUndefined()
  },
)

const REFUSE = { max_lag_seconds: 300, lag_policy: 'refuse', require_read_only: false } as const

it.each([
  [30, 60, true],
  [90, undefined, true],
  [90, 60, true],
  [90, 60, false],
] as const)(
  'a publication of %s minutes under a limit of %s counts as lagging if it is older, answered: %s',
  async (age, limit, isAnswered) => {
    const maxAgeMs = limit === undefined ? undefined : limit * 60_000
    const { cache, state } = lakeOver({ maxAgeMs, isOldRefused: !isAnswered })
    state.publications = [publication('p1_aaaa', new Date(Date.now() - age * 60_000).toISOString())]
    const lags: ReplicaLag[] = []
    await readFrom(cache, undefined, (lag) => lags.push(lag))
    const isOld = age > (limit ?? Number.POSITIVE_INFINITY)
    expect(lags.map(({ tooOld }) => tooOld?.includes('p1_aaaa') ?? false)).toEqual([isOld])
    expect(await cache.check()).toMatchObject({ ok: isAnswered, status: isOld ? 'stale' : 'ready', publication: 'p1_aaaa' })
    const [lag] = lags
    if (lag === undefined || !isOld) return
    expect(judgeLag(lag, { ...REFUSE, lag_policy: 'warn' })).toEqual([{ code: 'replica_lagging', message: lag.tooOld }])
    expect(lag.tooOld).toContain('lake.max_age_minutes = 60')
    expect(() => judgeLag(lag, REFUSE)).toThrow(expect.objectContaining({ code: 'replica_lagging' }))
  },
)

it('a look that fails leaves the publication that answers', async () => {
  const { cache, state, failures } = lakeOver()
  state.publications = [publication('p1_aaaa', '2026-01-01T00:00:00.000Z')]
  await readFrom(cache)
  state.failure = new AppError('connector_unavailable', 'away')
  const recall = () => ({ value: 'known' })
  const request = () => ({ now: new Date(0), definitions: DEFINITIONS })
  expect(await cache.read(request, () => Promise.reject(new Error('it was asked')), undefined, recall)).toEqual({
    value: 'known',
  })
  expect(failures).toEqual([state.failure])
  expect(await cache.check()).toMatchObject({
    ok: true,
    status: 'stale',
    publication: 'p1_aaaa',
    reason: 'the last look failed: away',
  })
})

it('a newest publication that cannot be opened leaves the one before it', async () => {
  const { cache, state, failures } = lakeOver()
  const [older, newer] = [publication('p1_aaaa', '2026-01-01T00:00:00.000Z'), publication('p2_bbbb', '2026-02-01T00:00:00.000Z')]
  state.publications = [newer, older]
  state.gone = 'p2_bbbb'
  expect(await readFrom(cache)).toMatchObject({ from: 'p1_aaaa', now: '2026-01-01T00:00:00.000Z' })
  expect(await cache.check()).toMatchObject({ ok: true, status: 'stale', publication: 'p1_aaaa', reason: 'gone' })
  expect(failures).not.toEqual([])
  await readFrom(cache)
  expect(failures).toHaveLength(1)
  state.gone = undefined
  expect(await readFrom(cache)).toMatchObject({ from: 'p2_bbbb' })
  expect(await cache.check()).toMatchObject({ status: 'ready', publication: 'p2_bbbb' })
})

it('a publication is not read with other files of the connector than those that made it', async () => {
  const { cache, state } = lakeOver()
  state.publications = [{ ...publication('p1_aaaa', '2026-01-01T00:00:00.000Z'), session: 'of another catalog' }]
  await expect(readFrom(cache)).rejects.toMatchObject({
    code: 'connector_unavailable',
    message: expect.stringContaining('catalog'),
  })
  expect(await cache.check()).toMatchObject({ ok: false, status: 'none', reason: expect.stringContaining('catalog') })
})

it('a publication of another base currency is of other settings, because its opening has other rates', () => {
  const euro = definitionsSchema.parse({ base_currency: 'EUR' })
  expect(lakeHeader({ ...SOURCE, definitions: euro })).not.toBe(lakeHeader(SOURCE))
})

it('without a publication, a failure of Trino is told as it is', async () => {
  const { cache, state } = lakeOver()
  state.failure = new AppError('connector_unavailable', 'away')
  await expect(readFrom(cache)).rejects.toBe(state.failure)
  await expect(cache.check()).rejects.toBe(state.failure)
})

it('rows in the lake are neither cleared nor copied by a service', async () => {
  const { cache } = lakeOver()
  await expect(cache.clear()).rejects.toMatchObject({ code: 'conflict' })
  await expect(cache.copy('/nowhere')).rejects.toMatchObject({ code: 'conflict' })
})

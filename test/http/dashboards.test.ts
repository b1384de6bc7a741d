import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Clock } from '../../src/core/clock.ts'
import { DASHBOARD_LIMITS } from '../../src/core/workspace.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { createApp } from '../../src/facades/http/app.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { HOSTILE_TEXTS, NOT_STORABLE } from '../support/data/hostile-texts.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { ownedIn, type StorePlace, storePlacesInTurn } from '../support/databases/store-places.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { END_OF_RECORDING, engineOver } from '../support/product/recorded-engine.ts'

// biome-ignore lint/suspicious/noExplicitAny: a body is whatever a test expects it to be
type Reply = { readonly status: number; readonly body: any }
type Ask = (method: string, path: string, body?: unknown) => Promise<Reply>

const NOBODY = '00000000-0000-4000-8000-000000000000'
const UPDATED = { status: 200, body: { status: 'updated' } }
const DELETED = { status: 200, body: { status: 'deleted' } }

/** The service as this user meets it. */
function asUser(engine: Engine, user: string, logged: string[] = []): Ask {
  const viewer = { id: user, name: 'Ann', sees: 'workspace', isAdministrator: false } as const
  const own = { ...engine, dashboards: () => engine.dashboards(viewer), charts: () => engine.charts(user) }
  const limits = { body_bytes: 200_000 }
  const app = createApp({ engine: own, version: '0', corsOrigins: [], limits, log: (line) => logged.push(line) })
  return async (method, path, body) => {
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const response = await app.request(`/api/${path}`, { method, headers: JSON_BODY, ...sent })
    if (response.status === 500) throw new Error(logged.join('\n'))
    return { status: response.status, body: await response.json() }
  }
}

/** Each reading is a second after the one before. */
function ticking(): Clock {
  let at = END_OF_RECORDING.getTime()
  return {
    now: () => {
      at += 1_000
      return new Date(at)
    },
  }
}

describeTargets(
  'dashboards and charts',
  (target) => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await sharedReal(target)
    })

    describe.each(storePlacesInTurn(['postgres', 'mariadb', 'mysql', 'sqlite']))('in a store on %s', (kind, makePlace) => {
      let place: StorePlace
      const engines: Engine[] = []
      const start = async (workspace = 'one'): Promise<Engine> => {
        const store = createStore({ url: place.url, schema: 'side', baseDirectory: place.baseDirectory })
        const engine = await engineOver(database, { tenant: ['alpha'], workspace, store, clock: ticking() })
        engines.push(engine)
        return engine
      }
      /** A user who has nothing yet. */
      const newcomer = () => asUser(engines[0] as Engine, randomUUID())
      const idOf = async (reply: Promise<Reply>): Promise<string> => {
        const { status, body } = await reply
        expect([status, body.detail]).toEqual([201, undefined])
        return body.id
      }
      const newChart = (ask: Ask, name = 'chart', config: unknown = {}) => idOf(ask('POST', 'charts', { name, config }))
      const newDashboard = (ask: Ask, name = 'board') => idOf(ask('POST', 'dashboards', { name }))
      const newSection = (ask: Ask, dashboard: string, title = 'section', position?: number) =>
        idOf(ask('POST', `dashboards/${dashboard}/sections`, { title, position }))
      const put = (ask: Ask, dashboard: string, saved_chart_id: string, section_id: string, position?: number) =>
        idOf(ask('POST', `dashboards/${dashboard}/charts`, { saved_chart_id, section_id, position }))
      /** The title of each section with the names of its charts. */
      const standing = async (ask: Ask, dashboard: string) => {
        const { body } = await ask('GET', `dashboards/${dashboard}`)
        return body.sections.map((section: { title: string; charts: { chart: { name: string } }[] }) =>
          [section.title, ...section.charts.map(({ chart }) => chart.name)].join(' '),
        )
      }

      beforeAll(async () => {
        place = await makePlace()
        await start()
      })
      afterAll(async () => {
        await Promise.all(engines.map((engine) => engine.close()))
        await place.remove()
      })

      it('are answered as the contract has them', async () => {
        const ask = newcomer()
        expect(await ask('GET', 'dashboards')).toEqual({ status: 200, body: [] })
        expect(await ask('GET', 'charts')).toEqual({ status: 200, body: [] })
        const config = { chartType: 'line', '🙂 \\ " % ?': [null, 1.5, { a: '\u0000\ud800' }] }
        const chart = await ask('POST', 'charts', { name: "M'RR 🙂", config })
        const instant = expect.stringMatching(/^2026-11-21T00:\d\d:\d\d\.000Z$/)
        const dates = { created_at: instant, updated_at: chart.body.created_at }
        expect(chart).toEqual({ status: 201, body: { id: expect.any(String), name: "M'RR 🙂", config, ...dates } })
        expect(await ask('GET', 'charts')).toEqual({ status: 200, body: [chart.body] })

        const made = await ask('POST', 'dashboards', { name: 'Monday' })
        expect(made.status).toBe(201)
        expect(made.body).toEqual({
          id: expect.any(String),
          name: 'Monday',
          description: null,
          visibility: 'private',
          owner: 'Ann',
          is_own: true,
          revision: 1,
          created_at: instant,
          updated_at: made.body.created_at,
        })
        const path = `dashboards/${made.body.id}`
        expect(await ask('GET', path)).toEqual({ status: 200, body: { ...made.body, sections: [] } })
        const section = await ask('POST', `${path}/sections`, { title: 'Revenue' })
        expect(section).toEqual({ status: 201, body: { id: expect.any(String), title: 'Revenue', position: 0 } })
        const placed = await ask('POST', `${path}/charts`, { saved_chart_id: chart.body.id, section_id: section.body.id })
        expect(placed).toEqual({ status: 201, body: { id: expect.any(String), status: 'added' } })
        const charts = [{ id: placed.body.id, saved_chart_id: chart.body.id, position: 0, chart: { name: "M'RR 🙂", config } }]
        const { body: whole } = await ask('GET', path)
        expect(whole).toEqual({ ...made.body, revision: 3, updated_at: instant, sections: [{ ...section.body, charts }] })
        expect(whole.updated_at > made.body.updated_at).toBe(true)

        expect(await ask('PUT', path, { description: 'first thing' })).toEqual(UPDATED)
        expect(await ask('PUT', path, { name: 'Tuesday' })).toEqual(UPDATED)
        expect((await ask('GET', path)).body).toMatchObject({ name: 'Tuesday', description: 'first thing' })
        expect(await ask('PUT', path, { description: null })).toEqual(UPDATED)
        const before = (await ask('GET', 'dashboards')).body
        expect(before).toMatchObject([{ name: 'Tuesday', description: null }])
        const names = ['id', 'name', 'description', 'visibility', 'owner', 'is_own', 'revision', 'created_at', 'updated_at']
        expect(Object.keys(before[0])).toEqual(names)
        // A request that changes nothing is no change.
        expect(await ask('PUT', path, {})).toEqual(UPDATED)
        expect(await ask('PUT', path, { name: 'Tuesday' })).toEqual(UPDATED)
        expect(await ask('PUT', `${path}/sections/${section.body.id}`, { position: 0 })).toEqual(UPDATED)
        expect((await ask('GET', 'dashboards')).body).toEqual(before)

        expect(await ask('PUT', `charts/${chart.body.id}`, { config: { other: true } })).toEqual(UPDATED)
        expect((await ask('GET', 'charts')).body).toMatchObject([{ name: "M'RR 🙂", config: { other: true } }])
        expect(await ask('DELETE', `${path}/charts/${placed.body.id}`)).toEqual({ status: 200, body: { status: 'removed' } })
        expect((await ask('GET', 'charts')).body).toHaveLength(1)
        expect(await ask('DELETE', `${path}/sections/${section.body.id}`)).toEqual(DELETED)
        expect(await ask('DELETE', path)).toEqual(DELETED)
        expect(await ask('DELETE', `charts/${chart.body.id}`)).toEqual(DELETED)
        expect([(await ask('GET', 'charts')).body, (await ask('GET', 'dashboards')).body]).toEqual([[], []])
      })

      it('are changed only at the revision that the writer has read', async () => {
        const ask = newcomer()
        const path = `dashboards/${await newDashboard(ask, 'ours')}`
        const section = await idOf(ask('POST', `${path}/sections`, { title: 'one' }))
        const chart = await newChart(ask)
        const cell = await idOf(ask('POST', `${path}/charts`, { saved_chart_id: chart, section_id: section }))
        const revision = async () => (await ask('GET', path)).body.revision
        expect(await revision()).toBe(3)
        for (const [of, change, kept] of [
          ['', { name: 'mine' }, { name: 'theirs' }],
          [`/sections/${section}`, { title: 'mine' }, { title: 'theirs' }],
          [`/charts/${cell}`, { position: 1 }, { position: 2 }],
        ] as const) {
          const read = await revision()
          expect(await ask('PUT', `${path}${of}`, { ...kept, revision: read })).toEqual(UPDATED)
          const refused = await ask('PUT', `${path}${of}`, { ...change, revision: read })
          expect(refused).toMatchObject({ status: 409, body: { code: 'conflict', revision: read + 1 } })
          expect(refused.body.detail).toContain(`at revision ${read + 1}, not ${read}`)
          // A repeated change needs no new revision, as after a connection that was cut before the answer.
          expect(await ask('PUT', `${path}${of}`, { ...kept, revision: read })).toEqual(UPDATED)
          expect(await revision()).toBe(read + 1)
        }
        expect(await standing(ask, path.slice('dashboards/'.length))).toEqual(['theirs chart'])
        for (const wrong of [0, 1.5, '1', null])
          expect(await ask('PUT', path, { name: 'x', revision: wrong })).toMatchObject({
            status: 422,
            body: { code: 'validation_failed' },
          })
        // A new dashboard has no revision that anybody has read.
        expect(await ask('POST', 'dashboards', { name: 'x', revision: 1 })).toMatchObject({ status: 422 })
        // Of many writers at one revision, one wins.
        const read = await revision()
        const many = await Promise.all(Array.from({ length: 8 }, (_, n) => ask('PUT', path, { name: `n${n}`, revision: read })))
        expect(many.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
        expect(await revision()).toBe(read + 1)
      })

      it('follow the order of their positions, and lists the order of their changes', async () => {
        const ask = newcomer()
        const [first, second] = [await newDashboard(ask, 'first'), await newDashboard(ask, 'second')]
        const names = async (path: string) => (await ask('GET', path)).body.map(({ name }: { name: string }) => name)
        expect(await names('dashboards')).toEqual(['second', 'first'])
        const [b, a] = [await newSection(ask, first, 'b', 2), await newSection(ask, first, 'a', 1)]
        expect(await names('dashboards')).toEqual(['first', 'second'])
        const charts = [await newChart(ask, 'x'), await newChart(ask, 'y'), await newChart(ask, 'z')] as const
        expect(await names('charts')).toEqual(['z', 'y', 'x'])
        const places = [
          await put(ask, first, charts[0], a, 30),
          await put(ask, first, charts[1], a, 7),
          await put(ask, first, charts[2], b),
        ] as const
        expect(await standing(ask, first)).toEqual(['a y x', 'b z'])
        expect(await ask('PUT', `dashboards/${first}/sections/${a}`, { position: 3, title: 'A' })).toEqual(UPDATED)
        expect(await standing(ask, first)).toEqual(['b z', 'A y x'])
        expect(await ask('PUT', `dashboards/${first}/charts/${places[1]}`, { position: 31 })).toEqual(UPDATED)
        expect(await standing(ask, first)).toEqual(['b z', 'A x y'])
        expect(await ask('PUT', `dashboards/${first}/charts/${places[1]}`, { section_id: b })).toEqual(UPDATED)
        expect(await standing(ask, first)).toEqual(['b z y', 'A x'])
        expect(await ask('PUT', `dashboards/${first}/charts/${places[2]}`, { section_id: a, position: 30 })).toEqual(UPDATED)
        // Equal positions: by id.
        const atThirty = [
          { id: places[0], name: 'x' },
          { id: places[2], name: 'z' },
        ].sort((one, other) => (one.id < other.id ? -1 : 1))
        expect(await standing(ask, first)).toEqual(['b y', `A ${atThirty.map(({ name }) => name).join(' ')}`])
        await ask('PUT', `dashboards/${second}`, { name: 'last' })
        expect(await names('dashboards')).toEqual(['last', 'first'])
        await ask('PUT', `charts/${charts[0]}`, { name: 'X' })
        expect(await names('charts')).toEqual(['X', 'z', 'y'])
      })

      it('are deleted with what depends on them, and nothing else', async () => {
        const ask = newcomer()
        const [one, other] = [await newDashboard(ask, 'one'), await newDashboard(ask, 'other')]
        const [x, y] = [await newChart(ask, 'x'), await newChart(ask, 'y')]
        const [a, b, c] = [
          await newSection(ask, one, 'a', 1),
          await newSection(ask, one, 'b', 2),
          await newSection(ask, other, 'c'),
        ]
        await put(ask, one, x, a)
        await put(ask, one, y, b)
        await put(ask, other, x, c)
        const last = await put(ask, other, y, c, 1)
        expect(await ask('DELETE', `dashboards/${one}/sections/${a}`)).toEqual(DELETED)
        expect([await standing(ask, one), await standing(ask, other)]).toEqual([['b y'], ['c x y']])
        expect(await ask('DELETE', `charts/${y}`)).toEqual(DELETED)
        expect([await standing(ask, one), await standing(ask, other)]).toEqual([['b'], ['c x']])
        expect((await ask('DELETE', `dashboards/${other}/charts/${last}`)).status).toBe(404)
        expect(await ask('DELETE', `dashboards/${other}`)).toEqual(DELETED)
        expect(await standing(ask, one)).toEqual(['b'])
        expect((await ask('GET', 'charts')).body).toMatchObject([{ id: x, name: 'x' }])
        // The dashboard no longer has the chart.
        await put(ask, one, x, b)
        expect(await standing(ask, one)).toEqual(['b x'])
      })

      it('are nothing to other users, other workspaces and other dashboards', async () => {
        const engine = engines[0] as Engine
        // MySQL takes texts that differ in trailing blanks for equal; providers name users as they like.
        const owner = asUser(engine, 'me')
        const strangers = [asUser(engine, 'me '), asUser(engine, 'Me'), asUser(engine, 'x'.repeat(3_000)), asUser(engine, '\0')]
        const elsewhere = asUser(await start('two'), 'me')
        const dashboard = await newDashboard(owner)
        const [chart, section] = [await newChart(owner), await newSection(owner, dashboard)]
        const placed = await put(owner, dashboard, chart, section)
        const whole = await owner('GET', `dashboards/${dashboard}`)
        const path = `dashboards/${dashboard}`
        for (const stranger of [...strangers, elsewhere]) {
          expect([(await stranger('GET', 'dashboards')).body, (await stranger('GET', 'charts')).body]).toEqual([[], []])
          const [own, ownChart] = [await newDashboard(stranger), await newChart(stranger)]
          const ownSection = await newSection(stranger, own)
          const tried: readonly (readonly [string, string, unknown?])[] = [
            ['GET', path],
            ['PUT', path, { name: 'taken' }],
            ['DELETE', path],
            ['POST', `${path}/sections`, { title: 'taken' }],
            ['PUT', `${path}/sections/${section}`, { title: 'taken' }],
            ['DELETE', `${path}/sections/${section}`],
            ['POST', `${path}/charts`, { saved_chart_id: chart, section_id: section }],
            ['PUT', `${path}/charts/${placed}`, { position: 9 }],
            ['DELETE', `${path}/charts/${placed}`],
            ['PUT', `charts/${chart}`, { name: 'taken' }],
            ['DELETE', `charts/${chart}`],
            ['PUT', `dashboards/${own}/sections/${section}`, { title: 'taken' }],
            ['DELETE', `dashboards/${own}/sections/${section}`],
            ['DELETE', `dashboards/${own}/charts/${placed}`],
            ['POST', `dashboards/${own}/charts`, { saved_chart_id: chart, section_id: ownSection }],
            ['POST', `dashboards/${own}/charts`, { saved_chart_id: ownChart, section_id: section }],
          ]
          for (const [method, at, body] of tried)
            expect(await stranger(method, at, body), `${method} ${at}`).toMatchObject({
              status: 404,
              body: { code: 'not_found' },
            })
        }
        expect(await owner('GET', path)).toEqual(whole)
        // Sections of the owner's other dashboards are unknown here too.
        const second = await newDashboard(owner)
        expect((await owner('POST', `dashboards/${second}/charts`, { saved_chart_id: chart, section_id: section })).status).toBe(
          404,
        )
        const there = await newSection(owner, second)
        expect((await owner('PUT', `${path}/charts/${placed}`, { section_id: there })).status).toBe(404)
        expect((await owner('DELETE', `dashboards/${second}/sections/${section}`)).status).toBe(404)
        expect(await owner('GET', path)).toEqual(whole)
        // After a restart, and in another process on the same store, they are the same.
        expect(await asUser(await start(), 'me')('GET', path)).toEqual(whole)
      })

      it('take a chart once on each dashboard', async () => {
        const ask = newcomer()
        const [dashboard, chart] = [await newDashboard(ask), await newChart(ask)]
        const sections = [await newSection(ask, dashboard), await newSection(ask, dashboard)]
        await put(ask, dashboard, chart, sections[0] ?? '')
        for (const section_id of sections)
          expect(await ask('POST', `dashboards/${dashboard}/charts`, { saved_chart_id: chart, section_id })).toMatchObject({
            status: 409,
            body: { code: 'conflict', detail: 'The chart is already on this dashboard.' },
          })
      })

      it('stay whole when processes write at once', async () => {
        const user = randomUUID()
        const asks = [asUser(engines[0] as Engine, user), asUser(await start(), user)]
        const many = <T>(count: number, work: (ask: Ask, index: number) => Promise<T>): Promise<T[]> =>
          Promise.all(Array.from({ length: count }, (_, index) => work(asks[index % 2] as Ask, index)))
        const [ask] = asks as [Ask]
        const dashboards = await many(6, (each) => newDashboard(each))
        expect((await ask('GET', 'dashboards')).body).toHaveLength(dashboards.length)
        const [dashboard = ''] = dashboards
        const [chart, section, gone] = [await newChart(ask), await newSection(ask, dashboard), await newSection(ask, dashboard)]
        const placed = await many(8, (each) =>
          each('POST', `dashboards/${dashboard}/charts`, { saved_chart_id: chart, section_id: section }),
        )
        expect(placed.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409])
        // A section that somebody deletes takes nothing in afterwards, and loses what it took before.
        const others = await many(8, (each) => newChart(each))
        const raced = await many(9, (each, index) =>
          index === 4
            ? each('DELETE', `dashboards/${dashboard}/sections/${gone}`)
            : each('POST', `dashboards/${dashboard}/charts`, {
                saved_chart_id: others[index > 4 ? index - 1 : index],
                section_id: gone,
              }),
        )
        expect(raced.filter(({ status }) => ![200, 201, 404].includes(status))).toEqual([])
        expect(raced[4]).toEqual(DELETED)
        expect(await standing(ask, dashboard)).toEqual(['section chart'])
        const deletions = await many(6, (each) => each('DELETE', `charts/${chart}`))
        expect(deletions.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404])
        const renamed = await many(10, (each, index) =>
          index % 5 === 4
            ? each('DELETE', `dashboards/${dashboard}`)
            : each('PUT', `dashboards/${dashboard}`, { name: `n${index}` }),
        )
        expect(renamed.filter(({ status }) => ![200, 404].includes(status))).toEqual([])
      })

      it('have an end, also where the last is added twice at once', async () => {
        const ask = newcomer()
        const refused = (limit: number) => ({ status: 422, body: { code: 'validation_failed', limit } })
        const { dashboards, charts, sections, placements } = DASHBOARD_LIMITS
        for (let index = 0; index < dashboards - 1; index++) await newDashboard(ask)
        const last = await Promise.all([1, 2, 3].map((index) => ask('POST', 'dashboards', { name: `last ${index}` })))
        expect(last.map(({ status }) => status).sort()).toEqual([201, 422, 422])
        expect(await ask('POST', 'dashboards', { name: 'more' })).toMatchObject({
          ...refused(dashboards),
          body: { detail: 'There are already 100 dashboards, which is the limit.' },
        })
        // The rest is the same everywhere. All but the first and the last are copied in the database: that many requests take long.
        if (kind !== 'postgres') return
        const [{ id: dashboard }] = (await ask('GET', 'dashboards')).body
        const chart = await newChart(ask)
        await place.query(`insert into side.saved_chart (id, workspace, owner, name, config, created_at, updated_at)
          select gen_random_uuid(), workspace, owner, name, config, created_at, updated_at
          from side.saved_chart, generate_series(3, ${charts}) where id = '${chart}'`)
        await newChart(ask)
        expect(await ask('POST', 'charts', { name: 'more', config: {} })).toMatchObject(refused(charts))
        const section = await newSection(ask, dashboard)
        const fill = (list: 'sections' | 'charts', entries: readonly object[]) =>
          place.query(`update side.dashboard set contents = jsonb_set(contents::jsonb, '{${list}}',
            contents::jsonb -> '${list}' || '${JSON.stringify(entries)}'::jsonb)::text where id = '${dashboard}'`)
        const others = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `other-${index}`, position: 0 }))
        await fill(
          'sections',
          others(sections - 2).map((other) => ({ ...other, title: 'other' })),
        )
        await newSection(ask, dashboard)
        expect(await ask('POST', `dashboards/${dashboard}/sections`, { title: 'more' })).toMatchObject(refused(sections))
        const ids = (await ask('GET', 'charts')).body.map(({ id }: { id: string }) => id).sort()
        expect(ids).toHaveLength(charts)
        await fill(
          'charts',
          others(placements - 1).map((other, index) => ({ ...other, section_id: section, saved_chart_id: ids[index] })),
        )
        await put(ask, dashboard, ids[placements - 1], section)
        const more = { saved_chart_id: ids[placements], section_id: section }
        expect(await ask('POST', `dashboards/${dashboard}/charts`, more)).toMatchObject(refused(placements))
        // There is room again where one goes.
        await ask('DELETE', `charts/${ids[0]}`)
        expect((await ask('POST', `dashboards/${dashboard}/charts`, more)).status).toBe(201)
        await newChart(ask)
      })

      it('are no part of what figures depend on, and wait for no import', async () => {
        const ask = newcomer()
        const store = createStore({ url: place.url, schema: 'side', baseDirectory: place.baseDirectory })
        const version = await store.version()
        await newDashboard(ask)
        expect(await store.version()).toBe(version)
        // A file has one writer at a time.
        const importing = kind === 'sqlite' ? undefined : ownedIn(store).attributes
        await importing?.change(async () => void (await newDashboard(ask, 'meanwhile')))
        await store.close()
        expect((await ask('GET', 'dashboards')).body).toHaveLength(kind === 'sqlite' ? 1 : 2)
      })

      it('refuse what is no body of theirs, all at once', async () => {
        const ask = newcomer()
        const [dashboard, chart] = [await newDashboard(ask), await newChart(ask)]
        const section = await newSection(ask, dashboard)
        const placed = await put(ask, dashboard, chart, section)
        const path = `dashboards/${dashboard}`
        const wide = { text: 'é'.repeat(32_762) }
        expect(Buffer.byteLength(JSON.stringify(wide))).toBeGreaterThan(65_534)
        const cases: readonly (readonly [string, string, unknown, readonly string[]])[] = [
          ['POST', 'dashboards', undefined, ['body.name']],
          ['POST', 'dashboards', [], ['body']],
          ['POST', 'dashboards', 'null', ['body']],
          ['POST', 'dashboards', { name: '' }, ['body.name']],
          ['POST', 'dashboards', { name: ' a' }, ['body.name']],
          ['POST', 'dashboards', { name: 'n'.repeat(201) }, ['body.name']],
          ['POST', 'dashboards', { name: 1, description: 'd'.repeat(10_001) }, ['body.description', 'body.name']],
          ['POST', 'dashboards', '{"__proto__":{"name":"a"}}', ['body.__proto__', 'body.name']],
          ['PUT', path, { name: null, description: 3 }, ['body.description', 'body.name']],
          ['POST', `${path}/sections`, { position: -1 }, ['body.position', 'body.title']],
          ['POST', `${path}/sections`, { title: 't', position: 1.5 }, ['body.position']],
          ['POST', `${path}/sections`, { title: 't', position: '1' }, ['body.position']],
          ['POST', `${path}/sections`, { title: 't', position: 2_147_483_648 }, ['body.position']],
          ['POST', `${path}/sections`, { title: 't', position: null }, ['body.position']],
          ['PUT', `${path}/sections/${section}`, { title: null, position: 1e300 }, ['body.position', 'body.title']],
          ['POST', `${path}/charts`, {}, ['body.saved_chart_id', 'body.section_id']],
          ['POST', `${path}/charts`, { saved_chart_id: 1, section_id: [section] }, ['body.saved_chart_id', 'body.section_id']],
          ['POST', 'charts', { name: 'c' }, ['body.config']],
          ['POST', 'charts', { name: 'c', config: null }, ['body.config']],
          ['POST', 'charts', { name: 'c', config: [] }, ['body.config']],
          ['POST', 'charts', { name: 'c', config: '{}' }, ['body.config']],
          ['POST', 'charts', { name: 'c', config: { ...wide, more: 1 } }, ['body.config']],
          ['PUT', `charts/${chart}`, { name: '', config: 7 }, ['body.config', 'body.name']],
          ['POST', 'charts', '{"name":"c","config":{"a":[{"b":1e999}]}}', ['body.config']],
          ['PUT', `charts/${chart}`, '{"config":{"a":-1e999}}', ['body.config']],
          ['POST', 'dashboards', { name: 'd', id: NOBODY, sections: [] }, ['body.id', 'body.sections']],
          ['PUT', path, { title: 't' }, ['body.title']],
          ['POST', `${path}/sections`, { title: 't', charts: [] }, ['body.charts']],
          ['PUT', `${path}/sections/${section}`, { positions: 1 }, ['body.positions']],
          ['POST', `${path}/charts`, { saved_chart_id: chart, section_id: section, size: 1 }, ['body.size']],
          ['PUT', `${path}/charts/${placed}`, { saved_chart_id: chart }, ['body.saved_chart_id']],
          ['POST', 'charts', { name: 'c', config: {}, width: 1 }, ['body.width']],
          ['PUT', `charts/${chart}`, { confg: {} }, ['body.confg']],
          ...NOT_STORABLE.map((name) => ['POST', 'dashboards', { name }, ['body.name']] as const),
        ]
        // Before the store is asked, so that one of them shows it.
        for (const [method, at, body, where] of kind === 'sqlite' ? cases : []) {
          const reply = await ask(method, at, body)
          const what = `${method} ${at} ${JSON.stringify(body)?.slice(0, 100)}`
          expect([reply.status, reply.body.code], what).toEqual([422, 'validation_failed'])
          expect(reply.body.issues.map((issue: { where: string }) => issue.where).sort(), what).toEqual(where)
        }
        expect((await ask('POST', 'charts', '{"name":')).body.code).toBe('invalid_json')
        const { body: misspelt } = await ask('PUT', path, { nmae: 'a' })
        expect(misspelt.issues).toMatchObject([
          { message: 'Unknown field "nmae"; known fields are name, description, visibility, revision.', did_you_mean: ['name'] },
        ])
        expect((await ask('POST', 'charts', { name: 'c', config: { a: 'x'.repeat(200_000) } })).status).toBe(413)
        // Names that are hostile elsewhere are names, and configurations as large as they may be are kept whole.
        for (const text of HOSTILE_TEXTS) {
          const name = text.trim().slice(0, 200)
          const id = await newChart(ask, name, { [text]: text, constructor: 1 })
          const { body } = await ask('GET', 'charts')
          expect(body[0]).toMatchObject({ id, name, config: { [text]: text, constructor: 1 } })
        }
        const kept = await ask('POST', 'charts', '{"name":"c","config":{"__proto__":{"a":1},"b":""}}')
        expect(JSON.stringify(kept.body.config)).toBe('{"__proto__":{"a":1},"b":""}')
        const id = await newChart(ask, 'large', wide)
        expect((await ask('GET', 'charts')).body.find((each: { id: string }) => each.id === id).config).toEqual(wide)
      })

      it('answer 404 for ids of nothing, whatever the body', async () => {
        const ask = newcomer()
        const [dashboard, chart] = [await newDashboard(ask), await newChart(ask)]
        const section = await newSection(ask, dashboard)
        for (const id of [NOBODY, 'x', "' or 1=1 --", '%00', dashboard.toUpperCase(), '..%2f']) {
          const tried: readonly (readonly [string, string])[] = [
            ['GET', `dashboards/${id}`],
            ['PUT', `dashboards/${id}`],
            ['DELETE', `dashboards/${id}`],
            ['POST', `dashboards/${id}/sections`],
            ['POST', `dashboards/${id}/charts`],
            ['PUT', `dashboards/${dashboard}/sections/${id}`],
            ['DELETE', `dashboards/${dashboard}/sections/${id}`],
            ['PUT', `dashboards/${dashboard}/charts/${id}`],
            ['DELETE', `dashboards/${dashboard}/charts/${id}`],
            ['PUT', `charts/${id}`],
            ['DELETE', `charts/${id}`],
          ]
          for (const [method, path] of tried)
            for (const body of method === 'PUT' || method === 'POST' ? [{}, { name: 7, position: -1 }] : [undefined])
              expect((await ask(method, path, body)).body.code, `${method} ${path}`).toBe('not_found')
        }
        for (const body of [
          { saved_chart_id: NOBODY, section_id: section },
          { saved_chart_id: chart, section_id: NOBODY },
          { saved_chart_id: chart, section_id: "' or '1'='1\0" },
          { saved_chart_id: section, section_id: chart },
        ])
          expect((await ask('POST', `dashboards/${dashboard}/charts`, body)).status).toBe(404)
        const { id: placed } = (
          await ask('POST', `dashboards/${dashboard}/charts`, { saved_chart_id: chart, section_id: section })
        ).body
        for (const section_id of [NOBODY, 'x', dashboard])
          expect((await ask('PUT', `dashboards/${dashboard}/charts/${placed}`, { section_id })).status).toBe(404)
      })
    })

    it('need the side store', async () => {
      const ask = asUser(
        await engineOver(database, { store: createStore({ url: 'none', schema: 'side', baseDirectory: '/' }) }),
        'a',
      )
      for (const path of ['dashboards', `dashboards/${NOBODY}`, 'charts'])
        expect(await ask('GET', path)).toMatchObject({
          status: 422,
          body: { code: 'unsupported_by_connector', missing: ['store'], detail: expect.stringContaining('Dashboards need') },
        })
    })
  },
  { only: ['postgres'] },
)

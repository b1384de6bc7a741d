import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { createApp } from '../../src/facades/http/app.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { type StorePlace, storePlacesInTurn } from '../support/databases/store-places.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

// biome-ignore lint/suspicious/noExplicitAny: a body is whatever a test expects it to be
type Reply = { readonly status: number; readonly body: any }
type Ask = (method: string, path: string, body?: unknown) => Promise<Reply>

const UPDATED = { status: 200, body: { status: 'updated' } }
const NOT_FOUND = { status: 404, body: { code: 'not_found' } }

/** The service as somebody of the workspace meets it, who may only read, or is an administrator. */
function asUser(engine: Engine, id: string, rights: { readonly isAdministrator?: boolean; readonly sees?: 'own' } = {}): Ask {
  const viewer = { id, name: id, sees: rights.sees ?? 'workspace', isAdministrator: rights.isAdministrator ?? false } as const
  const own = { ...engine, dashboards: () => engine.dashboards(viewer), charts: () => engine.charts(id) }
  const app = createApp({ engine: own, version: '0', corsOrigins: [], limits: { body_bytes: 200_000 }, log: () => {} })
  return async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await app.request(`/api/${path}`, { method, headers: JSON_BODY, ...sent })
    return { status: response.status, body: await response.json() }
  }
}

describeTargets(
  'dashboards that are visible to the workspace',
  (target) => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await sharedReal(target)
    })

    describe.each(storePlacesInTurn(['postgres', 'mariadb', 'mysql', 'sqlite']))('in a store on %s', (_, makePlace) => {
      let place: StorePlace
      const engines: Engine[] = []
      const start = async (workspace: string): Promise<Engine> => {
        const store = createStore({ url: place.url, schema: 'side', baseDirectory: place.baseDirectory })
        const engine = await engineOver(database, { tenant: ['alpha'], workspace, store })
        engines.push(engine)
        return engine
      }
      let owner: Ask
      let reader: Ask
      let admin: Ask
      beforeAll(async () => {
        place = await makePlace()
        const engine = await start('one')
        owner = asUser(engine, 'Ann')
        reader = asUser(engine, 'Bob')
        admin = asUser(engine, 'Eve', { isAdministrator: true })
      })
      afterAll(async () => {
        await Promise.all(engines.map((engine) => engine.close()))
        await place.remove()
      })

      const made = async (visibility?: string) => {
        const { body: board } = await owner('POST', 'dashboards', { name: 'Monday', visibility })
        const { body: chart } = await owner('POST', 'charts', { name: 'MRR', config: { a: 1 } })
        const { body: section } = await owner('POST', `dashboards/${board.id}/sections`, { title: 'one' })
        const placed = { saved_chart_id: chart.id, section_id: section.id }
        const { body: cell } = await owner('POST', `dashboards/${board.id}/charts`, placed)
        return { board: board.id, path: `dashboards/${board.id}`, chart: chart.id, section: section.id, cell: cell.id }
      }

      it('are private by default, and an administrator sees no private one', async () => {
        const { path } = await made()
        expect((await owner('GET', path)).body).toMatchObject({ visibility: 'private', owner: 'Ann', is_own: true })
        for (const other of [reader, admin]) {
          expect(await other('GET', path)).toMatchObject(NOT_FOUND)
          expect(await other('PUT', path, { visibility: 'workspace' })).toMatchObject(NOT_FOUND)
          expect(await other('DELETE', path)).toMatchObject(NOT_FOUND)
        }
        await owner('DELETE', path)
      })

      it('are read by others with the charts on them, which are readable nowhere else', async () => {
        const { board, path, chart, section } = await made('workspace')
        await owner('POST', 'charts', { name: 'elsewhere', config: { secret: true } })
        const { body: listed } = await reader('GET', 'dashboards')
        expect(listed).toMatchObject([{ id: board, name: 'Monday', visibility: 'workspace', owner: 'Ann', is_own: false }])
        const { body: seen } = await reader('GET', path)
        expect(seen).toMatchObject({ is_own: false, sections: [{ charts: [{ chart: { name: 'MRR', config: { a: 1 } } }] }] })
        expect(JSON.stringify(seen)).not.toContain('secret')
        expect(await reader('GET', 'charts')).toEqual({ status: 200, body: [] })
        expect(await reader('PUT', `charts/${chart}`, { name: 'x' })).toMatchObject(NOT_FOUND)
        // A chart of one owner goes on no dashboard of another.
        const { body: own } = await reader('POST', 'dashboards', { name: 'own' })
        const { body: into } = await reader('POST', `dashboards/${own.id}/sections`, { title: 'one' })
        const placed = { saved_chart_id: chart, section_id: into.id }
        expect(await reader('POST', `dashboards/${own.id}/charts`, placed)).toMatchObject(NOT_FOUND)
        const { body: mine } = await admin('POST', 'charts', { name: 'of the administrator', config: {} })
        expect(await admin('POST', `${path}/charts`, { saved_chart_id: mine.id, section_id: section })).toMatchObject(NOT_FOUND)
        // A caller who sees only totals sees no configuration of others, which may name customers.
        const totals = asUser(engines[0] as Engine, 'Bob', { sees: 'own' })
        expect(await totals('GET', path)).toMatchObject(NOT_FOUND)
        expect((await totals('GET', 'dashboards')).body.map(({ id }: { id: string }) => id)).toEqual([own.id])
        await reader('DELETE', `dashboards/${own.id}`)
        await owner('DELETE', path)
      })

      it('are changed and deleted by their owner and by administrators alone', async () => {
        const { path, section, cell, chart } = await made('workspace')
        const before = (await owner('GET', path)).body
        for (const [method, at, body] of [
          ['PUT', path, { name: 'taken' }],
          ['PUT', path, { visibility: 'private' }],
          ['DELETE', path],
          ['POST', `${path}/sections`, { title: 'taken' }],
          ['PUT', `${path}/sections/${section}`, { title: 'taken' }],
          ['DELETE', `${path}/sections/${section}`],
          ['POST', `${path}/charts`, { saved_chart_id: chart, section_id: section }],
          ['PUT', `${path}/charts/${cell}`, { position: 9 }],
          ['DELETE', `${path}/charts/${cell}`],
        ] as const) {
          const refused = await reader(method, at, body)
          expect(refused, `${method} ${at}`).toMatchObject({ status: 403, body: { code: 'forbidden', reason: 'not_owner' } })
          expect(refused.body.detail).toContain('only its owner or an administrator')
        }
        expect((await owner('GET', path)).body).toEqual(before)
        expect(await admin('PUT', path, { name: 'Tuesday' })).toEqual(UPDATED)
        expect(await admin('PUT', `${path}/sections/${section}`, { title: 'two' })).toEqual(UPDATED)
        const { body: after } = await owner('GET', path)
        expect(after).toMatchObject({ name: 'Tuesday', owner: 'Ann', is_own: true, sections: [{ title: 'two' }] })
        // A withdrawn dashboard is gone for everybody else.
        expect(await admin('PUT', path, { visibility: 'private' })).toEqual(UPDATED)
        for (const other of [reader, admin]) expect(await other('GET', path)).toMatchObject(NOT_FOUND)
        expect(await owner('PUT', path, { visibility: 'workspace' })).toEqual(UPDATED)
        expect(await admin('DELETE', path)).toMatchObject({ status: 200 })
        expect(await owner('GET', path)).toMatchObject(NOT_FOUND)
      })

      it('are nothing to other workspaces', async () => {
        const { path } = await made('workspace')
        const elsewhere = await start('two')
        for (const other of [asUser(elsewhere, 'Ann'), asUser(elsewhere, 'Eve', { isAdministrator: true })]) {
          expect((await other('GET', 'dashboards')).body).toEqual([])
          expect(await other('GET', path)).toMatchObject(NOT_FOUND)
          expect(await other('DELETE', path)).toMatchObject(NOT_FOUND)
        }
      })

      it('have one of two visibilities', async () => {
        const { path } = await made()
        for (const visibility of ['public', '', null, 1]) {
          const refused = await owner('PUT', path, { visibility })
          expect(refused).toMatchObject({ status: 422, body: { issues: [{ where: 'body.visibility' }] } })
          expect(refused.body.detail).toContain('private')
        }
      })
    })
  },
  { only: ['postgres'] },
)

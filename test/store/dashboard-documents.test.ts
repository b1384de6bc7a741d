import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { afterEach, describe, expect, it } from 'vitest'
import { viewerOfOwn } from '../../src/core/workspace.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { createDashboards } from '../../src/workspace/store/migrations/0010-dashboards.ts'
import { openEmbeddedDatabase } from '../../src/workspace/store/open/embedded-database.ts'
import { openServerDatabase } from '../../src/workspace/store/open/server-database.ts'
import { storeTarget } from '../../src/workspace/store/open/store-target.ts'
import { ownedIn, type StorePlace, storePlaces, WORKSPACE } from '../support/databases/store-places.ts'

const USER = 'somebody'
const OWNED = { workspace: WORKSPACE.name, owner: createHash('sha256').update(USER).digest('hex') }
const AT = '2026-01-02 03:04:05.678'
const id = (last: number) => `00000000-0000-4000-8000-00000000000${last}`
const [BOARD, EMPTY, CHART, OTHER, FIRST, SECOND, PLACE] = [1, 2, 3, 4, 5, 6, 7].map(id) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
]

let place: StorePlace | undefined
afterEach(async () => {
  await place?.remove()
})

/** The tables of dashboards as the version before made and filled them. */
async function asBefore(knex: Knex, schema: string | undefined): Promise<void> {
  const table = (name: string) => (schema === undefined ? knex(name) : knex(name).withSchema(schema))
  for (const name of ['dashboard', 'saved_chart', 'dashboard_owner'])
    await (schema === undefined ? knex.schema : knex.schema.withSchema(schema)).dropTable(name)
  await createDashboards(knex, schema)
  await (schema === undefined ? knex.schema : knex.schema.withSchema(schema)).dropTable('link')
  await table('plumbline_migration').whereIn('name', ['0011-dashboard-documents', '0013-links']).delete()
  const dates = { created_at: AT, updated_at: AT }
  for (const [one, name] of [
    [BOARD, 'Monday 🙂'],
    [EMPTY, 'empty'],
  ])
    await table('dashboard').insert({ ...OWNED, id: one, name, description: name === 'empty' ? null : 'a\nb', ...dates })
  for (const one of [CHART, OTHER])
    await table('saved_chart').insert({ ...OWNED, id: one, name: 'MRR', config: '{"a":[1.5]}', ...dates })
  const of = { dashboard_id: BOARD }
  await table('dashboard_section').insert({ ...of, id: FIRST, title: 'it\'s \\ "first"', position: 2_147_483_647 })
  await table('dashboard_section').insert({ ...of, id: SECOND, title: 'second', position: 0 })
  await table('dashboard_chart').insert({ ...of, id: PLACE, section_id: FIRST, saved_chart_id: CHART, position: 3 })
}

describe.each(storePlaces(['postgres', 'mariadb', 'mysql', 'sqlite']))(
  'dashboards of the version before, in a store on %s',
  (kind, makePlace) => {
    it('become documents, and nothing is lost', async () => {
      place = await makePlace()
      const { url, baseDirectory } = place
      const options = { url, schema: 'side', baseDirectory }
      const schema = kind === 'postgres' ? 'side' : undefined
      const target = storeTarget(options)
      if (target.kind === 'none') throw new Error('a store has a place')
      const before =
        target.kind === 'embedded' ? await openEmbeddedDatabase(target.file, undefined) : await openServerDatabase(target)
      await asBefore(before.knex, schema)
      await before.close()

      const store = createStore(options)
      const own = ownedIn(store).dashboardsOf(viewerOfOwn(USER))
      const stamps = { created_at: '2026-01-02T03:04:05.678Z', updated_at: '2026-01-02T03:04:05.678Z' }
      const ofOwner = { visibility: 'private', owner: null, is_own: true }
      const record = { id: BOARD, name: 'Monday 🙂', description: 'a\nb', ...ofOwner, revision: 1, ...stamps }
      const empty = { id: EMPTY, name: 'empty', description: null, ...ofOwner, revision: 1, ...stamps }
      expect(await own.dashboards()).toEqual([record, empty])
      expect(await own.dashboard(EMPTY)).toEqual({ ...empty, sections: [], charts: [] })
      const { sections, charts, ...others } = await own.dashboard(BOARD)
      expect(others).toEqual(record)
      expect(sections.toSorted((a, b) => a.position - b.position)).toEqual([
        { id: SECOND, title: 'second', position: 0 },
        { id: FIRST, title: 'it\'s \\ "first"', position: 2_147_483_647 },
      ])
      expect(charts).toEqual([{ id: PLACE, saved_chart_id: CHART, section_id: FIRST, position: 3 }])
      await own.removeChart(CHART)
      expect(await own.dashboard(BOARD)).toMatchObject({ revision: 2, charts: [], ...{ updated_at: stamps.updated_at } })
      expect(await own.dashboard(EMPTY)).toMatchObject({ revision: 1 })
      await store.close()

      // A second opening changes nothing.
      const again = createStore(options)
      expect(await ownedIn(again).dashboardsOf(viewerOfOwn(USER)).dashboard(BOARD)).toMatchObject({ revision: 2, charts: [] })
      await again.close()
    })
  },
)

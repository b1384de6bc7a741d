import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { createLook } from '../../connectors/killbill/changes/look.ts'
import { createKillbillConnector } from '../../connectors/killbill/index.ts'
import { rawTables } from '../../connectors/killbill/raw-tables.ts'
import { readRows } from '../../src/cache/mirror/copy-rows.ts'
import { storedTables } from '../../src/cache/mirror/mirror-tables.ts'
import { planOf } from '../../src/cache/mirror/rebuild.ts'
import { createWorkArea } from '../../src/cache/mirror/work-area.ts'
import { duckdb } from '../../src/compiler/dialects/duckdb.ts'
import { openDuckdb } from '../../src/databases/duckdb/duckdb.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory } from '../support/data/histories/generated-history.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/targets.ts'
import { DEFINITIONS, NONE_HELD } from '../support/product/held-rows.ts'
import { killbillCatalog } from '../support/product/recorded-engine.ts'

const SETTINGS = { tenant: ['all'], catalog: [] }

/** How often a relation had rows, and had none, when nothing that it needs had any; then when something had. */
interface Seen {
  readonly without: { some: number; none: number }
  readonly with: { some: number; none: number }
}

/** Makes the relations of each customer alone, whatever they need. */
async function judge(database: TestDatabase, now: string, every: number): Promise<ReadonlyMap<string, Seen>> {
  const cache = await openDuckdb({ dialect: duckdb, memoryMb: 500, directory: tmpdir() })
  const scratch = await cache.scratch()
  const connector = createKillbillConnector(SETTINGS)
  const source = { keyType: 'integer' as const, tables: rawTables, look: createLook(SETTINGS) }
  const mirror = storedTables(cache, duckdb, { connector, source, catalog: killbillCatalog() })
  const request = { now: new Date(`${now.replace(' ', 'T')}Z`), definitions: DEFINITIONS }
  const query = (text: string) => scratch.query({ text, values: [], label: 'test' })
  const isEmpty = async (rows: string) => (await query(`select 1 from ${rows} as made limit 1`)).length === 0
  const seen = new Map<string, Seen>()
  try {
    await database.executor({ statementTimeoutMs: 300_000 }).withSnapshot(async (snapshot) => {
      const look = await source.look(snapshot, request, undefined, NONE_HELD)
      const { plan, raw } = planOf(mirror, { request, look, dialect: 'postgres', beat: () => {} })
      const work = createWorkArea(scratch, 'integer')
      await work.prepare(plan, raw)
      const accounts = await snapshot.query({
        text: 'select record_id from accounts order by record_id',
        values: [],
        label: 'test',
      })
      for (const { record_id } of accounts.filter((_, index) => index % every === 0))
        await work.within(async () => {
          await work.load(await readRows(snapshot, raw, { keys: [String(record_id)] }, cache.directory))
          await work.run(
            plan.steps.map((step) => ({ ...step, needs: [] })),
            () => {},
          )
          for (const { relation, table, rows, needs } of plan.steps) {
            if (needs.length === 0) continue
            const own = seen.get(relation) ?? { without: { some: 0, none: 0 }, with: { some: 0, none: 0 } }
            seen.set(relation, own)
            const needed = await Promise.all(needs.map((name) => isEmpty(`work.${name}`)))
            const side = needed.every((none) => none) ? own.without : own.with
            if (await isEmpty(table === undefined ? `(${rows.text})` : `work.${table}`)) side.none += 1
            else side.some += 1
          }
        })
    })
    return seen
  } finally {
    await cache.close()
  }
}

oneEngineInRotation(
  'relations without the rows that they need',
  (target) => {
    it('have no rows, for any customer of the recording and of a generated history', async () => {
      const { database } = await fillDatabase(target, generatedHistory(20260901, 60))
      const places = [
        await judge(await sharedReal(target), '2026-11-21 00:00:00', 6),
        await judge(database, '2025-01-15 00:00:00', 1),
      ]
      const added = new Map<string, readonly number[]>()
      for (const [relation, { without, with: by }] of places.flatMap((place) => [...place])) {
        const before = added.get(relation) ?? [0, 0, 0]
        added.set(
          relation,
          [without.some, without.none, by.some].map((count, index) => count + (before[index] ?? 0)),
        )
      }
      const all = [...added].map(([relation, [some = 0]]) => [relation, some])
      expect(all.filter(([, some]) => some !== 0)).toEqual([])
      expect([...added].filter(([, [, none = 0]]) => none > 0).map(([relation]) => relation)).toEqual(
        expect.arrayContaining(RARE),
      )
    }, 600_000)
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

/** Relations whose needs many customers do not have. Each catalog here has fixed terms. */
const RARE = [
  'cancellation',
  'customer_field',
  'invoice',
  'kb_addon_end',
  'kb_arrival',
  'kb_base_end',
  'kb_block_edge',
  'kb_settlement',
  'kb_transfer_end',
  'refund',
  'usage_charge',
  'usage_mean',
]

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/contract.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { paramsForDays } from '../../src/query/inputs.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { BILLING_METRICS } from '../support/product/billing-metrics.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

const RANGE = { start: '2025-06-01', end: '2026-11-20' }
const SETS = { revalued: { swap_window: 60, fx: 'period_end' } } as const

/** A table of a plan of MariaDB, with its condition. */
interface PlannedTable {
  readonly table_name?: string
  readonly access_type?: string
  readonly used_key_parts?: readonly string[]
  readonly attached_condition?: string
}

/** A key that a relation computes, as `fn.text` does, next to the key that it is compared with. */
const COMPUTED_KEY = /as char charset utf8mb4\) collate utf8mb4_bin = /

const METRICS = BILLING_METRICS.map(({ name, queries }) => ({ name, queries }))

// MariaDB and MySQL make a key for a list in which a statement looks up rows. MariaDB makes it from the equalities whose other sides come from the same tables.
oneEngineInRotation(
  'plans of MariaDB',
  (target) => {
    let engine: Engine
    let executor: Executor
    beforeAll(async () => {
      const database = await sharedReal(target)
      engine = await engineOver(database, { tenant: ['all'], sets: SETS })
      executor = database.executor()
    })
    afterAll(() => engine.close())

    it.each(METRICS)(
      '$name looks up rates by currency and day, and joins no two lists pair by pair',
      async ({ name, queries }) => {
        const slow: string[] = []
        let planned = 0
        for (const [query_type, { inputs }] of Object.entries(queries))
          for (const set of [{}, { definitions: 'revalued' }]) {
            const days = paramsForDays(inputs, RANGE)
            for (const statement of await engine.compile(name, { query_type, ...days, ...set })) {
              const [row] = await executor.withSnapshot((snapshot) =>
                snapshot.query({ ...statement, text: `explain format=json ${statement.text}`, label: 'test.plan' }),
              )
              planned += 1
              for (const [table, condition] of tablesOf(JSON.parse(String(Object.values(row ?? {})[0]))))
                if (isSlow(table, condition)) slow.push(`${statement.label} ${table.table_name} ${condition}`)
            }
          }
        expect(planned).toBeGreaterThan(0)
        expect(slow).toEqual([])
      },
    )
  },
  { only: ['mariadb'] },
)

/** True for a list that is searched by a part of its key, or row by row. */
function isSlow({ table_name = '', access_type, used_key_parts = [] }: PlannedTable, condition: string): boolean {
  if (!table_name.startsWith('<derived')) return false
  if (/\brate\.`day` = /.test(condition)) return !used_key_parts.includes('day')
  return access_type === 'ALL' && COMPUTED_KEY.test(condition)
}

/** The tables of a plan with their conditions. A table that is joined pair by pair has its condition on the join. */
function tablesOf(node: unknown): readonly (readonly [PlannedTable, string])[] {
  if (typeof node !== 'object' || node === null) return []
  const own = 'table' in node ? [node.table as PlannedTable] : []
  const onJoin = 'attached_condition' in node ? String(node.attached_condition) : ''
  return [
    ...own.map((table) => [table, `${table.attached_condition ?? ''} ${onJoin}`] as const),
    ...Object.values(node).flatMap((child) => tablesOf(child)),
  ]
}

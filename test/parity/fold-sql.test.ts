import { expect, it } from 'vitest'
import type { Row } from '../../src/connector-kit/connector.ts'
import { END_REASONS, MOVEMENT_TYPES, START_REASONS } from '../../src/core/enums.ts'
import { readExample } from '../support/data/example-tables.ts'
import { continuedHistory } from '../support/data/histories/continued-history.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { GENERATED_RATES } from '../support/data/histories/generated-history.ts'
import { HISTORIES, HISTORY_NOW } from '../support/data/histories/history-seeds.ts'
import { insertRows } from '../support/data/killbill/insert-rows.ts'
import { killbillDatabase } from '../support/data/killbill/killbill-database.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import type { Tables } from '../support/data/killbill/tables.ts'
import { realRates, realTables } from '../support/data/recorded/recorded-tables.ts'
import { oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/targets.ts'
import { foldReal, mapValues } from '../support/oracles/fold/fold-recorded.ts'
import { type FoldedCustomer, foldTables, relationsOf } from '../support/oracles/fold/fold-tables.ts'
import { relationRows } from '../support/product/relation-rows.ts'

/** Transactions of the billing engine. */
const WRITES = 600
const NAMES = ['mrr_span', 'mrr_movement', 'trial'] as const
const FLAGS = ['is_trial', 'is_live', 'is_paused', 'is_unpriced', 'is_swap', 'is_switch']
const NUMBERS = /_cents$|^quantity$|_key$/

/** A relation's row as the fold writes it: numbers as numbers, flags as flags, the plan by its facts. */
function comparable(
  row: Readonly<Record<string, unknown>>,
  plans: ReadonlyMap<unknown, string>,
  columns: readonly string[],
): string {
  const cells = columns.map((column) => {
    const cell = row[column] ?? null
    if (column === 'plan_key') return cell === null ? null : plans.get(Number(cell))
    if (FLAGS.includes(column)) return ['true', '1'].includes(String(cell))
    return cell !== null && NUMBERS.test(column) ? Number(cell) : cell
  })
  return JSON.stringify(Object.fromEntries(columns.map((column, index) => [column, cells[index]])))
}

function planNames(tables: Tables): Map<unknown, string> {
  const plan = relationsOf(tables).find((relation) => relation.name === 'plan')
  return new Map((plan?.rows ?? []).map((row) => [row[0], JSON.stringify(row.slice(1))]))
}

/** Rows of one side that the other lacks; both empty = equal. */
function differences(sqlRows: readonly Row[], foldRows: readonly object[], plans: ReadonlyMap<unknown, string>) {
  const columns = Object.keys(foldRows[0] ?? {}).sort()
  const inSql = sqlRows.map((row) => comparable(row, plans, columns)).sort()
  const inFold = foldRows.map((row) => comparable(row as Record<string, unknown>, plans, columns)).sort()
  const [sqlSet, foldSet] = [new Set(inSql), new Set(inFold)]
  return {
    only_sql: inSql.filter((row) => !foldSet.has(row)),
    only_fold: inFold.filter((row) => !sqlSet.has(row)),
    counts_equal: inSql.length === inFold.length,
  }
}

const EQUAL = { only_sql: [], only_fold: [], counts_equal: true }

async function expectEqual(
  database: TestDatabase,
  customers: readonly FoldedCustomer[],
  tables: Tables,
  request: Parameters<typeof relationRows>[2],
) {
  const rows = await relationRows(database, NAMES, request)
  const fold = {
    mrr_span: customers.flatMap((customer) => customer.spans),
    mrr_movement: customers.flatMap((customer) => customer.movements),
    trial: customers.flatMap((customer) => customer.trials),
  }
  const plans = planNames(tables)
  const found = mapValues(fold, (name, expected) => differences(rows[name as (typeof NAMES)[number]], expected, plans))
  expect(found).toEqual({ mrr_span: EQUAL, mrr_movement: EQUAL, trial: EQUAL })
}

let written: ReturnType<typeof continuedHistory> | undefined

/** The history that the billing engine wrote on, the same for every database. */
function continued(): ReturnType<typeof continuedHistory> {
  written ??= continuedHistory(HISTORIES.continued, WRITES)
  return written
}

oneEngineInRotation('SQL compared with the fold', (target) => {
  it('the recording, both tenants', async () => {
    const database = await sharedReal(target)
    const request = { now: new Date('2026-11-21T00:00:00Z'), tenant: ['all'], rates: realRates }
    await expectEqual(database, foldReal(), realTables, request)
  })

  it.each(sampleOf(target, ['worked-example', 'engine-example'] as const, { first: 1, others: 2 }))('the %s', async (name) => {
    const { given, tables, rates } = readExample(name)
    const database = await killbillDatabase(target)
    for (const [table, rows] of Object.entries(given)) await insertRows(database, table, rows)
    const now = name === 'worked-example' ? '2025-06-05' : '2024-12-02'
    const customers = foldTables(tables, { now: `${now} 00:00:00`, base_currency: 'USD', rates })
    await expectEqual(database, customers, tables, { now: new Date(`${now}T00:00:00Z`), tenant: [], rates })
  })

  it('a history after which the billing engine wrote on', async () => {
    const history = await continued()
    const { database, tables } = await fillDatabase(target, history.tables)
    for (const now of sampleOf(target, [history.now, HISTORY_NOW], { first: 1, others: 2, shift: 1 })) {
      const customers = foldTables(tables, { now, base_currency: 'USD', rates: GENERATED_RATES })
      const [spans, movements] = [customers.flatMap((one) => one.spans), customers.flatMap((one) => one.movements)]
      expect([...new Set(spans.map((span) => span.start_reason))].sort()).toEqual([...START_REASONS].sort())
      expect([...new Set(spans.flatMap((span) => span.end_reason ?? []))].sort()).toEqual([...END_REASONS].sort())
      expect([...new Set(movements.map((movement) => movement.movement_type))].sort()).toEqual([...MOVEMENT_TYPES].sort())
      expect(movements.some((movement) => movement.is_swap) && spans.some((span) => span.is_unpriced)).toBe(true)
      const at = new Date(`${now.replace(' ', 'T')}Z`)
      await expectEqual(database, customers, tables, { now: at, tenant: ['all'], rates: GENERATED_RATES })
    }
  })
})

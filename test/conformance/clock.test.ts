import { tmpdir } from 'node:os'
import { beforeAll, describe, expect, it } from 'vitest'
import { duckdb } from '../../src/compiler/dialects/duckdb.ts'
import { fn, relation, sql } from '../../src/compiler/fragment.ts'
import { openDuckdb } from '../../src/databases/duckdb/duckdb.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { PROPERTY_FACTOR, seedFor } from '../support/data/property-runs.ts'
import { dayByMidnights, ZONES, zonedCalendar, zonedInstants } from '../support/data/zoned-instants.ts'
import { describeTargets } from '../support/databases/targets.ts'
import { runFragment } from '../support/product/run-fragment.ts'

/** Compares the days and months of a database with those of TypeScript, at each instant. */
async function expectEqualDays(executor: Executor, zone: string, seed: number): Promise<void> {
  const instants = zonedInstants(zone, 100 * PROPERTY_FACTOR, seed)
  const rows = instants.map((instant, index) => [index, instant])
  const columns = [
    { name: 'position', type: 'integer' },
    { name: 'moment', type: 'timestamp' },
  ] as const
  const clock = fn('clock', sql`drawn.moment`)
  const found = await runFragment(
    executor,
    sql`select ${fn('text', sql`cast(${clock} as date)`)} as day, ${fn('text', fn('month_start', clock))} as month
      from ${relation('drawn')} as drawn order by drawn.position`,
    { inline: [{ name: 'drawn', columns, rows }], stretches: zonedCalendar(zone).stretches },
  )
  const days = instants.map((instant) => dayByMidnights(zone, instant))
  expect(found.map(({ day }) => day)).toEqual(days)
  expect(found.map(({ month }) => month)).toEqual(days.map((day) => `${day.slice(0, 7)}-01`))
}

describeTargets('days of SQL are days of TypeScript (D84)', (target) => {
  let executor: Executor
  beforeAll(async () => {
    executor = (await target.createDatabase()).executor()
  })

  it.each(ZONES)('%s', (zone) => expectEqualDays(executor, zone, seedFor(target, 84)))
})

describe('days of SQL are days of TypeScript in DuckDB (D84)', () => {
  it.each(ZONES)('%s', async (zone) => {
    const database = await openDuckdb({ dialect: duckdb, memoryMb: 200, directory: tmpdir() })
    try {
      await expectEqualDays(database.reader, zone, 840)
    } finally {
      await database.close()
    }
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Statement } from '../../src/compiler/statement.ts'
import type { Engine } from '../../src/engine/contract.ts'
import { largestNumbers } from '../../src/metrics/number-cells.ts'
import type { Row } from '../../src/ports/rows.ts'
import { paramsForDays } from '../../src/query/inputs.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { recording } from '../support/databases/recording-executor.ts'
import { oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/targets.ts'
import { BILLING_METRICS } from '../support/product/billing-metrics.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { selectDepth } from '../support/product/select-depth.ts'

/** MySQL refuses more than 63. */
const DEEPEST = 61

const METRICS = BILLING_METRICS.filter(({ is_overview }) => is_overview !== true)

/** The options that add relations, together. */
const SETS = {
  swapped: { swap_window: 60, grain: 'customer' },
  revalued: { swap_window: 60, fx: 'period_end' },
} as const

oneEngineInRotation('the selects of a statement', (target) => {
  let database: TestDatabase
  let engine: Engine
  let statements: readonly Statement[] = []
  beforeAll(async () => {
    database = await sharedReal(target)
    engine = await engineOver(database, {
      tenant: ['all'],
      sets: SETS,
      wrapExecutor(executor) {
        const recorded = recording(executor)
        statements = recorded.statements
        return recorded.executor
      },
    })
  })
  afterAll(async () => {
    await engine.close()
    await database.drop()
  })

  it.each(METRICS)('of $name and of its rows are not too deep for MySQL', async ({ name, queries }) => {
    const before = statements.length
    for (const [query_type, query] of Object.entries(queries)) {
      const days = paramsForDays(query.inputs, { start: '2026-02-01', end: '2026-03-31' })
      const { data, kind, columns } = await engine.query(name, { query_type, ...days })
      const rows = kind === 'scalar' ? [{ [columns[0] ?? '']: data } as Row] : ([data].flat() as Row[])
      for (const definitions of [undefined, ...Object.keys(SETS)]) {
        const asked = { query_type, ...days, ...(definitions !== undefined && { definitions }) }
        for (const { params } of sampleOf(target, largestNumbers(rows, query, []), { first: 3, others: 3 }))
          await engine.metricRows(name, { ...asked, ...params, limit: '1' } as Record<string, string>)
      }
    }
    const deep = statements.slice(before).map(({ label, text }) => [selectDepth(text), label] as const)
    expect(deep.length).toBeGreaterThan(0)
    expect(deep.filter(([depth]) => depth > DEEPEST)).toEqual([])
  })
})

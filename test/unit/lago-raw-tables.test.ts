import { expect, it } from 'vitest'
import { rawTables } from '../../connectors/lago/raw-tables.ts'
import { postgres } from '../../src/compiler/dialects/postgres.ts'
import { statementOf } from '../../src/connector-kit/query-runner.ts'

const SOURCES = [{ source_id: 'a0000000-0000-4000-8000-000000000000', external_key: null, name: 'North Ltd' }]

it('the keys of many customers are one value: COPY reads each value of a condition again for every row', () => {
  const keys = Array.from({ length: 2_000 }, (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`)
  for (const table of rawTables({ sources: SOURCES, aliases: new Map() })) {
    const { values } = statementOf(table.select({ keys }), postgres, table.name)
    expect(values.length, table.name).toBeLessThan(10)
  }
})

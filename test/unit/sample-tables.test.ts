import { expect, it } from 'vitest'
import { LOGS } from '../../connectors/killbill/changes/logs.ts'
import { TABLES } from '../support/data/demo-data/sample-tables.ts'

it('the demo has every table that the cache looks at for changes', () => {
  expect(LOGS.map(({ table }) => table).filter((table) => !TABLES.includes(table))).toEqual([])
})

import { beforeAll, describe, expect, it } from 'vitest'
import { type Filled, fillDatabase } from '../support/data/histories/filled-database.ts'
import { GENERATED_RATES, generatedHistory } from '../support/data/histories/generated-history.ts'
import { HISTORIES } from '../support/data/histories/history-seeds.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { foldTables } from '../support/oracles/fold/fold-tables.ts'
import { COMPARED, differences, foldRows } from '../support/oracles/fold/relation-differences.ts'
import { relationRows } from '../support/product/relation-rows.ts'

oneEngineInRotation('relations compared with the fold on generated histories', (target) => {
  describe.each([HISTORIES.relations])('seed %i', (seed, accounts) => {
    let filled: Filled
    beforeAll(async () => {
      filled = await fillDatabase(target, generatedHistory(seed, accounts))
    })

    it.each(['2024-03-17 00:00:00', '2025-01-15 00:00:00'])('every relation says the same as of %s', async (now) => {
      const { database, tables } = filled
      const request = { now: new Date(`${now.replace(' ', 'T')}Z`), rates: GENERATED_RATES, tenant: ['all'] }
      const sql = await relationRows(database, COMPARED, { ...request, params: { usage_invoices_only: false } })
      const fold = foldRows(foldTables(tables, { now, base_currency: 'USD', rates: GENERATED_RATES }))
      expect(fold.mrr_span.length).toBeGreaterThan(100)
      const found = COMPARED.map((name) => differences(name, sql[name], fold[name], tables)).filter((text) => text !== '')
      expect(found.join('\n\n'), `seed ${seed}`).toBe('')
    })
  })
})

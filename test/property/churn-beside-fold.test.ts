import { beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { GENERATED_RATES, generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { HISTORIES } from '../support/data/histories/history-seeds.ts'
import { PROPERTY_FACTOR } from '../support/data/property-runs.ts'
import { oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { cohortAnswers, ltvAnswers, type Oracle, ratioAnswers, tableAnswers } from '../support/oracles/fold/expected-answers.ts'
import { foldTables } from '../support/oracles/fold/fold-tables.ts'
import { ledgerOf } from '../support/oracles/fold/ledger-figures.ts'
import { wrongAnswers } from '../support/oracles/fold/wrong-answers.ts'
import { slicer } from '../support/oracles/slice-loops.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

const NOW = '2025-01-15 00:00:00'
const ASKED = [
  { start: '2024-01-01', end: '2025-01-31', granularity: 'month' },
  { start: '2024-03-16', end: '2024-03-16' },
  { start: '2024-02-15', end: '2024-10-01' },
] as const

oneEngineInRotation('churn, retention and ltv compared with plain loops on generated histories', (target) => {
  // PostgreSQL has one history and the other engines another. A longer run uses both.
  const own = ['postgres', 'pglite'].includes(target.name) ? HISTORIES.ratios : HISTORIES.ratios_again
  describe.each(PROPERTY_FACTOR > 1 ? [HISTORIES.ratios, HISTORIES.ratios_again] : [own])('seed %i', (seed, accounts) => {
    let engine: Engine
    let oracle: Oracle
    beforeAll(async () => {
      const { database, tables } = await fillDatabase(target, generatedHistory(seed, accounts))
      const definitions = { allow_unpriced: true }
      const now = new Date(`${NOW.replace(' ', 'T')}Z`)
      engine = await engineOver(database, { tenant: ['all'], now, definitions, store: await ratesOnly(RATES_CSV) })
      const customers = foldTables(tables, { now: NOW, base_currency: 'USD', rates: GENERATED_RATES })
      oracle = { ledger: ledgerOf(customers, NOW), sliceOf: slicer(tables), rates: GENERATED_RATES, reasonOf: () => null }
    })

    // Over each range the first engine is asked every third question, over the next range the next one: all come in a run.
    const askedOf = <T>(expected: readonly T[], asked: (typeof ASKED)[number]) =>
      sampleOf(target, expected, { first: PROPERTY_FACTOR === 1 ? ASKED.length : 1, shift: ASKED.indexOf(asked) })

    it.each(ASKED)('ratios, $start to $end (D41 to D45, D61)', async (asked) => {
      const expected = ratioAnswers(oracle, asked)
      expect((await wrongAnswers(engine, askedOf(expected, asked))).join('\n\n'), `seed ${seed}`).toBe('')
      expect(expected.length).toBe(18)
    })

    it.each(ASKED.slice(1))('customers and revenue events in order, $start to $end (D42, D44)', async ({ start, end }) => {
      for (const { metric, params, answer } of sampleOf(target, tableAnswers(oracle, { start, end })))
        expect((await engine.query(metric, params)).data, `seed ${seed}, ${JSON.stringify(params)}`).toEqual(answer)
    })

    it.each(ASKED)('cohorts, ARPU and simple LTV, $start to $end (D47 to D51)', async (asked) => {
      const expected = [...cohortAnswers(oracle, asked), ...ltvAnswers(oracle, asked)]
      expect((await wrongAnswers(engine, askedOf(expected, asked))).join('\n\n'), `seed ${seed}`).toBe('')
    })
  })
})

import { beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { NOW, realRates, realTables } from '../support/data/recorded/recorded-tables.ts'
import { recordedTenants, shiftOf } from '../support/data/recorded/recorded-tenants.ts'
import { oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { recordedReasons } from '../support/oracles/cohort-loops.ts'
import { cohortAnswers, ltvAnswers, type Oracle, ratioAnswers, tableAnswers } from '../support/oracles/fold/expected-answers.ts'
import { foldReal, ofTenant } from '../support/oracles/fold/fold-recorded.ts'
import { ledgerOf } from '../support/oracles/fold/ledger-figures.ts'
import { wrongAnswers } from '../support/oracles/fold/wrong-answers.ts'
import { slicer } from '../support/oracles/slice-loops.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

const MONTHS = { start: '2024-11-20', end: '2026-11-20', granularity: 'month' } as const
const RANGES = {
  alpha: [
    { start: '2025-03-15', end: '2025-08-20' },
    { start: '2026-11-03', end: '2026-11-30' },
  ],
  beta: [{ start: '2025-02-01', end: '2026-11-21' }],
}

oneEngineInRotation('churn, retention and ltv compared with plain loops on the recorded tenants', (target) => {
  const engines = new Map<string, Engine>()
  beforeAll(async () => {
    const database = await sharedReal(target)
    for (const tenant of recordedTenants(target)) engines.set(tenant, await engineOver(database, { tenant: [tenant] }))
  })

  describe.each(recordedTenants(target))('%s', (tenant) => {
    const reasons = recordedReasons()
    const oracle: Oracle = {
      ledger: ledgerOf(ofTenant(foldReal(), tenant), NOW),
      sliceOf: slicer(realTables),
      rates: realRates,
      reasonOf: ({ account }, at) => reasons.get(`${account['external_key']} ${at}`) ?? null,
    }
    // Questions that one range or tenant leaves out go to the next one.
    const first = shiftOf(target, tenant)
    const engine = (): Engine => {
      const found = engines.get(tenant)
      if (found === undefined) throw new Error(`no engine for ${tenant}`)
      return found
    }

    it('ratios of each month and of other ranges, by plan, country, currency and interval (D41 to D45, D61)', async () => {
      for (const [shift, asked] of [MONTHS, ...RANGES[tenant]].entries())
        expect(
          (await wrongAnswers(engine(), sampleOf(target, ratioAnswers(oracle, asked), { shift: shift + first }))).join('\n\n'),
        ).toBe('')
    })

    it('customers and revenue events, in order (D42, D44, D46)', async () => {
      for (const [shift, asked] of [{ start: MONTHS.start, end: MONTHS.end }, ...RANGES[tenant]].entries()) {
        for (const { metric, params, answer } of sampleOf(target, tableAnswers(oracle, asked), { shift: shift + first }))
          expect((await engine().query(metric, params)).data, JSON.stringify(params)).toEqual(answer)
      }
    })

    it('cohorts by activity and by payment (D47, D48, D51)', async () => {
      for (const [shift, asked] of [{ start: MONTHS.start, end: MONTHS.end }, ...RANGES[tenant]].entries())
        expect(
          (await wrongAnswers(engine(), sampleOf(target, cohortAnswers(oracle, asked), { shift: shift + first }))).join('\n\n'),
        ).toBe('')
    })

    it('ARPU and simple LTV (D49, D50)', async () => {
      const { granularity: _, ...whole } = MONTHS
      for (const [shift, asked] of [MONTHS, whole, ...RANGES[tenant]].entries())
        expect(
          (await wrongAnswers(engine(), sampleOf(target, ltvAnswers(oracle, asked), { shift: shift + first }))).join('\n\n'),
        ).toBe('')
    })
  })
})

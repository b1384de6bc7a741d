import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Store } from '../../src/ports/store.ts'
import { readExample } from '../support/data/example-tables.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

const RATES = join(packageRoot(), 'fixtures', 'killbill', 'worked-example', 'fx.csv')

firstEngineAndOneOther('forecast figures of the summary of the worked example (D80)', (target) => {
  let database: TestDatabase
  let store: Store
  beforeAll(async () => {
    store = await ratesOnly(readFileSync(RATES, 'utf8'))
    database = (await fillDatabase(target, readExample('worked-example').given)).database
  })
  const summaryAt = async (now: string, params: object = {}) =>
    (await engineOver(database, { now: new Date(now), store })).summary({ ...params })
  const figuresAt = async (now: string, params: object = {}) => {
    const { data } = await summaryAt(now, { forecast: 'true', ...params })
    const { mrr, mrr_in_trial, mrr_scheduled_to_cancel } = data as Record<string, unknown>
    return { mrr, mrr_in_trial, mrr_scheduled_to_cancel }
  }

  it('counts a trial at the price of its next phase, and what is cancelled but has not ended', async () => {
    // S2 is in its trial until 24 January: 29.00 a month then. S1 83.33 and S5 10.00 are active.
    expect(await figuresAt('2025-01-12T00:00:00Z')).toEqual({ mrr: 9333, mrr_in_trial: 2900, mrr_scheduled_to_cancel: 0 })
    // S2 is cancelled for the 24th.
    expect(await figuresAt('2025-05-05T00:00:00Z')).toEqual({ mrr: 37333, mrr_in_trial: 0, mrr_scheduled_to_cancel: 7900 })
    // S6 is cancelled on 12 April for the 20th; a day before nobody knew it.
    expect(await figuresAt('2025-04-13T00:00:00Z')).toMatchObject({ mrr_scheduled_to_cancel: 5000 })
    expect(await figuresAt('2025-04-11T13:00:00Z')).toMatchObject({ mrr_scheduled_to_cancel: 0 })
    expect(await figuresAt('2025-06-05T00:00:00Z')).toEqual({ mrr: 33433, mrr_in_trial: 0, mrr_scheduled_to_cancel: 0 })
  })

  it('counts the customers of the filter', async () => {
    const engine = await engineOver(database, { now: new Date('2025-05-05T00:00:00Z'), store })
    const of = async (name: string) => {
      const { data } = await engine.summary({ forecast: 'true' }, { filters: { customer_name: name } })
      return (data as Record<string, unknown>)['mrr_scheduled_to_cancel']
    }
    expect([await of('Customer B'), await of('Customer A')]).toEqual([7900, 0])
  })

  it('leaves the other figures as they are, and names what it assumes', async () => {
    const now = '2025-01-12T00:00:00Z'
    const [plain, ahead] = [await summaryAt(now), await summaryAt(now, { forecast: 'true' })]
    const { mrr_in_trial: _, mrr_scheduled_to_cancel: __, ...others } = ahead.data as Record<string, unknown>
    expect(others).toEqual(plain.data)
    expect(plain.meta.warnings).toEqual([])
    expect(ahead.meta.warnings).toMatchObject([{ code: 'forecast' }])
    expect(ahead.columns.slice(18, 20)).toEqual(['mrr_in_trial', 'mrr_scheduled_to_cancel'])
  })
})

import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { GENERATED_RATES, generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { foldTables } from '../support/oracles/fold/fold-tables.ts'
import { slicer, sumsBy } from '../support/oracles/slice-loops.ts'
import { begunIn, countsOf, type SlicedTrial, trialsOf } from '../support/oracles/trial-loops.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

type Row = Readonly<Record<string, string | number | null>>

const SEED = 815
const NOWS = ['2024-05-20', '2025-01-15'] as const
const [START, END] = ['2024-03-16', '2025-12-31']

oneEngineInRotation(`trials compared with the fold on a generated history, seed ${SEED}`, (target) => {
  const known = new Map<string, { engine: Engine; trials: readonly SlicedTrial[] }>()
  let groupOf: ReturnType<typeof slicer>
  beforeAll(async () => {
    const { database, tables } = await fillDatabase(target, generatedHistory(SEED, 40))
    groupOf = slicer(tables)
    for (const now of NOWS) {
      const store = await ratesOnly(RATES_CSV)
      const engine = await engineOver(database, { tenant: ['all'], now: new Date(`${now}T00:00:00Z`), store })
      const folded = foldTables(tables, { now: `${now} 00:00:00`, base_currency: 'USD', rates: GENERATED_RATES })
      known.set(now, { engine, trials: trialsOf(folded) })
    }
  })

  it.each(NOWS)('every dimension groups as plain loops do, as of %s (D56 to D58, D61)', async (now) => {
    const { engine, trials = [] } = known.get(now) ?? {}
    if (engine === undefined) throw new Error('no engine')
    expect(trials.length).toBeGreaterThan(15)
    expect(new Set(trials.map((trial) => countsOf(trial).join()))).toEqual(new Set(['1,0,0', '1,1,0', '1,0,1']))
    const { dimensions: all } = (await engine.fields('trials')).data
    // Only the time to convert has its days.
    const dimensions = all.filter(({ key }) => key !== 'days_to_convert')
    // A transferred trial may have begun later than now.
    const inRange = begunIn(trials, START, END).filter(({ started_at }) => started_at <= `${now} 00:00:00`)
    // Of two days each leaves other dimensions out.
    for (const { key } of sampleOf(target, dimensions, { first: 3, shift: NOWS.indexOf(now) })) {
      const { data } = await engine.query('trials', { query_type: 'series', start: START, end: END }, { dimensions: [key] })
      const found = (data as Row[]).filter((row) => row['started'] !== 0)
      const cells = found.map((row) => [
        JSON.stringify([row['period'], row[key]]),
        [row['started'], row['converted'], row['expired']],
      ])
      const wanted = sumsBy(inRange, (trial) => [`${trial.started_at.slice(0, 7)}-01`, groupOf(key, trial)], countsOf)
      expect(Object.fromEntries(cells), key).toEqual(Object.fromEntries(wanted))
    }
  })
})

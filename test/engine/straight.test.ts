import { expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import type { Executor, TableSizes } from '../../src/ports/executor.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { countedCache } from '../support/product/counted-cache.ts'
import { type EngineOptions, engineOver } from '../support/product/recorded-engine.ts'

const statementLimits = { statement_timeout_ms: 30_000, session_memory_mb: 128 }
const HUGE: TableSizes = { rows: 40_000_000, bytes: 11 * 2 ** 30, memory_bytes: 2 ** 27 }

oneEngineInRotation(
  'a database too large for its time limit',
  (target) => {
    const withEngine = async (options: EngineOptions, work: (engine: Engine) => Promise<void>, sizes = HUGE) => {
      const database = await sharedReal(target)
      const wrapExecutor = (real: Executor): Executor => ({ ...real, tableSizes: async () => sizes })
      const engine = await engineOver(database, { tenant: ['beta'], statementLimits, wrapExecutor, ...options })
      try {
        await work(engine)
      } finally {
        await engine.close()
        await database.drop()
      }
    }
    const filled: EngineOptions['cache'] = (executor, connector, definitions, clock) =>
      countedCache(executor, connector, { clock, definitions })
    const toldBy = async (engine: Engine, metric: string) => {
      const told: string[] = []
      await engine.query(metric, {}, {}, { onStraight: (text) => told.push(text) })
      return told
    }
    const findingOf = async (engine: Engine) =>
      (await engine.check({ isQuick: true })).filter(({ name }) => name === 'straight_answers')

    it('is a warning of the check that names what to set', () =>
      withEngine({}, async (engine) => {
        expect(await findingOf(engine)).toMatchObject([
          { level: 'warning', message: expect.stringContaining('limits.statement_timeout_ms (now 30000)') },
        ])
      }))

    it('keeps a service from reading it for slow checks', () =>
      withEngine({}, async (engine) => {
        const { findings } = await engine.checks()
        const skipped = findings.filter(({ message }) => message.startsWith('not checked in a service'))
        expect(skipped.map(({ name }) => name)).toEqual(['mrr_amounts', 'not_invoiced', 'usage_not_invoiced'])
        // A command checks them.
        expect(await engine.check()).toContainEqual(expect.objectContaining({ name: 'not_invoiced', level: 'warning' }))
      }))

    it('is no warning if a cache answers', () =>
      withEngine({ cache: filled }, async (engine) => {
        expect(await findingOf(engine)).toMatchObject([{ level: 'ok', message: expect.not.stringContaining('cache.mode') }])
      }))

    it('is told once before a level is read, and not by questions without one', () =>
      withEngine({}, async (engine) => {
        expect(await toldBy(engine, 'summary')).toEqual([expect.stringContaining('40.0 million rows (11.0 GB)')])
        expect(await toldBy(engine, 'mrr')).toHaveLength(1)
        const told: string[] = []
        await engine.list('invoices', { limit: 1 }, {}, { onStraight: (text) => told.push(text) })
        expect(told).toEqual([])
      }))

    it('is not told with an answer of the cache', () =>
      withEngine({ cache: filled }, async (engine) => {
        expect(await toldBy(engine, 'mrr')).toEqual([])
      }))

    it('is neither told nor found if the tables are small', () =>
      withEngine(
        {},
        async (engine) => {
          expect(await toldBy(engine, 'mrr')).toEqual([])
          expect(await findingOf(engine)).toEqual([])
        },
        { rows: 2_000, bytes: 2 ** 20, memory_bytes: 2 ** 27 },
      ))
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

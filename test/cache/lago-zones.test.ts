import { expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { fillLago, generatedLago } from '../support/data/lago/generated/generated-lago.ts'
import { describeTargets } from '../support/databases/targets.ts'
import { lagoEngine } from '../support/product/lago-engine.ts'

const UNKNOWN = 'Eastern Time (US & Canada)'
const MESSAGE = `Days of customers in unknown time zones are days in UTC: "${UNKNOWN}".`
const WARNING = { code: 'unknown_time_zone', message: MESSAGE, count: 1 }

const RANGE = { range: 'last-12-months' }

type Answered = Awaited<ReturnType<Engine['summary']>>

const QUESTIONS: Readonly<Record<string, (engine: Engine) => Promise<Answered>>> = {
  summary: (engine) => engine.summary({}),
  mrr: (engine) => engine.query('mrr', {}),
  churn: (engine) => engine.query('churn', { query_type: 'logo', ...RANGE }),
  'churn by reason': (engine) => engine.query('churn', { query_type: 'logo', ...RANGE }, { dimensions: ['cancel_reason'] }),
  usage: (engine) => engine.query('usage_revenue', RANGE),
  subscriptions: (engine) => engine.list('subscriptions', { limit: '1000' }),
  customers: (engine) => engine.list('customers', { limit: '1000' }),
}

describeTargets(
  'customers of Lago in an unknown time zone',
  (target) => {
    it('are named by the check, and by the same answers with and without a cache', async () => {
      const history = generatedLago({ seed: 7, customers: 12, calls: 10 })
      const database = await target.createDatabase()
      await fillLago(database, history)
      const options = { organization: ['all'], now: new Date(history.end) }
      const asked = async (engine: Engine) => {
        const answers: Record<string, unknown> = {}
        for (const [name, ask] of Object.entries(QUESTIONS)) {
          const { data, meta } = await ask(engine)
          answers[name] = { data, warnings: meta.warnings.filter(({ code }) => code === WARNING.code) }
        }
        return answers
      }
      const known = await lagoEngine(database, options)
      expect(await known.check()).toContainEqual({
        name: 'time_zones',
        level: 'ok',
        message: 'all time zones of customers are known',
      })
      await known.close()

      await database.adminQuery(
        `update customers set timezone = '${UNKNOWN}' where id in (select customer_id from subscriptions where started_at is not null)`,
      )
      const direct = await lagoEngine(database, options)
      const answers = await asked(direct)
      expect(answers['mrr']).toMatchObject({ warnings: [WARNING] })
      expect(answers['customers']).toMatchObject({ data: { total: expect.any(Number) } })
      expect(await direct.check()).toContainEqual({ name: 'time_zones', level: 'warning', message: MESSAGE })
      await direct.close()
      const cached = await lagoEngine(database, { ...options, onCache: () => {} })
      expect(await asked(cached)).toEqual(answers)
      await cached.close()
    }, 300_000)
  },
  { only: ['postgres'] },
)

import { beforeAll, expect, it } from 'vitest'
import { createQueryRunner } from '../../src/connector-kit/query-runner.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import { fillToy, toyId } from '../support/data/toy-data.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { NONE_HELD } from '../support/product/held-rows.ts'
import { createToyConnector } from '../support/product/toy-connector/index.ts'
import { toyMirror } from '../support/product/toy-connector/mirror.ts'

const DEFINITIONS = definitionsSchema.parse({ base_currency: 'USD' })

describeTargets(
  'a mirror of an engine without a log of changes',
  (target) => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await target.createDatabase()
      await fillToy(database)
    })

    const { open } = createToyConnector()
    /** Each look is that of a new process. */
    const look = async (marks: unknown, definitions = DEFINITIONS) => {
      const request = { now: new Date('2025-06-01T00:00:00Z'), definitions }
      const {
        extent,
        customers,
        marks: now,
      } = await database.executor().withSnapshot((snapshot) => toyMirror(open).look(snapshot, request, marks, NONE_HELD))
      return { extent, customers, marks: JSON.parse(JSON.stringify(now)) as unknown }
    }

    it('is filled again when a row changes, and not before', async () => {
      const first = await look(undefined)
      expect(first.extent).toBe('refill')
      expect((await look(first.marks)).extent).toBe('none')
      const where = `where subscription_id = '${toyId('S2')}' and status = 'trialing'`
      await database.adminQuery(`update toy_change set seats = 2 ${where}`)
      const second = await look(first.marks)
      expect(second.extent).toBe('refill')
      // The rows were not stored: the old marks say so again.
      expect((await look(first.marks)).extent).toBe('refill')
      expect((await look(second.marks)).extent).toBe('none')
      await database.adminQuery(`update toy_change set seats = 1 ${where}`)
      expect((await look(second.marks)).extent).toBe('refill')
      expect((await look(first.marks)).extent).toBe('none')
    })

    it('is filled again for other definitions and another session', async () => {
      const { marks } = await look(undefined)
      expect((await look(marks, { ...DEFINITIONS, test_accounts: 'include' })).extent).toBe('refill')
      const renamed = toyMirror(async (snapshot, request) => {
        const session = await open(snapshot, request)
        return { ...session, sources: session.sources.map((source) => ({ ...source, name: 'Another shop' })) }
      })
      const request = { now: new Date('2025-06-01T00:00:00Z'), definitions: DEFINITIONS }
      const { extent } = await database.executor().withSnapshot((snapshot) => renamed.look(snapshot, request, marks, NONE_HELD))
      expect(extent).toBe('refill')
    })

    it('copies the rows of all customers, or of those named', async () => {
      const counts = async (keys: readonly string[] | null) =>
        database.executor().withSnapshot(async (snapshot) => {
          const session = await open(snapshot, { now: new Date('2025-06-01T00:00:00Z'), definitions: DEFINITIONS })
          const run = createQueryRunner(snapshot)
          const found: number[] = []
          for (const table of toyMirror(open).tables(session)) {
            const rows = await run(table.name, table.select(keys === null ? 'all' : { keys }))
            expect(Object.keys(rows[0] ?? {})).toEqual(table.columns.map(({ name }) => name))
            found.push(rows.length)
          }
          return found
        })
      const [all, some] = [await counts(null), await counts([toyId('B'), toyId('F')])]
      expect(all.slice(0, 2)).toEqual([7, 16])
      expect(some.slice(0, 2)).toEqual([2, 9])
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

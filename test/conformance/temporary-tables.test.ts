import { beforeAll, expect, it } from 'vitest'
import type { Statement } from '../../src/compiler/statement.ts'
import { integerCell } from '../../src/ports/cells.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { isInTurn } from '../support/databases/rotation.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { OF_THE_STORE } from '../support/product/billing-metrics.ts'
import { offeredRequests } from '../support/product/offered-requests.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

const ON_DISK = {
  text: "select variable_value as n from information_schema.session_status where variable_name = 'CREATED_TMP_DISK_TABLES'",
  values: [],
  label: 'status',
}

/** Statements that read the server's own schema, which is made of such text. */
const COLUMNS = ['killbill.columns mysql', 'killbill.unchanged.0 mysql']

// Text of unknown length puts a temporary table on disk however small it is, which costs more than its rows.
describeTargets(
  'temporary tables',
  (target) => {
    let database: TestDatabase

    beforeAll(async () => {
      database = await sharedReal(target)
    })

    it('stay in memory for every query of every metric, with and without dimensions', async () => {
      const onDisk: string[] = []
      const counting = (executor: Executor): Executor => ({
        ...executor,
        withSnapshot: (work, options) =>
          executor.withSnapshot((snapshot) => {
            const count = async () => integerCell((await snapshot.query(ON_DISK))[0] ?? {}, 'n')
            const query = async (statement: Statement) => {
              const before = await count()
              const rows = await snapshot.query(statement)
              const made = (await count()) - before
              if (made > 0) onDisk.push(statement.label)
              return rows
            }
            return work({ ...snapshot, query })
          }, options),
      })
      // The small tenant shows as much, as no number of rows decides it.
      const engine = await engineOver(database, { tenant: ['beta'], wrapExecutor: counting })
      const offered = (await offeredRequests(engine)).filter(({ metric }) => metric !== OF_THE_STORE)
      const plain = offered.filter(({ name }) => name.endsWith(' plain'))
      const grouped = offered.filter(({ spec }) => spec['dimensions'] !== undefined)
      // Of the few dimensions at a time every fifth few, other ones for each query.
      const asked = [
        ...plain,
        ...plain.flatMap(({ metric, params: { query_type } }, query) =>
          grouped
            .filter((one) => one.metric === metric && one.params['query_type'] === query_type)
            .filter((_, index, { length }) => isInTurn(index + query, Math.min(length, 5))),
        ),
      ]
      for (const { metric, params, spec } of asked) await engine.query(metric, params, spec)
      expect(asked.length).toBeGreaterThan(plain.length)
      // That it is found there shows that such tables are counted.
      expect(onDisk).toEqual(expect.arrayContaining(COLUMNS))
      expect(onDisk.filter((label) => !COLUMNS.includes(label))).toEqual([])
      await engine.close()
    })
  },
  { only: ['mariadb'] },
)

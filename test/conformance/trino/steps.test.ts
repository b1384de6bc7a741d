import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { createKillbillConnector } from '../../../connectors/killbill/index.ts'
import { mirrorCatalogs } from '../../../src/cache/held/catalogs.ts'
import { castsOf, heldTables } from '../../../src/cache/held/held-tables.ts'
import { inlineTable, type Plan, stepsOf, stepTable } from '../../../src/cache/held/steps.ts'
import { loadCatalog } from '../../../src/compiler/catalog.ts'
import { trino } from '../../../src/compiler/dialects/trino.ts'
import { ident, sql } from '../../../src/compiler/fragment.ts'
import { literalText } from '../../../src/compiler/literal.ts'
import { completeSession } from '../../../src/connector-kit/complete-session.ts'
import { statementOf } from '../../../src/connector-kit/query-runner.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import { sqlNow } from '../../../src/core/periods.ts'
import { MOST_STAGES as SESSION_STAGES } from '../../../src/databases/trino/session.ts'
import type { ConnectorSession } from '../../../src/ports/session.ts'
import { RELATION_CONTRACTS } from '../../../src/relations/contracts.ts'
import { inlineColumns } from '../../../src/relations/define-relation.ts'
import { everyMetric } from '../../parity/every-metric.ts'
import { sharedReal } from '../../support/data/killbill/recorded-database.ts'
import { isInTurn } from '../../support/databases/rotation.ts'
import { describeTrino } from '../../support/databases/servers/shared-trino.ts'
import { queryTrino, trinoExecutor } from '../../support/databases/servers/trino-client.ts'
import { engines, type TestDatabase } from '../../support/databases/targets.ts'
import { compiledOnly } from '../../support/product/compiled-only.ts'
import { DEFINITIONS, heldDifferences, linesOf, soakedCache } from '../../support/product/held-rows.ts'
import { END_OF_RECORDING, engineOver, killbillCatalog } from '../../support/product/recorded-engine.ts'
import { copyRecording, createTrinoTable } from '../../support/product/trino-tables.ts'

const connector = createKillbillConnector({ tenant: ['all'], catalog: [] })
const HELD = heldTables(connector, killbillCatalog(), { keyType: 'integer' }, 'trino')
const KEPT = ['customer_link', 'change_instant']
const NOW = sqlNow(END_OF_RECORDING)
/**
 * A publication keeps to two thirds of what a server takes with its usual settings. An answer straight from copied tables plans a relation again for each
 * place that reads it: 795 stages, for the summary, are the most. Beyond the limit of the session, it would be refused.
 */
const MOST_STAGES = { 'held tables': 100, 'copied tables': SESSION_STAGES } as const
const MOST_CHARACTERS = 900_000

// biome-ignore lint/style/noProcessEnv: a switch of the run. Planning straight answers takes Trino a quarter of an hour.
const isRelease = process.env['TEST_RELEASE'] !== undefined

/** Held tables have the name that the metrics read, other steps their own. */
const tableOf = (table: string) => HELD.find(({ relation }) => stepTable(relation) === table)?.table ?? table

describeTrino('the recording', (server) => {
  const schema = `pl_${randomBytes(6).toString('hex')}`
  let database: TestDatabase
  let session: ConnectorSession
  let run: (text: string) => ReturnType<typeof queryTrino>
  beforeAll(async () => {
    const trinoServer = await server()
    run = (text) => queryTrino(trinoServer, schema, text)
    await run(`create schema lake.${schema}`)
    const executor = trinoExecutor(trinoServer, schema)
    await copyRecording(executor)
    const [engine] = engines()
    if (engine === undefined) throw new Error('no engine')
    database = await sharedReal(engine)
    const request = { now: END_OF_RECORDING, definitions: DEFINITIONS }
    session = await database.executor().withSnapshot((snapshot) => connector.open(snapshot, request))
    const plan = planOf(session)
    for (const relation of plan.inline)
      await createTrinoTable(executor, inlineTable(relation.name), relation.columns, relation.rows)
    for (const step of plan.steps) await run(createText(step))
  })

  it('has the same held rows as the mirror', async () => {
    const { held } = soakedCache(database.executor(), 'trino', null)
    const mirror = await held({ now: NOW, seconds: 0 })
    const plans = session.inline.get('plan')
    const tables: Record<string, readonly string[]> = {}
    for (const { relation, table, columns } of HELD)
      tables[relation] = (await run(`select * from ${table}`)).map(linesOf(columns, plans)).sort()
    const ofMirror = Object.fromEntries(HELD.map(({ relation }) => [relation, mirror.tables[relation] ?? []]))
    expect(heldDifferences(['mirror', ofMirror], ['Trino', tables])).toBeUndefined()
    expect(Object.values(tables).flat().length).toBeGreaterThan(10_000)
  })

  it.each(isRelease ? (['held tables', 'copied tables'] as const) : (['held tables'] as const))(
    'answers every question from %s by statements that Trino takes',
    async (from) => {
      const statements = new Map<string, string>()
      const own = mirrorCatalogs(
        (tables) => loadCatalog({ sql: join(packageRoot(), 'sql'), relations: [], tables }),
        () => HELD,
        DEFINITIONS,
        'trino',
      )
      const engine = await engineOver(database, {
        tenant: ['all'],
        cache: () =>
          compiledOnly(session, from === 'held tables' ? own.of : killbillCatalog, trino, (statement) => {
            statements.set(literalText(statement, 'trino'), statement.label)
          }),
      })
      for (const more of MORE)
        for (const question of everyMetric({ start: '2025-11-21', end: '2026-11-20' }, more))
          await question.ask(engine).catch((error: unknown) => {
            if (Object.keys(more).length === 0) throw error
          })
      const texts = [...statements.keys()]
      expect(texts.filter((text) => text.length > MOST_CHARACTERS)).toEqual([])
      const isNew = firstOf(texts.map((text) => statements.get(text) ?? ''))
      const failures: string[] = []
      for (const [index, text] of texts.entries()) {
        if (!isNew[index] && !isInTurn(index, from === 'held tables' ? 7 : 40)) continue
        const label = statements.get(text)
        const found = await run(`explain (type distributed) ${text}`).catch((error: unknown) => String(error))
        if (typeof found === 'string') failures.push(`${label}: ${found.slice(0, 300)}`)
        else {
          const stages = String(Object.values(found[0] ?? {})[0]).match(/^Fragment \d+/gm)?.length ?? 0
          if (stages === 0 || stages > MOST_STAGES[from]) failures.push(`${label}: ${stages} stages`)
        }
      }
      expect(failures).toEqual([])
    },
    1_800_000,
  )
})

const MORE: readonly Readonly<Record<string, string>>[] = [
  {},
  { dimensions: 'currency' },
  { dimensions: 'plan_id' },
  { dimensions: 'customer_country' },
  { filter: 'currency=EUR' },
  { definitions: 'customer-grain' },
  { definitions: 'constant-currency' },
  { definitions: 'killbill-analytics' },
]

/** Whether each name is the first of its kind. */
function firstOf(names: readonly string[]): readonly boolean[] {
  return names.map((name, index) => names.indexOf(name) === index)
}

function planOf(opened: ConnectorSession): Plan {
  const session = completeSession(opened, connector, { ...DEFINITIONS, swap_window: 0 })
  const names = HELD.map(({ relation }) => relation)
  const params = { ...session.params, ...session.paramsFor?.([...KEPT, ...names]), now: NOW, until: NOW }
  const placed = (table: string) => ident(tableOf(table))
  return stepsOf(names, KEPT, { catalog: killbillCatalog(), session, dialect: trino, params, placed })
}

/** Creates the table of a step, with the types of its contract. A column that is always null would have none. */
function createText({ relation, rows }: Plan['steps'][number]): string {
  const contract = RELATION_CONTRACTS.find(({ name }) => name === relation)
  const cells = contract === undefined ? sql`*` : castsOf(inlineColumns(contract, 'integer'), trino)
  const head = statementOf(sql`create table ${ident(tableOf(stepTable(relation)))} as select ${cells} from`, trino, 'step')
  return `${head.text} (\n${literalText(rows, 'trino')}\n)`
}

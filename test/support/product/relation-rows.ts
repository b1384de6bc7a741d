import { join } from 'node:path'
import { createKillbillConnector } from '../../../connectors/killbill/index.ts'
import { loadCatalog } from '../../../src/compiler/catalog.ts'
import { compileFragment } from '../../../src/compiler/compile.ts'
import { relation, sql } from '../../../src/compiler/fragment.ts'
import { completeSession } from '../../../src/connector-kit/complete-session.ts'
import type { DatabaseConnector } from '../../../src/connector-kit/connector.ts'
import type { FxRate } from '../../../src/core/currency.ts'
import { type Definitions, definitionsSchema } from '../../../src/core/definitions.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import { sqlNow } from '../../../src/core/periods.ts'
import type { Row } from '../../../src/ports/rows.ts'
import { ratesByDay } from '../../../src/query/fx-rates.ts'
import type { TestDatabase } from '../databases/test-database.ts'

export interface RelationRequest {
  readonly now: Date
  readonly tenant: readonly string[]
  readonly rates: readonly FxRate[]
  readonly definitions?: Partial<Definitions>
  /** The schema of the tables, if it is not the default one. */
  readonly schema?: string
  /** Parameters of the statement that differ from the session's. */
  readonly params?: Readonly<Record<string, boolean>>
}

/** All rows of relations as SQL computes them, in base USD, over all time. */
export async function relationRows<Name extends string>(
  database: TestDatabase,
  names: readonly Name[],
  request: RelationRequest,
): Promise<Record<Name, readonly Row[]>> {
  return connectorRows(createKillbillConnector({ tenant: request.tenant, catalog: [] }), database, names, request)
}

/** The same of any connector. */
export async function connectorRows<Name extends string>(
  connector: DatabaseConnector,
  database: TestDatabase,
  names: readonly Name[],
  request: Omit<RelationRequest, 'tenant'>,
): Promise<Record<Name, readonly Row[]>> {
  const catalog = loadCatalog({ sql: join(packageRoot(), 'sql'), relations: [connector.relationsDirectory] })
  const definitions = definitionsSchema.parse({ base_currency: 'USD', ...request.definitions })
  const settings = { statementTimeoutMs: 300_000, ...(request.schema !== undefined && { schema: request.schema }) }
  return database.executor(settings).withSnapshot(async (snapshot) => {
    const opened = await connector.open(snapshot, { now: request.now, definitions })
    const session = completeSession(opened, connector, definitions)
    const currencies = session.currencies.filter((currency) => currency !== 'USD')
    const fxRate = ratesByDay([...request.rates], { base: 'USD', currencies, through: request.now })
    const rows: [Name, readonly Row[]][] = []
    for (const name of names) {
      const statement = compileFragment({
        fragment: sql`select r.* from ${relation(name)} as r`,
        catalog,
        inline: new Map([...session.inline, ['fx_rate', fxRate]]),
        aliases: session.aliases,
        params: {
          ...session.params,
          until: sqlNow(request.now),
          base_currency: 'USD',
          window_start: new Date('1000-01-01T00:00:00Z'),
          window_end: new Date('9999-12-30T00:00:00Z'),
          range_start: new Date('1000-01-01T00:00:00Z'),
          range_end: new Date('9999-12-30T00:00:00Z'),
          ...request.params,
        },
        dialect: snapshot.dialect,
        label: `test ${name}`,
      })
      rows.push([name, await snapshot.query(statement)])
    }
    return Object.fromEntries(rows) as Record<Name, readonly Row[]>
  })
}

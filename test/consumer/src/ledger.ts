import {
  ConfigurationError,
  type ConnectorDefinition,
  createQueryRunner,
  type DatabaseConnector,
  defineConnector,
  type InlineRelation,
  inlineColumns,
  parseInteger,
  plainSession,
  RELATION_CONTRACTS,
  sql,
} from 'plumbline/connector-kit'
import * as z from 'zod'

type Cells = Readonly<Record<string, string | number | boolean | null>>

/** Rows of a canonical relation with every column of its contract; what a row does not say is null. */
function relationOf(name: string, rows: readonly Cells[]): InlineRelation {
  const contract = RELATION_CONTRACTS.find((candidate) => candidate.name === name)
  if (contract === undefined) throw new ConfigurationError([`there is no relation ${name}`])
  return {
    name,
    columns: inlineColumns(contract, 'integer'),
    rows: rows.map((row) => contract.columns.map((column) => row[column.name] ?? null)),
  }
}

/** A billing engine that knows its customers only; the configuration says where it keeps them. */
function createLedgerConnector(relationsDirectory: string, customers: readonly Cells[], books: string): DatabaseConnector {
  return {
    type: 'ledger',
    relationsDirectory,
    capabilities: { customer: 'exact' },
    open: async (snapshot) => {
      const [row] = await createQueryRunner(snapshot)('ledger sources', sql`select 1 as source_count`)
      const sources = Array.from({ length: parseInteger(row?.['source_count']) }, () => ({
        source_id: books,
        external_key: null,
        name: books,
      }))
      const inline = new Map([['customer', relationOf('customer', customers)]])
      return { ...plainSession({ sources, currencies: ['USD'] }), inline }
    },
  }
}

/** The same as a configuration names it. */
export function ledger(relationsDirectory: string, customers: readonly Cells[]): ConnectorDefinition {
  return defineConnector({
    type: 'ledger',
    settings: z.object({ books: z.string().min(1).describe('Name of the books') }),
    create: ({ books }) => createLedgerConnector(relationsDirectory, customers, books),
  })
}

/** The kit has types too. */
export const MISSTATED: Pick<DatabaseConnector, 'capabilities'> = {
  // @ts-expect-error A relation is exact, inferred or absent.
  capabilities: { customer: 'perhaps' },
}

import {
  type ConnectorSession,
  customersIn,
  type DatabaseConnector,
  fn,
  ident,
  join,
  type MirrorSource,
  type RawTable,
  type RawType,
  sql,
  stampedLook,
  stampOfTables,
} from '../../../../src/connector-kit/index.ts'

/** The tables of the engine, each with the column that holds the customer. */
const TABLES: readonly {
  readonly name: string
  readonly customer: string
  readonly columns: Readonly<Record<string, RawType>>
}[] = [
  {
    name: 'toy_customer',
    customer: 'id',
    columns: {
      id: 'text',
      name: 'text',
      email: 'text',
      currency: 'text',
      country: 'text',
      sector: 'text',
      pays_by_hand: 'boolean',
      is_test: 'boolean',
      created_at: 'timestamp',
    },
  },
  {
    name: 'toy_change',
    customer: 'customer_id',
    columns: {
      subscription_id: 'text',
      changes_at: 'timestamp',
      recorded_at: 'timestamp',
      customer_id: 'text',
      status: 'text',
      plan: 'text',
      unit: 'text',
      price_cents: 'integer',
      seats: 'integer',
      metered: 'integer',
      remark: 'text',
    },
  },
  {
    name: 'toy_item',
    customer: 'customer_id',
    columns: {
      id: 'text',
      invoice_number: 'text',
      customer_id: 'text',
      subscription_id: 'text',
      kind: 'text',
      served_on: 'date',
      invoiced_on: 'date',
      recorded_at: 'timestamp',
      paid_at: 'timestamp',
      amount_cents: 'integer',
    },
  },
]

/** The raw tables of the engine. Its keys are UUIDs, and it has no log of changes. */
export function toyMirror(open: DatabaseConnector['open']): MirrorSource {
  return {
    keyType: 'text',
    tables: toyTables,
    look: stampedLook({ open, stamp: (snapshot, session) => stampOfTables(snapshot, toyTables(session)) }),
  }
}

function toyTables(_: ConnectorSession): readonly RawTable[] {
  return TABLES.map(({ name, customer, columns }) => ({
    name,
    columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
    select(customers) {
      const cells = Object.entries(columns).map(([column, type]) => {
        const cell = sql`t.${ident(column)}`
        return type === 'text' ? sql`${fn('text', cell)} as ${ident(column)}` : cell
      })
      return sql`select ${join(cells, sql`, `)} from ${ident(name)} as t where ${customersIn(fn('text', sql`t.${ident(customer)}`), customers, 'text')}`
    },
  }))
}

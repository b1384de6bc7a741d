import {
  customerTables,
  type DatabaseConnector,
  type MirrorSource,
  type RawType,
  stampedLook,
  stampOfTables,
} from '../../../../src/connector-kit/index.ts'

const texts = (...names: readonly string[]): Readonly<Record<string, RawType>> =>
  Object.fromEntries(names.map((name) => [name, 'text']))

const TABLES = customerTables('text', [
  {
    name: 'toy_customer',
    customer: 'id',
    columns: {
      ...texts('id', 'name', 'email', 'currency', 'country', 'sector'),
      pays_by_hand: 'boolean',
      is_test: 'boolean',
      created_at: 'timestamp',
    },
  },
  {
    name: 'toy_change',
    customer: 'customer_id',
    columns: {
      ...texts('subscription_id', 'customer_id', 'status', 'plan', 'unit', 'currency', 'remark'),
      changes_at: 'timestamp',
      recorded_at: 'timestamp',
      price_cents: 'integer',
      seats: 'integer',
      metered: 'integer',
    },
  },
  {
    name: 'toy_item',
    customer: 'customer_id',
    columns: {
      ...texts('id', 'invoice_number', 'customer_id', 'subscription_id', 'kind', 'currency'),
      served_on: 'date',
      invoiced_on: 'date',
      recorded_at: 'timestamp',
      paid_at: 'timestamp',
      amount_cents: 'integer',
    },
  },
])

/** The mirror of the engine, filled again after each change: the engine has no log of changes. Its keys are UUIDs. */
export function toyMirror(open: DatabaseConnector['open']): MirrorSource {
  return {
    keyType: 'text',
    tables: () => TABLES,
    look: stampedLook({ open, stamp: (snapshot) => stampOfTables(snapshot, TABLES) }),
  }
}

import { join } from 'node:path'
import * as z from 'zod'
import {
  createQueryRunner,
  type DatabaseConnector,
  defineConnector,
  plainSession,
  sql,
  text,
} from '../../../../src/connector-kit/index.ts'
import { toyMirror } from './mirror.ts'

/** Connector to an engine of three tables, on PostgreSQL and MySQL. */
export function createToyConnector(): DatabaseConnector {
  const open: DatabaseConnector['open'] = async (snapshot) => {
    const run = createQueryRunner(snapshot)
    const rows = await run(
      'toy.currencies',
      sql`select currency from toy_change union select currency from toy_item order by currency`,
    )
    return plainSession({
      sources: [{ source_id: 'toy', external_key: null, name: 'Toy shop' }],
      currencies: rows.map((row) => text(row['currency'])),
    })
  }
  return {
    type: 'toy',
    relationsDirectory: join(import.meta.dirname, 'relations'),
    capabilities: {
      customer: 'exact',
      customer_field: 'exact',
      plan: 'exact',
      subscription: 'exact',
      subscription_fact: 'exact',
      usage_charge: 'exact',
      billed_invoice: 'exact',
      invoice_subscription: 'exact',
    },
    open,
    mirror: toyMirror(open),
  }
}

/** The engine as configurations name it: `connector.type = "toy"`. It has no settings. */
export const toy = defineConnector({ type: 'toy', settings: z.object({}), create: createToyConnector })

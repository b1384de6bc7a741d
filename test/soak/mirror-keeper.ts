import { mysql } from '../../src/compiler/dialects/mysql.ts'
import { postgres } from '../../src/compiler/dialects/postgres.ts'
import { trino } from '../../src/compiler/dialects/trino.ts'
import { openExecutor } from '../../src/databases/open.ts'
import { type Held, type Moment, soakedCache } from '../support/product/held-rows.ts'
import { STORED_BILLINGS } from '../support/product/stored-billings.ts'
import { PATIENCE } from './patience.ts'

// Keeps a stored cache for a test that may kill it at any moment. Arguments: address of the database, directory, name, connector.
const [url = '', directory = '', name = '', connector = 'killbill'] = process.argv.slice(2)

/** A request of the parent. Without a moment, the keeper closes the cache and ends. */
export interface KeeperRequest {
  readonly moment?: Moment
}

/** The answer to a request with a moment, or to the start. */
export interface KeeperAnswer {
  readonly held?: Held
  readonly failures?: readonly string[]
  readonly error?: string
}

const executor = openExecutor({ url, dialects: { postgres, mysql, trino }, poolSize: 2 })
const billing = STORED_BILLINGS.find(({ type }) => type === connector)
const kept = soakedCache(executor, name, directory, undefined, { patience: PATIENCE }, billing?.soaked)

process.on('message', ({ moment }: KeeperRequest) => {
  void (moment === undefined ? end() : answer(moment))
})
process.on('disconnect', () => process.exit())
process.send?.({ isLoaded: true })

async function answer(moment: Moment): Promise<void> {
  try {
    const held = await kept.held(moment)
    process.send?.({ held, failures: kept.failures() })
  } catch (error) {
    process.send?.({ error: error instanceof Error ? error.stack : String(error) })
  }
}

async function end(): Promise<void> {
  await kept.cache.close()
  process.disconnect()
}

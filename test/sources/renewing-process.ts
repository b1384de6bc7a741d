import { createPlatform } from '../../connectors/quickbooks/platform.ts'
import { SETTINGS } from '../../connectors/quickbooks/settings.ts'
import { sourceAccess } from '../../src/workspace/expenses/sources/connectors.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { keptIn, type RenewingTask } from './renewing-task.ts'

const READS = 10

// Begins a round at each message, and answers with how many records it has read.
const task: RenewingTask = JSON.parse(process.argv[2] ?? '')
const store = createStore(task.store)
const platform = createPlatform(SETTINGS.parse(task.settings))
const connector = platform.connect(
  sourceAccess(keptIn(store, task.workspace), { id: `quickbooks-${task.realm}`, config: { realm_id: task.realm } }),
)
const read = () =>
  connector.fetchAndTranslate({ entity: 'Vendor', entity_id: '7', operation: 'update' }, new AbortController().signal)
process.on('message', async () => {
  const answers = await Promise.all(Array.from({ length: READS }, read)).catch((error: unknown) => String(error))
  process.send?.(typeof answers === 'string' ? answers : answers.flat().length)
})
process.on('disconnect', () => void store.close().finally(() => process.exit()))
process.send?.('ready')

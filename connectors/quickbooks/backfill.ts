import { AppError, type BackfillPage } from '../../src/connector-kit/index.ts'
import type { Client } from './api/client.ts'
import { entityNamed } from './entities.ts'
import { readPage } from './pages.ts'
import { keptProgress, nextEntity, type Progress } from './progress.ts'
import { recordOf } from './records.ts'
import type { Company } from './translate/document.ts'

/** How often records may vanish under a reading before it is given up. */
const RESTARTS = 20

/** All pages from a progress on. */
export async function* backfillPages(
  client: Client,
  company: Company,
  begun: Progress,
  signal: AbortSignal,
): AsyncGenerator<BackfillPage> {
  let progress = begun
  let restarts = 0
  for (let entity = entityNamed(progress.entity ?? ''); entity !== undefined; entity = entityNamed(progress.entity ?? '')) {
    const page = await readPage(client, entity, progress.position, { since: progress.since, signal })
    const isRestart = page.next !== null && page.next.last === null
    restarts += isRestart ? 1 : 0
    if (restarts > RESTARTS) throw new AppError('connector_unavailable', `Records of QuickBooks vanish while they are read.`)
    progress = page.next === null ? nextEntity(progress) : { ...progress, position: page.next }
    const records = page.natives.map((native) => recordOf(entity, native, company, page.answeredAt))
    yield { records, progress: keptProgress(progress) }
  }
}

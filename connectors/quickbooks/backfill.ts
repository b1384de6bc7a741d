import * as z from 'zod'
import { AppError, type BackfillPage, isDay } from '../../src/connector-kit/index.ts'
import type { Client } from './api/client.ts'
import { ENTITIES, entityNamed } from './entities.ts'
import { type Position, readPage, START } from './pages.ts'
import { recordOf } from './records.ts'
import type { Company } from './translate/document.ts'

/** Most restarts of a backfill. It restarts if records vanish during the reading, and fails after this number. */
const RESTARTS = 20

/** All pages after the progress `begun`. */
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
    if (restarts > RESTARTS)
      throw new AppError(
        'connector_unavailable',
        'QuickBooks returned fewer records on a later page; the import will be tried again.',
      )
    progress = page.next === null ? nextEntity(progress) : { ...progress, position: page.next }
    const records = page.natives.map((native) => recordOf(entity, native, company, page.answeredAt))
    yield { records, progress: keptProgress(progress) }
  }
}

/** The progress of a backfill, in the form that a run stores. */
export interface Progress {
  /** The kind that is being read. Null after the last one. */
  readonly entity: string | null
  readonly position: Position
  /** Documents dated before this day are left out. */
  readonly since: string | undefined
}

const KEPT = z.object({
  entity: z.enum(ENTITIES.map(({ name }) => name)).nullable(),
  read: z.int().min(0),
  last: z.string().nullable(),
  since: z.string().nullable(),
})

/**
 * The progress to continue with. A run without a stored progress starts from the beginning. AppError `invalid_value` if `since`
 * is no day.
 */
export function resumed(kept: Readonly<Record<string, unknown>> | null, since: string | undefined): Progress {
  const parsed = KEPT.safeParse(kept)
  if (parsed.success) {
    const { entity, read, last, since: sinceThen } = parsed.data
    return { entity, position: { read, last }, since: sinceThen ?? undefined }
  }
  if (since !== undefined && !isDay(since)) throw new AppError('invalid_value', 'since must be a day such as 2025-01-31.')
  return { entity: ENTITIES[0]?.name ?? null, position: START, since }
}

/** The progress in the form that a run stores. */
function keptProgress({ entity, position, since }: Progress): Readonly<Record<string, unknown>> {
  return { entity, ...position, since: since ?? null }
}

/** The progress at the beginning of the next kind. */
function nextEntity(progress: Progress): Progress {
  const index = ENTITIES.findIndex(({ name }) => name === progress.entity)
  return { ...progress, entity: ENTITIES[index + 1]?.name ?? null, position: START }
}

import * as z from 'zod'
import { AppError, isDay } from '../../src/connector-kit/index.ts'
import { ENTITIES } from './entities.ts'
import { type Position, START } from './pages.ts'

/** Where a backfill stands, as a run keeps it. */
export interface Progress {
  /** The kind that is read now; null after the last. */
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

/** Where to go on; a run that has kept nothing begins. AppError `invalid_value` where `since` is no day. */
export function resumed(kept: Readonly<Record<string, unknown>> | null, since: string | undefined): Progress {
  const parsed = KEPT.safeParse(kept)
  if (parsed.success) {
    const { entity, read, last, since: sinceThen } = parsed.data
    return { entity, position: { read, last }, since: sinceThen ?? undefined }
  }
  if (since !== undefined && !isDay(since)) throw new AppError('invalid_value', 'since must be a day such as 2025-01-31.')
  return { entity: ENTITIES[0]?.name ?? null, position: START, since }
}

/** The progress as a run keeps it. */
export function keptProgress({ entity, position, since }: Progress): Readonly<Record<string, unknown>> {
  return { entity, ...position, since: since ?? null }
}

/** The progress at the beginning of the next kind. */
export function nextEntity(progress: Progress): Progress {
  const index = ENTITIES.findIndex(({ name }) => name === progress.entity)
  return { ...progress, entity: ENTITIES[index + 1]?.name ?? null, position: START }
}

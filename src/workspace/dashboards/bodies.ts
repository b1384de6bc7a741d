import * as z from 'zod'
import { AppError, errorFromIssues } from '../../core/errors.ts'
import { isObject } from '../../core/json.ts'
import { isRecordId, type SavedChart, type Workspace } from '../../core/workspace.ts'
import type { EngineDependencies } from '../../execution/dependencies.ts'
import { dashboardStore } from '../../execution/session/stores.ts'
import type { DashboardStore } from '../../ports/dashboard-store.ts'
import { bodyIssues, closedBody, refusal, textField } from '../../query/body.ts'

/** Most bytes of a chart's configuration as JSON in UTF-8. */
const MOST_CONFIG_BYTES = 65_536
/** Largest whole number that the column can hold in every database. */
const LAST_POSITION = 2_147_483_647

const name = (field: string) =>
  textField(field, 1, 200).refine((text) => text.trim() === text, `"${field}" must not begin or end with blanks.`)
const DESCRIPTION = textField('description', 0, 10_000).nullable().optional()
const POSITION = z.custom<number>((value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= LAST_POSITION, {
  error: refusal('position', `a whole number from 0 to ${LAST_POSITION}`),
})
const ID = (field: string) => z.string({ error: refusal(field, 'an id') })

// Any object is accepted and stored as sent.
const CONFIG = z
  .custom<SavedChart['config']>((value) => isObject(value) && Buffer.byteLength(JSON.stringify(value)) <= MOST_CONFIG_BYTES, {
    error: `"config" must be an object of at most ${MOST_CONFIG_BYTES} bytes as JSON.`,
    abort: true,
  })
  .refine((value) => !holdsInfinity(value), '"config" has a number that is too large to store.')

/** Bodies of new dashboards, sections, placements and charts, and of changes. */
export const DASHBOARD_BODY = closedBody({ name: name('name'), description: DESCRIPTION })
export const DASHBOARD_CHANGE = closedBody({ name: name('name').optional(), description: DESCRIPTION })
export const SECTION_BODY = closedBody({ title: name('title'), position: POSITION.optional() })
export const SECTION_CHANGE = closedBody({ title: name('title').optional(), position: POSITION.optional() })
export const PLACEMENT_BODY = closedBody({
  saved_chart_id: ID('saved_chart_id'),
  section_id: ID('section_id'),
  position: POSITION.optional(),
})
export const PLACEMENT_CHANGE = closedBody({ section_id: ID('section_id').optional(), position: POSITION.optional() })
export const CHART_BODY = closedBody({ name: name('name'), config: CONFIG })
export const CHART_CHANGE = closedBody({ name: name('name').optional(), config: CONFIG.optional() })

// An infinite number would become null in JSON.
function holdsInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsInfinity)
}

/**
 * Parses a body with the schema. If the body is invalid, `find` runs first, so that an unknown id is reported before the body.
 * AppError `not_found`, `validation_failed`.
 */
export async function bodyFor<T>(schema: z.ZodType<T>, body: unknown, find: () => Promise<unknown>): Promise<T> {
  const issues = bodyIssues(schema, body)
  if (issues.length === 0) return schema.parse(body)
  await find()
  throw errorFromIssues(issues)
}

/** The fields that were sent. */
export function sent<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

/** Access to the dashboards and charts of one user. */
export interface DashboardAccess {
  /** The user's store, once the workspace is known. */
  store(): Promise<DashboardStore>
  now(): string
}

/** Access for one user in `workspace`. `store` rejects with AppError `unsupported_by_connector` if there is no side store. */
export function dashboardAccess(
  deps: Pick<EngineDependencies, 'store' | 'connector' | 'clock' | 'writeClock'>,
  workspace: () => Promise<Workspace>,
  user: string,
): DashboardAccess {
  return {
    store: async () => dashboardStore(deps, user)(await workspace()),
    now: () => (deps.writeClock ?? deps.clock).now().toISOString(),
  }
}

/** Refuses texts that are not ids of records. AppError `not_found`. */
export function checkIds(ids: Readonly<Record<string, string | undefined>>): void {
  for (const [what, id] of Object.entries(ids))
    if (id !== undefined && !isRecordId(id)) throw new AppError('not_found', `No ${what} has this id.`)
}

import * as z from 'zod'
import { AppError, type DeletedRecord, type ExpenseRecord } from '../../src/connector-kit/index.ts'
import type { Entity } from './entities.ts'
import type { Company } from './translate/document.ts'
import { instantOf } from './translate/values.ts'

const IDENTITY = z.object({
  Id: z.string().min(1),
  status: z.string().nullish(),
  MetaData: z.object({ LastUpdatedTime: z.string().nullish() }).nullish(),
})

/** Id of a record in an answer. AppError if it has none. */
export function idOf(native: unknown): string {
  const { data } = IDENTITY.safeParse(native)
  if (data === undefined) throw unreadable('a record without an id')
  return data.Id
}

/** A record of an answer in canonical values, or its deletion. `answeredAt` is used for a deletion without a time. */
export function recordOf(entity: Entity, native: unknown, company: Company, answeredAt: string): ExpenseRecord | DeletedRecord {
  const { data: identity } = IDENTITY.safeParse(native)
  const name = `a ${entity.name} ${identity?.Id ?? 'without an id'}`
  if (identity?.status === 'Deleted') {
    const at = identity.MetaData?.LastUpdatedTime ?? answeredAt
    return { kind: entity.kind, external_id: identity.Id, updated_at: instantOf(at) }
  }
  try {
    return entity.translate(native, company)
  } catch (error) {
    if (error instanceof z.ZodError) throw unreadable(name, error)
    throw error
  }
}

// Only the places are named, never the values, because they are a company's books.
function unreadable(what: string, cause?: z.ZodError): AppError {
  const places = cause?.issues.map(({ path }) => path.join('.')).join(', ')
  const detail = `QuickBooks sent ${what} that cannot be read${places === undefined ? '' : `: ${places}`}.`
  return new AppError('connector_unavailable', detail, { cause })
}

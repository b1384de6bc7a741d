import * as z from 'zod'
import { type Connection, errorFromIssues, type Registration } from '../../src/connector-kit/index.ts'

/** The number of a company, as Intuit writes it. */
const REALM = /^\d{1,32}$/

export function isRealm(given: unknown): given is string {
  return typeof given === 'string' && REALM.test(given)
}

/** Id of a company's source. One app may connect to many companies. */
export function sourceIdOf(realmId: string): string {
  return `quickbooks-${realmId}`
}

export function connectionTo(realmId: string, environment: string): Connection {
  return { source_id: sourceIdOf(realmId), name: `QuickBooks (${realmId})`, config: { realm_id: realmId, environment } }
}

/**
 * The source of a company, registered by a program. `realm_id` is optional, and the company's consent follows later. AppError
 * `validation_failed` with all problems.
 */
export function registered(config: unknown, environment: string): Registration {
  const schema = z.strictObject({
    realm_id: z
      .string({ error: 'must be text: the number of the company' })
      .regex(REALM, 'must be the number of a company')
      .optional(),
    environment: z.literal(environment, { error: `must be ${environment}, the environment of the configuration` }).optional(),
  })
  const parsed = schema.safeParse(config)
  if (parsed.success) {
    const { realm_id } = parsed.data
    const unnamed = { source_id: null, name: 'quickbooks', config: { environment } }
    return { ...(realm_id === undefined ? unnamed : connectionTo(realm_id, environment)), secrets: null }
  }
  throw errorFromIssues(
    parsed.error.issues.map(({ path, message }) => ({
      code: 'validation_failed',
      where: ['body', 'config', ...path].join('.'),
      message,
      did_you_mean: [],
    })),
  )
}

import { join, sql, value } from '../../compiler/fragment.ts'
import type { CustomerRef } from '../../core/attribute.ts'
import { attributeJson, parseAttribute } from '../../core/attribute-value.ts'
import type { EngineDependencies } from '../contract.ts'
import type { RequestSession } from '../session.ts'
import { type AttributeReading, hasKey, readEngineValues } from './engine-attributes.ts'

/** One customer's value of one attribute as it is answered; null where the engine's value does not fit the type. */
export interface AnsweredEntry extends CustomerRef {
  readonly key: string
  readonly value: string | number | boolean | null
  readonly origin: string
  readonly updated_at: string | null
}

/** How the engine's attributes are read in a session. */
export function readingOf(deps: EngineDependencies, { connector, snapshot, params }: RequestSession): AttributeReading {
  return { deps, connector, snapshot, params }
}

/** Values of these customers, at most a thousand, stored ones and the engine's own, by key. */
export async function entriesOfCustomers(
  customers: readonly CustomerRef[],
  key: string | undefined,
  deps: EngineDependencies,
  session: RequestSession,
): Promise<readonly AnsweredEntry[]> {
  if (customers.length === 0) return []
  const stored = deps.store?.enabled === true ? ((await deps.store.attributes?.entriesOf(customers, key)) ?? []) : []
  const own = stored.map(({ type, value: text, ...entry }): AnsweredEntry => ({ ...entry, value: attributeJson(text, type) }))
  const known = await session.attributes.definitions()
  const ids = join(
    [...new Set(customers.map(({ customer_id }) => customer_id))].map((id) => value(id, 'text')),
    sql`, `,
  )
  const wanted = new Set(customers.map(nameOf))
  const given = await readEngineValues(
    readingOf(deps, session),
    sql` and fact.customer_id in (${ids})${key === undefined ? sql`` : hasKey(key)}`,
  )
  const engines = given.flatMap(({ text, ...entry }): readonly AnsweredEntry[] => {
    const definition = known.get(entry.key)
    if (definition === undefined || definition.editable || !wanted.has(nameOf(entry))) return []
    const parsed = parseAttribute(text, definition.type)
    const typed = parsed === undefined ? null : attributeJson(parsed, definition.type)
    return [{ ...entry, value: typed, origin: deps.connector.type, updated_at: null }]
  })
  return [...own, ...engines].sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** One customer's attributes by key. */
export async function attributesOfCustomer(
  customer: CustomerRef,
  deps: EngineDependencies,
  session: RequestSession,
): Promise<Readonly<Record<string, string | number | boolean | null>>> {
  const entries = await entriesOfCustomers([customer], undefined, deps, session)
  return Object.fromEntries(entries.map(({ key, value: typed }) => [key, typed]))
}

function nameOf({ source_id, customer_id }: CustomerRef): string {
  return `${source_id} ${customer_id}`
}

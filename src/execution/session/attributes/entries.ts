import { sql, textList } from '../../../compiler/fragment.ts'
import { type CustomerRef, customerName, type StoredEntry } from '../../../core/attribute.ts'
import { attributeJson, parseAttribute } from '../../../core/attribute-value.ts'
import type { Warning } from '../../../query/warning.ts'
import type { EngineDependencies } from '../../dependencies.ts'
import type { RequestSession } from '../session.ts'
import { orWithoutStore, storedIn } from '../stores.ts'
import { type AttributeReading, hasKey, readEngineValues } from './engine-attributes.ts'

/** A customer's value of an attribute in an answer. Null: the engine's value does not fit the type. */
interface AnsweredEntry extends CustomerRef {
  readonly key: string
  readonly value: string | number | boolean | null
  readonly origin: string
  readonly updated_at: string | null
}

/** The parts of a session that readers of the engine's attributes need. */
export function readingOf(deps: EngineDependencies, { catalog, connector, snapshot, params }: RequestSession): AttributeReading {
  return { deps, catalog, connector, snapshot, params }
}

/** Stored and engine values of these customers, at most a thousand, by key. */
export async function entriesOfCustomers(
  customers: readonly CustomerRef[],
  key: string | undefined,
  deps: EngineDependencies,
  session: RequestSession,
): Promise<readonly AnsweredEntry[]> {
  if (customers.length === 0) return []
  const stored = await storedEntries(customers, key, deps, session)
  return answeredEntries(customers, key, { stored, known: await session.attributes.definitions() }, deps, session)
}

/** One customer's attributes by key. If the store cannot be reached: the engine's only, with a warning. */
export async function attributesOfCustomer(
  customer: CustomerRef,
  deps: EngineDependencies,
  session: RequestSession,
  warn: (warning: Warning) => void,
): Promise<Readonly<Record<string, string | number | boolean | null>>> {
  const stored = await orWithoutStore(storedEntries([customer], undefined, deps, session), [], warn)
  const known = await session.attributes.reachable(warn)
  const entries = await answeredEntries([customer], undefined, { stored, known }, deps, session)
  return Object.fromEntries(entries.map(({ key, value: typed }) => [key, typed]))
}

async function storedEntries(
  customers: readonly CustomerRef[],
  key: string | undefined,
  deps: EngineDependencies,
  { workspace }: RequestSession,
): Promise<readonly StoredEntry[]> {
  return (await storedIn(deps, workspace)?.attributes.entriesOf(customers, key)) ?? []
}

interface Sources {
  readonly stored: readonly StoredEntry[]
  readonly known: Awaited<ReturnType<RequestSession['attributes']['definitions']>>
}

async function answeredEntries(
  customers: readonly CustomerRef[],
  key: string | undefined,
  { stored, known }: Sources,
  deps: EngineDependencies,
  session: RequestSession,
): Promise<readonly AnsweredEntry[]> {
  const own = stored.map(({ type, value: text, ...entry }): AnsweredEntry => ({ ...entry, value: attributeJson(text, type) }))
  const ids = textList([...new Set(customers.map(({ customer_id }) => customer_id))])
  const wanted = new Set(customers.map(customerName))
  const given = await readEngineValues(
    readingOf(deps, session),
    sql` and fact.customer_id in (${ids})${key === undefined ? sql`` : hasKey(key)}`,
  )
  const engines = given.flatMap(({ text, ...entry }): readonly AnsweredEntry[] => {
    const definition = known.get(entry.key)
    if (definition === undefined || definition.editable || !wanted.has(customerName(entry))) return []
    const parsed = parseAttribute(text, definition.type)
    const typed = parsed === undefined ? null : attributeJson(parsed, definition.type)
    return [{ ...entry, value: typed, origin: deps.connector.type, updated_at: null }]
  })
  return [...own, ...engines].sort((a, b) => (a.key < b.key ? -1 : 1))
}

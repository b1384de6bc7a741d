import { customersIn } from '../../connector-kit/mirror-source.ts'
import { digits, empty, ident, join, sql, statementOf, textList } from '../../connector-kit/query-runner.ts'
import type { CacheWriter } from '../../ports/cache-database.ts'
import type { Row } from '../../ports/rows.ts'
import { CUSTOMER_KEY, send } from '../held/held-tables.ts'
import { stepTable } from '../held/steps.ts'
import type { MirrorTables } from './mirror-tables.ts'
import { WANTED, type WorkArea } from './work-area.ts'

/** The relation that links customers: those that share a key depend on each other's raw rows. */
export const LINK = 'customer_link'

/** Number of customers up to which the scratch database makes the rows. For a hundred, all threads and full plans cost less. */
export const FEW = 25
/** Most link keys in a statement about few customers. */
const MOST_KEYS = 500

/** These customers with all that share a link key with one of them, or that they are too many. `made`: keys that have just been made count too. */
export type LinkedWith<Many extends 'many'> = (keys: readonly string[], made: boolean) => Promise<readonly string[] | Many>

/** True for the word in place of the customers. */
export function isMany<Many extends 'many'>(found: readonly string[] | Many): found is Many {
  return found === 'many'
}

const MADE = sql`work.${ident(stepTable(LINK))}`

/** These customers, with all that share a link key with one of them: a stored key, or with `madeToo` a key that has just been made. */
export async function linkedWith(
  tables: MirrorTables,
  writer: CacheWriter,
  work: WorkArea,
  keys: readonly string[],
  madeToo: boolean,
): Promise<readonly string[]> {
  if (!holdsLinks(tables)) return keys
  await work.want(keys)
  const places = [sql`cached_customer_link`, ...(madeToo ? [MADE] : [])]
  const shared = places.map(
    (place) => sql`select mine.link_key from ${place} as mine where mine.customer_key in (select customer_key from ${WANTED})`,
  )
  const found = places.map(
    (place) => sql`select other.customer_key from ${place} as other where other.link_key in (${join(shared, sql` union all `)})`,
  )
  return union(keys, await send(writer, join(found, sql` union `)))
}

/** The same for few customers. The keys that have just been made are in `scratch`, if it is given. The statements list customers and keys. */
export async function linkedWithFew(
  tables: MirrorTables,
  writer: CacheWriter,
  keys: readonly string[],
  scratch?: WorkArea,
): Promise<readonly string[] | 'many'> {
  if (!holdsLinks(tables)) return keys
  const areTheirs = customersIn(sql`mine.customer_key`, { keys }, tables.source.keyType)
  const stored = sql`select mine.link_key from cached_customer_link as mine where ${areTheirs}`
  const made = scratch === undefined ? [] : await scratch.query(statementOf(MADE_LINKS, writer.dialect, 'mirror'))
  const shared = new Set(made.length === 0 ? [] : (await send(writer, stored)).map(linkOf))
  const isFresh = (row: Row) => keys.includes(String(row[CUSTOMER_KEY])) && !shared.has(linkOf(row))
  const fresh = [...new Set(made.filter(isFresh).map(linkOf))]
  if (fresh.length > MOST_KEYS) return 'many'
  for (const key of fresh) shared.add(key)
  const byFresh = fresh.length === 0 ? empty : sql` or other.link_key in (${textList(fresh)})`
  const others = sql`select distinct other.customer_key from cached_customer_link as other
where other.link_key in (${stored})${byFresh} limit ${digits(FEW + 1)}`
  const linked = union(keys, [...(await send(writer, others)), ...made.filter((row) => shared.has(linkOf(row)))])
  return linked.length > FEW ? 'many' : linked
}

const MADE_LINKS = sql`select made.customer_key, made.link_key from ${MADE} as made`

function holdsLinks({ held }: MirrorTables): boolean {
  return held.some(({ relation }) => relation === LINK)
}

function linkOf(row: Row): string {
  return String(row['link_key'])
}

function union(keys: readonly string[], rows: readonly Row[]): readonly string[] {
  return [...new Set([...keys, ...rows.map((row) => String(row[CUSTOMER_KEY]))])]
}

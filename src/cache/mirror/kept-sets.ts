import { createHash } from 'node:crypto'
import { compileFragment } from '../../compiler/compile.ts'
import { relation } from '../../compiler/fragment.ts'
import type { Statement } from '../../compiler/statement.ts'
import { spanParams, variantsOf } from '../../connector-kit/complete-session.ts'
import { ident, sql } from '../../connector-kit/query-runner.ts'
import type { Definitions } from '../../core/definitions.ts'
import { InternalError, Shortage } from '../../core/errors.ts'
import type { CacheWriter } from '../../ports/cache-database.ts'
import { type KeptTable, type MirrorCatalogs, sourceOf } from '../held/catalogs.ts'
import { createTable, send } from '../held/held-tables.ts'
import { ALL_TIME } from '../held/steps.ts'
import { createBudget, NoRoom } from './budget.ts'
import { heldCustomers, type MirrorTables, workOf } from './mirror-tables.ts'
import { WANTED } from './work-area.ts'

/*
 * Definitions with other options than the mirror's own decide spans and movements in another way. Computing these
 * per question takes ten times longer than reading stored rows. So the relations of a set that is asked for twice are kept in tables of `work`, in memory:
 *
 *     asked once ──▶ asked again ──(writer, some customers at a time)──▶ kept ──▶ the rows of touched customers are replaced with each refresh
 *
 * A refresh may come between two groups of customers. It replaces the rows of touched customers in a set that is being made, too.
 * Tables are dropped within a refresh only. No reader begins then, so each reader finds the tables of its view. The name of a table comes
 * from the options of its set, because stored answers (answers.ts) are found by the text of their statement.
 */

/** Number of sets that are kept. Their tables take memory. */
export const MOST_SETS = 2
/** A set that nobody has asked for so long is dropped, milliseconds; if another one waits for its place, sooner. */
const IDLE_MS = { usual: 600_000, wanted: 3_000 }
/** Number of customers up to which their rows are replaced. After a change of more, the tables are dropped. */
const MOST_REPLACED = 2_000
/** A set is made for this share of the customers at a time, and for no more than this number, because a refresh waits meanwhile. */
const AT_ONCE = { share: 0.1, most: 5_000 }

/** The relations of definition sets, kept with the held rows of one mirror. */
export interface KeptSets {
  /** The templates by definitions, over the tables that a reader sees whose snapshot begins next. */
  view(): MirrorCatalogs['of']
  /** Replaces the rows of these customers after their held rows. Part of each refresh, also of one without customers. */
  refresh(customers: readonly string[]): Promise<void>
}

interface KeptSet {
  readonly definitions: Definitions
  /** Names the tables. Two sets with the same one have the same rows. */
  readonly digest: string
  askedAt: number
  state: 'asked' | 'being made' | 'kept' | 'failed'
}

/** No set is kept yet. `onFailure` receives the failure of a set, which is then made at each question. */
export function createKeptSets(tables: MirrorTables, catalogs: MirrorCatalogs, onFailure: (error: unknown) => void): KeptSets {
  const sets = new Map<string, KeptSet>()
  /** True if a set has found no place. */
  let isFull = false
  const { database } = tables

  const tablesOf = ({ definitions, digest }: KeptSet): readonly KeptTable[] =>
    catalogs.decided(definitions).flatMap((name) => {
      const held = tables.held.find((table) => table.relation === sourceOf(name))
      return held === undefined ? [] : [{ name, table: `kept_${digest}_${name}`, columns: held.columns }]
    })

  const drop = async (set: KeptSet, writer: CacheWriter): Promise<void> => {
    for (const { table } of tablesOf(set)) await send(writer, sql`drop table if exists work.${ident(table)}`)
  }

  /** Replaces the rows of the wanted customers. A set whose rows cannot be made is not read any more. */
  const replaceWanted = async (set: KeptSet, writer: CacheWriter): Promise<void> => {
    try {
      await writer.transaction(() => replace(set.definitions, tablesOf(set), catalogs, writer))
    } catch (error) {
      set.state = 'failed'
      onFailure(error)
    }
  }

  const make = async (set: KeptSet): Promise<void> => {
    await database.write((writer) =>
      writer.transaction(async () => {
        await drop(set, writer)
        for (const { table, columns } of tablesOf(set))
          await send(writer, createTable(sql`work.${ident(table)}`, columns, writer.dialect))
      }),
    )
    const customers = await heldCustomers(tables)
    const size = Math.min(AT_ONCE.most, Math.ceil(customers.length * AT_ONCE.share))
    const budget = createBudget('a set of definitions', customers.length)
    for (let first = 0; first < customers.length && set.state === 'being made'; first += size) {
      await database.write(async (writer) => {
        if (set.state !== 'being made') return
        await workOf(tables, writer).want(customers.slice(first, first + size))
        await replaceWanted(set, writer)
      })
      if (first + size < customers.length) budget.advance(await database.room('work'), first + size)
    }
    if (set.state === 'being made') set.state = 'kept'
  }

  const ask = (definitions: Definitions): KeptSet | undefined => {
    const key = JSON.stringify([spanParams(definitions), variantsOf(definitions)])
    const known = sets.get(key)
    if (known === undefined) {
      isFull = sets.size === MOST_SETS
      const digest = createHash('sha256').update(key).digest('hex').slice(0, 16)
      if (!isFull) sets.set(key, { definitions, digest, askedAt: performance.now(), state: 'asked' })
      return undefined
    }
    known.askedAt = performance.now()
    if (known.state === 'asked') {
      known.state = 'being made'
      make(known).catch((error: unknown) => {
        known.state = 'failed'
        onFailure(failureOf(definitions, 'the tables', error))
        // Nobody has read its tables, and they take the room that is short.
        if (error instanceof NoRoom) database.write((writer) => drop(known, writer)).catch(onFailure)
      })
    }
    return known.state === 'kept' ? known : undefined
  }

  return {
    view() {
      const kept = new Map([...sets.values()].filter(({ state }) => state === 'kept').map((set) => [set, tablesOf(set)] as const))
      return (definitions) => {
        if (catalogs.decided(definitions).length === 0) return catalogs.of(definitions)
        const set = ask(definitions)
        return catalogs.of(definitions, set === undefined ? [] : (kept.get(set) ?? []))
      }
    },
    async refresh(customers) {
      const isOver = ({ askedAt, state }: KeptSet) => {
        const idleSince = performance.now() - (isFull ? IDLE_MS.wanted : IDLE_MS.usual)
        if (state === 'being made') return customers.length > MOST_REPLACED
        return askedAt < idleSince || (state === 'kept' && customers.length > MOST_REPLACED)
      }
      if (sets.size === 0 || (customers.length === 0 && ![...sets.values()].some(isOver))) return
      await database.write(async (writer) => {
        for (const [key, set] of sets) {
          if (!isOver(set)) continue
          sets.delete(key)
          isFull = false
          // The making of this set ends before its next customers.
          set.state = 'failed'
          await drop(set, writer)
        }
        const made = [...sets.values()].filter(({ state }) => state === 'kept' || state === 'being made')
        if (customers.length === 0 || made.length === 0) return
        await workOf(tables, writer).want(customers)
        for (const set of made) await replaceWanted(set, writer)
      })
    },
  }
}

/** Options of a set that decide kept rows. */
const SPAN_OPTIONS = ['grain', 'mrr_usage', 'pause', 'quantity', 'billing_periods', 'reactivation_window', 'swap_window'] as const

/** Makes the rows of the wanted customers again, from their held rows and from the rows that have just been made. */
async function replace(
  definitions: Definitions,
  kept: readonly KeptTable[],
  { of }: MirrorCatalogs,
  writer: CacheWriter,
): Promise<void> {
  for (const [index, each] of kept.entries()) {
    const rows = () => rowsOf(each, definitions, of(definitions, kept.slice(0, index), true), writer)
    try {
      await send(writer, sql`delete from work.${ident(each.table)} where customer_key in (select customer_key from ${WANTED})`)
      await writer.query(insertion(each, rows()))
    } catch (error) {
      throw failureOf(definitions, `the rows of ${each.name}`, error)
    }
  }
}

/** The failure of a set, which names the failed part and the options of the set. A shortage already says what to change. */
function failureOf(definitions: Definitions, part: string, cause: unknown): unknown {
  if (cause instanceof Shortage) return cause
  const options = SPAN_OPTIONS.map((name) => `${name} ${definitions[name]}`)
  return new InternalError(`The cache cannot keep ${part} of a definition set: ${options.join(', ')}`, { cause })
}

/** The rows of a relation at all times. They depend on the held rows and on the options of the set only. */
function rowsOf(
  { name }: KeptTable,
  definitions: Definitions,
  catalog: ReturnType<MirrorCatalogs['of']>,
  { dialect }: CacheWriter,
): Statement {
  const aliases = new Map(variantsOf(definitions))
  const [read = name] = [...aliases].find(([, variant]) => variant === name) ?? []
  return compileFragment({
    fragment: sql`select made.* from ${relation(read)} as made`,
    catalog,
    inline: new Map(),
    aliases,
    params: spanParams(definitions),
    written: ALL_TIME,
    dialect,
    label: `mirror.kept.${name}`,
  })
}

function insertion({ table, columns }: KeptTable, rows: Statement): Statement {
  const names = columns.map(({ name }) => name).join(', ')
  return { ...rows, text: `insert into work.${table} (${names}) select ${names} from (\n${rows.text}\n) as made` }
}

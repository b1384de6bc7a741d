import type { SqlCatalog } from '../../compiler/catalog.ts'
import { compileFragment } from '../../compiler/compile.ts'
import type { TableDialect } from '../../compiler/dialect.ts'
import type { BoundValue } from '../../compiler/fragment.ts'
import { relation } from '../../compiler/fragment.ts'
import type { ColumnType, InlineRelation } from '../../compiler/inline.ts'
import { placesIn } from '../../compiler/places.ts'
import type { Statement } from '../../compiler/statement.ts'
import type { Template } from '../../compiler/template.ts'
import { digits, type Fragment, ident, join, sql } from '../../connector-kit/query-runner.ts'
import { InternalError } from '../../core/errors.ts'
import type { ConnectorSession } from '../../ports/session.ts'
import { RELATION_CONTRACTS } from '../../relations/contracts.ts'
import { emptyRelation, type RelationContract } from '../../relations/define-relation.ts'

/** A relation that is run once. */
export interface Step {
  readonly relation: string
  /** The table that the rows fill, for the steps that read them. Absent if no step does: the rows are stored at once. */
  readonly table?: string
  /** Tables of other steps and raw ones. If none of them has rows, the step has none. Empty: nothing is known. */
  readonly needs: readonly string[]
  /** The rows of the relation. */
  readonly rows: Statement
}

/** The steps of a mirror, in an order in which each finds its inputs, with their inputs other than the raw rows. */
export interface Plan {
  readonly steps: readonly Step[]
  readonly inline: readonly InlineRelation[]
  /** One row with the parameters that are no whole numbers and booleans. Without columns if the statements hold them all. */
  readonly params: InlineRelation
}

/** The window of all time: a step makes the rows of every instant. */
export const ALL_TIME: ReadonlyMap<string, Fragment> = new Map<string, Fragment>([
  ['window_start', sql`timestamp '1000-01-01 00:00:00'`],
  ['window_end', sql`timestamp '9999-12-30 00:00:00'`],
  ['range_start', sql`timestamp '1000-01-01 00:00:00'`],
  ['range_end', sql`timestamp '9999-12-30 00:00:00'`],
])

/** The table of the parameters. */
const PARAMS = 'params'

export interface StepContext {
  /** The relations of the product and of the connector. */
  readonly catalog: SqlCatalog
  readonly session: ConnectorSession
  readonly dialect: TableDialect
  /** Values of the relations' parameters, without the window. */
  readonly params: Readonly<Record<string, BoundValue>>
  /** The place of a table of a step or an inline relation. Absent: the database `work`. */
  readonly placed?: (table: string) => Fragment
}

/**
 * The steps that make these relations and everything that they read, down to the raw tables. A relation that only one other one reads is a
 * part of that step. On a database that runs a CTE for each place that names it, it is one only if that step reads it in a single place. A `wanted` relation that no other one reads gets no table. `kept` relations always have one. So do
 * relations with `needs`, because their step is often left out.
 */
export function stepsOf(wanted: readonly string[], kept: readonly string[], context: StepContext): Plan {
  const { catalog, session, dialect } = context
  const names: string[] = []
  const inline: InlineRelation[] = []
  const expanded: string[] = []
  const seen = new Set<string>()
  const visit = (name: string): void => {
    if (seen.has(name)) return
    seen.add(name)
    const rows = session.inline.get(name)
    if (rows?.select !== undefined) return void expanded.push(name)
    if (rows !== undefined) return void inline.push(rows)
    const template = catalog.relation(session.aliases.get(name) ?? name, dialect.name)
    if (template === undefined) throw new InternalError(`nothing supplies relation.${name} to the mirror`)
    for (const read of readsOf(name, template, context)) visit(read)
    for (const needed of needsOf(name, context)) if (isRelation(needed, context)) visit(needed)
    names.push(name)
  }
  for (const name of [...kept, ...wanted]) visit(name)
  const readers = readersOf(names, context)
  const needed = new Set(names.flatMap((name) => needsOf(name, context)))
  const isRead = (name: string) => {
    if (kept.includes(name) || needed.has(name)) return true
    const isLeftOut = needsOf(name, context).length > 0
    return (readers.get(name) ?? 0) > (wanted.includes(name) || isLeftOut ? 0 : 1)
  }
  const tables = new Map<string, Fragment>([
    ...expanded.map((name) => [name, rowsOf(name, context)] as const),
    ...inline.map(({ name }) => [name, rowsOf(inlineTable(name), context)] as const),
    ...names.filter(isRead).map((name) => [name, rowsOf(stepTable(name), context)] as const),
  ])
  const params = paramsOf(names, context)
  const made = { tables, written: writtenParams(params, context) }
  const own = names.filter((name) => isRead(name) || wanted.includes(name))
  return { steps: stepsOnce(own, made, params, context), inline, params }
}

/** The contract of a relation that cannot be read, such as one whose columns the role does not see. It has no rows, and questions about it are refused. */
function unreadable(name: string, { relations_unknown = [] }: ConnectorSession): RelationContract | undefined {
  if (!relations_unknown.some(({ reads }) => reads.includes(name))) return undefined
  return RELATION_CONTRACTS.find((contract) => contract.name === name)
}

/** The relations that the statement of a relation reads. One without rows reads the type of its keys. */
function readsOf(name: string, { header }: Template, { session }: StepContext): readonly string[] {
  return unreadable(name, session) === undefined ? header.reads : ['customer']
}

/** The relations and raw tables that a relation needs (`RelationHeader`). */
function needsOf(name: string, { catalog, session, dialect }: StepContext): readonly string[] {
  if (unreadable(name, session) !== undefined) return []
  const header = catalog.relation(session.aliases.get(name) ?? name, dialect.name)?.header
  return header?.kind === 'relation' ? header.needs : []
}

function isRelation(name: string, { catalog, session, dialect }: StepContext): boolean {
  return session.inline.has(name) || catalog.relation(name, dialect.name) !== undefined
}

/** The last steps of each catalog. To compile them takes milliseconds, and the sessions of a mirror rarely need other ones. */
const compiled = new WeakMap<SqlCatalog, { readonly from: string; readonly steps: readonly Step[] }>()

function stepsOnce(own: readonly string[], made: MadeTables, { columns }: InlineRelation, context: StepContext): readonly Step[] {
  const { catalog, session, params, dialect } = context
  // The statements hold the values.
  if (!dialect.bindsValues) return own.map((name) => stepOf(name, made, context))
  const literals = Object.entries(params).filter(([, value]) => literalOf(value) !== undefined)
  // The other parameters are read from the table of the parameters, whatever their values are.
  const from = JSON.stringify([own, [...made.tables.keys()], columns, literals, [...session.aliases], session.relations_unknown])
  const known = compiled.get(catalog)
  if (known?.from === from) return known.steps
  const steps = own.map((name) => stepOf(name, made, context))
  compiled.set(catalog, { from, steps })
  return steps
}

/** The number of relations that read each relation, or of the places in which they read it. */
function readersOf(names: readonly string[], context: StepContext): ReadonlyMap<string, number> {
  const { catalog, session, dialect } = context
  const readers = new Map<string, number>()
  for (const name of names) {
    const template = catalog.relation(session.aliases.get(name) ?? name, dialect.name)
    if (template === undefined) continue
    const reads = readsOf(name, template, context)
    const places =
      dialect.repeatsCtes && reads === template.header.reads ? placesIn(template) : new Map(reads.map((read) => [read, 1]))
    for (const [read, count] of places) readers.set(read, (readers.get(read) ?? 0) + count)
  }
  return readers
}

interface MadeTables {
  readonly tables: ReadonlyMap<string, Fragment>
  readonly written: ReadonlyMap<string, Fragment>
}

function stepOf(name: string, { tables, written }: MadeTables, context: StepContext): Step {
  const { catalog, session, dialect, params } = context
  // The relation itself comes from its file, and what it reads from tables.
  const built = new Map(tables)
  built.delete(name)
  const unread = unreadable(name, session)
  const rows = compileFragment({
    fragment: sql`select made.* from ${unread === undefined ? relation(name) : emptyRelation(unread)} as made`,
    catalog,
    inline: new Map(),
    built,
    aliases: session.aliases,
    params,
    written,
    dialect,
    label: `mirror.${name}`,
  })
  const needs = needsOf(name, context).map((needed) => {
    const rows = session.inline.get(needed)
    if (rows !== undefined) return rows.select === undefined ? inlineTable(needed) : needed
    return isRelation(needed, context) ? stepTable(needed) : needed
  })
  return { relation: name, rows, needs, ...(tables.has(name) && { table: stepTable(name) }) }
}

/**
 * The parameters of the steps as a table. DuckDB plans a statement with values twice, and planning takes longer than to run a step for one
 * customer. So whole numbers and booleans are written as literals, and the others are read from the table. The cache's own database keeps
 * no plans: DuckDB 1.5.5 goes on to use what it knew about the rows of a table when it made the plan, and then loses rows. A scratch
 * database keeps them, with the settings that make this right. A database that binds no values has all of them in the statements.
 */
function paramsOf(names: readonly string[], { catalog, session, dialect, params }: StepContext): InlineRelation {
  const types = new Map<string, ColumnType>()
  for (const name of dialect.bindsValues ? names : []) {
    const declared = catalog.relation(session.aliases.get(name) ?? name, dialect.name)?.header.params ?? []
    for (const [param, type] of declared) {
      if (type === 'json')
        throw new InternalError(`relation.${name} has a parameter of type json, which the mirror does not have`)
      if (type !== 'integer' && type !== 'integers' && type !== 'boolean' && !ALL_TIME.has(param)) types.set(param, type)
    }
  }
  const columns = [...types].map(([name, type]) => ({ name, type }))
  return { name: PARAMS, columns, rows: [columns.map(({ name }) => params[name] ?? null)] }
}

function writtenParams({ columns }: InlineRelation, context: StepContext): ReadonlyMap<string, Fragment> {
  const { params } = context
  const table = placeOf(inlineTable(PARAMS), context)
  const read = columns.map(({ name }) => [name, sql`(select ${ident(name)} from ${table})`] as const)
  const literals = Object.entries(params).flatMap(([name, value]): [string, Fragment][] => {
    const literal = literalOf(value)
    return literal === undefined ? [] : [[name, literal]]
  })
  return new Map([...literals, ...read, ...ALL_TIME])
}

function literalOf(value: BoundValue): Fragment | undefined {
  if (typeof value === 'boolean') return value ? sql`true` : sql`false`
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value < 0 ? sql`-${digits(-value)}` : digits(value)
  if (Array.isArray(value)) return join(value.map(digits), sql`, `)
  return undefined
}

function rowsOf(table: string, context: StepContext): Fragment {
  return sql`(select * from ${placeOf(table, context)})`
}

function placeOf(table: string, { placed }: StepContext): Fragment {
  return placed?.(table) ?? sql`work.${ident(table)}`
}

/** The table of a relation that a step makes. */
export function stepTable(relation: string): string {
  return `step_${relation}`
}

/** The table of an inline relation. */
export function inlineTable(relation: string): string {
  return `inline_${relation}`
}

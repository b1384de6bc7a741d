import { type EpochUnit, isEpoch, readingOf } from '../../connector-kit/column-casts.ts'
import { bestType } from '../../connector-kit/column-types.ts'
import type { EngineColumns } from '../../connector-kit/mirror-source.ts'
import { AppError } from '../../core/errors.ts'
import type { Snapshot } from '../../ports/snapshot.ts'
import { type CopyTool, markOf, toolOf } from './copy-tools.ts'
import { epochUnits } from './epochs.ts'
import { type BillingTable, tablesOf } from './pins.ts'
import { type LakePlace, sourceIn } from './place.ts'
import { withSchema } from './schema-tables.ts'
import { withTables } from './with-tables.ts'

/** How the billing tables were copied to Trino. */
export interface CopySettings {
  /** The tool that has copied them. Default: `plain`. */
  readonly tool?: CopyTool
  /** Tables with another name than the engine's, by the engine's name. */
  readonly names?: Readonly<Record<string, string>>
}

/** A column of a copy. */
interface CopiedColumn {
  readonly name: string
  readonly type: string
}

/** A billing table with the columns that a copy has. */
export interface CopiedTable extends BillingTable {
  readonly columns: readonly CopiedColumn[]
}

/** The billing tables on Trino, read as the engine keeps them. */
export interface Copy {
  readonly tables: readonly BillingTable[]
  /** Those that the connector describes. */
  readonly copied: readonly CopiedTable[]
  /** Columns that are cast, as `accounts.created_date (varchar)`. */
  readonly casts: readonly string[]
  /** Reasons why no publication can read the copy. */
  readonly faults: readonly AppError[]
  /** All rows of each table, as the copy has them. */
  readonly selects: ReadonlyMap<string, string>
  /** The rows of each table as the engine has them. `selects` are its rows in the copy. */
  rowsOf(selects: ReadonlyMap<string, string>): ReadonlyMap<string, string>
  /** The snapshot, whose statements read the rows that the engine has. */
  over(snapshot: Snapshot, selects: ReadonlyMap<string, string>): Snapshot
}

/** Learns how a copy keeps the billing tables. It reads names and types, and of instants that are numbers the largest one. */
export async function readCopy(
  snapshot: Snapshot,
  place: LakePlace,
  engine: EngineColumns | undefined,
  { tool = 'plain', names = {} }: CopySettings = {},
): Promise<Copy> {
  const tables = await tablesOf(snapshot, place, names)
  const selects = new Map(tables.map(({ name, source }) => [name, `select * from ${sourceIn(place, source)}`]))
  if (engine === undefined) return plainCopy(tables, selects)
  const copied = await withColumns(
    snapshot,
    place,
    tables.filter(({ name }) => engine.tables.includes(name)),
  )
  const units = await epochUnits(snapshot, epochsOf(copied, engine), selects)
  const columns = new Map(
    copied.map((table) => [table.name, table.columns.map((column) => readColumn(table, column, engine, units))]),
  )
  const mark = markOf(tool)
  const condition = (name: string): string | undefined => {
    const column = copied.find((table) => table.name === name)?.columns.find((each) => each.name === mark?.column)
    return column && mark?.isThere(column.type)
  }
  const readings = [...columns.values()].flat()
  const rowsOf: Copy['rowsOf'] = (from) =>
    new Map([...from].map(([name, select]) => [name, asEngine(select, columns.get(name), condition(name))]))
  return {
    tables,
    copied,
    casts: readings.flatMap(({ name, place: at, type, reading }) =>
      reading !== undefined && reading.cell !== name ? [`${at} (${type})`] : [],
    ),
    faults: [...typeFaults(readings), ...markFaults(copied, tool)],
    selects,
    rowsOf,
    over(over, from) {
      const rows = rowsOf(from)
      const shown = copied.map((table) => ({
        ...table,
        columns: (columns.get(table.name) ?? []).map(({ name, type, reading }) => ({ name, type: reading?.type ?? type })),
      }))
      return {
        ...over,
        query: (statement) =>
          over.query(isAboutSchema(statement.text) ? withSchema(statement, shown) : withTables(statement, rows)),
        async *stream(statement) {
          yield* over.stream(withTables(statement, rows))
        },
      }
    },
  }
}

function plainCopy(tables: readonly BillingTable[], selects: Copy['selects']): Copy {
  return {
    tables,
    copied: [],
    casts: [],
    faults: [],
    selects,
    rowsOf: (from) => from,
    over: (snapshot, rows) => ({
      ...snapshot,
      query: (statement) => snapshot.query(isAboutSchema(statement.text) ? statement : withTables(statement, rows)),
    }),
  }
}

/** Questions about the schema itself name tables as texts, and have no rows of theirs. */
function isAboutSchema(text: string): boolean {
  return /\binformation_schema\b/.test(text)
}

async function withColumns(
  snapshot: Snapshot,
  { catalog, schema }: LakePlace,
  tables: readonly BillingTable[],
): Promise<readonly CopiedTable[]> {
  if (tables.length === 0) return []
  const rows = await snapshot.query({
    text: `select table_name, column_name, data_type from ${catalog}.information_schema.columns
where table_schema = ? and table_name in (${tables.map(() => '?').join(', ')}) order by table_name, ordinal_position`,
    values: [schema, ...tables.map(({ source }) => source)],
    label: 'lake.columns',
  })
  return tables.map((table) => ({
    ...table,
    columns: rows
      .filter((row) => row['table_name'] === table.source)
      .map((row) => ({ name: String(row['column_name']), type: String(row['data_type']) }))
      .filter(({ name }) => /^[a-z_][a-z0-9_]*$/.test(name)),
  }))
}

/** A column with its name in messages. `reading` is undefined for a type that cannot hold the engine's values. */
interface ReadColumn extends CopiedColumn {
  readonly place: string
  readonly best: string
  readonly reading: ReturnType<typeof readingOf>
}

function readColumn(
  table: CopiedTable,
  { name, type }: CopiedColumn,
  engine: EngineColumns,
  units: ReadonlyMap<string, EpochUnit>,
): ReadColumn {
  const place = `${table.name}.${name}`
  const kind = engine.kindOf(place)
  if (kind === undefined) return { name, type, place, best: type, reading: { cell: name, type } }
  return { name, type, place, best: bestType(kind), reading: readingOf(name, kind, type, units.get(place)) }
}

function epochsOf(copied: readonly CopiedTable[], engine: EngineColumns) {
  return copied.flatMap((table) => {
    const columns = table.columns.flatMap(({ name, type }) => {
      const kind = engine.kindOf(`${table.name}.${name}`)
      return kind !== undefined && isEpoch(kind, type) ? [name] : []
    })
    return columns.length === 0 ? [] : [{ table: table.name, columns }]
  })
}

/** The rows of a table unchanged, if no column is cast and no row is marked. */
function asEngine(select: string, columns: readonly ReadColumn[] | undefined, condition: string | undefined): string {
  const isCast = columns?.some(({ name, reading }) => reading !== undefined && reading.cell !== name) === true
  if (columns === undefined || (!isCast && condition === undefined)) return select
  const cells = columns.map(({ name, reading = { cell: name } }) => (reading.cell === name ? name : `${reading.cell} as ${name}`))
  const where = condition === undefined ? '' : ` where ${condition}`
  return `select ${cells.join(', ')} from (${select}) as copied${where}`
}

/** Most names in one message. */
const MOST_NAMED = 10

function typeFaults(columns: readonly ReadColumn[]): readonly AppError[] {
  const lost = columns.filter(({ reading }) => reading === undefined)
  if (lost.length === 0) return []
  const shown = lost.slice(0, MOST_NAMED).map(({ place, type, best }) => `${place} is ${type} and must be ${best}`)
  const more = lost.length > MOST_NAMED ? `; and ${lost.length - MOST_NAMED} more` : ''
  const text = `The copy of the billing tables has columns whose types cannot hold the engine's values: ${shown.join('; ')}${more}. Copy them with these types.`
  return [
    new AppError('unsupported_by_connector', text, { context: { columns: lost.slice(0, MOST_NAMED).map(({ place }) => place) } }),
  ]
}

/** A mark that nobody expects would count deleted rows, and a mark that no table has is a wrong setting. */
function markFaults(copied: readonly CopiedTable[], tool: CopyTool): readonly AppError[] {
  const marked = copied.flatMap(({ name, columns }) =>
    columns.flatMap((column) => {
      const by = toolOf(column.name)
      return by === undefined ? [] : [{ table: name, by, column }]
    }),
  )
  const refused = (text: string) => [new AppError('unsupported_by_connector', text)]
  const [other] = marked.filter(({ by }) => by !== tool)
  if (other !== undefined) {
    const text = `${other.table} has the column ${other.column.name}, with which ${other.by} marks deleted rows, and lake.copied_by is "${tool}". Set lake.copied_by = "${other.by}".`
    return refused(text)
  }
  const mark = markOf(tool)
  if (mark === undefined || copied.length === 0) return []
  if (marked.length === 0) {
    const text = `lake.copied_by is "${tool}", and none of the billing tables has its column ${mark.column}, which marks deleted rows. Have the tool write it, or set lake.copied_by = "plain" if deleted rows are gone.`
    return refused(text)
  }
  const odd = marked.filter(({ column }) => mark.isThere(column.type) === undefined)
  if (odd.length === 0) return []
  const listed = odd.map(({ table, column }) => `${table}.${column.name} is ${column.type}`).join('; ')
  return refused(`The marks of deleted rows have another type than ${tool} gives them: ${listed}.`)
}

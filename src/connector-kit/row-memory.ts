import { createHash } from 'node:crypto'
import type { Dialect } from '../compiler/dialect.ts'
import { InternalError } from '../core/errors.ts'
import { parseInteger } from '../core/money.ts'
import type { Row } from '../ports/rows.ts'
import type { Snapshot } from '../ports/snapshot.ts'
import { createQueryRunner, digits, type Fragment, ident, join, type QueryRunner, sql, statementOf } from './query-runner.ts'

/**
 * Rows that every request needs, remembered from one request to the next. In the snapshot of each request the database makes a
 * digest of each statement's rows. Only statements whose digest has changed are read again, so no row is ever older than the
 * snapshot.
 *
 *     first request    statements ──► rows, and their digests made here
 *     later requests   digests made by the database ──┬─ same ──► rows from memory
 *                                                     └─ other ─► the statement again
 *
 * The digest of remembered rows is computed here, from these rows. A second statement might run with rights that have changed since. A database
 * without digests is read each time.
 */
interface RowMemory {
  /** Begins a request in its snapshot. Requests of one scope run the same statements, except those with the labels `spared`. */
  begin(snapshot: Snapshot, scope: string, spared?: readonly string[]): RememberedRows
}

interface RememberedRows {
  /** Runs a statement, or returns its rows from memory. */
  readonly run: QueryRunner
  /** Remembers the rows of this request. Call it when the request could use all of them. */
  remember(): void
}

/**
 * The stage of a statement, by its label. Undefined if its rows are not remembered. The first request for a statement of a stage
 * compares all statements of this stage. So a caller can check stage 0, such as the rights of the role, before stage 1 reads a
 * table.
 */
type StageOf = (label: string) => 0 | 1 | undefined

interface Read {
  readonly name: string
  readonly key: string
  readonly stage: 0 | 1
  readonly statement: Fragment
  readonly rows: readonly Row[]
}

/** A memory without rows. Its own statements are called `<label>.<stage>`. */
export function createRowMemory(label: string, stageOf: StageOf): RowMemory {
  const remembered = new Map<string, readonly Read[]>()
  return {
    begin(snapshot, scope, spared = []) {
      const { dialect } = snapshot
      const runNow = createQueryRunner(snapshot)
      const known = remembered.get(scope) ?? []
      const same = new Map<string, Read>()
      const compared = new Set<0 | 1>()
      const reads: Read[] = []

      const compare = async (stage: 0 | 1): Promise<void> => {
        compared.add(stage)
        const wanted = known.filter((read) => read.stage === stage && !spared.includes(read.name))
        if (wanted.length === 0) return
        const parts = wanted.map(({ statement, rows }, place) => digestStatement(statement, columnsOf(rows), place, dialect))
        const found = await runNow(`${label}.${stage}`, join(parts, sql` union all `))
        const digests = new Map(found.map((row) => [parseInteger(row['place']), `${row['entries']} ${row['digest']}`]))
        for (const [place, read] of wanted.entries()) {
          if (digests.get(place) === digestOf(read.rows, dialect)) same.set(read.key, read)
        }
      }

      return {
        async run(name, statement) {
          const stage = stageOf(name)
          if (stage === undefined || dialect.digests === undefined) return runNow(name, statement)
          if (!compared.has(stage)) await compare(stage)
          const { text, values } = statementOf(statement, dialect, name)
          const key = JSON.stringify([text, values])
          const read = same.get(key) ?? { name, key, stage, statement, rows: await runNow(name, statement) }
          reads.push(read)
          return read.rows
        },
        remember: () => void remembered.set(scope, reads),
      }
    },
  }
}

const digests = new WeakMap<readonly Row[], string>()

/** Number of rows and sum of the first 60 bits of each row's hash: the order of rows does not count. */
function digestOf(rows: readonly Row[], dialect: Dialect): string {
  const known = digests.get(rows)
  if (known !== undefined) return known
  const columns = columnsOf(rows)
  let sum = 0n
  for (const row of rows) {
    const line = columns.map((name) => cellText(row[name] ?? null, dialect)).join(',')
    sum += BigInt(`0x${createHash('sha256').update(line).digest('hex').slice(0, HEX_DIGITS)}`)
  }
  const digest = `${rows.length} ${sum}`
  digests.set(rows, digest)
  return digest
}

/** 60 bits: the most whole hexadecimal digits that fit into the SQL type bigint. */
const HEX_DIGITS = 15

// The length in front makes the line of a row unambiguous. A database without booleans returns them as numbers.
function cellText(cell: Row[string], dialect: Dialect): string {
  if (cell === null) return '-'
  const text = typeof cell === 'boolean' && !dialect.hasBooleans ? String(Number(cell)) : String(cell)
  return `${Buffer.byteLength(text)}:${text}`
}

/** A text that changes with every change of a row of these selects. The database reads all their rows. */
export async function rowStamp(
  snapshot: Snapshot,
  selects: readonly { readonly statement: Fragment; readonly columns: readonly string[] }[],
): Promise<string> {
  const parts = selects.map(({ statement, columns }, place) => digestStatement(statement, columns, place, snapshot.dialect))
  const found = await createQueryRunner(snapshot)('plumbline.stamp', join(parts, sql` union all `))
  const digests = new Map(found.map((row) => [parseInteger(row['place']), `${row['entries']} ${row['digest']}`]))
  return createHash('sha256')
    .update(selects.map((_, place) => digests.get(place)).join())
    .digest('base64')
}

/** The statement that makes the database compute the same digest. */
function digestStatement(statement: Fragment, names: readonly string[], place: number, dialect: Dialect): Fragment {
  const columns = names.map((name) => sql`kept.${ident(name)}`)
  const { digests: write } = dialect
  if (write === undefined) throw new InternalError(`${dialect.name} makes no digests of rows`)
  const line = columns.length === 0 ? sql`''` : sql`concat_ws(',', ${join(columns.map(write.cell), sql`, `)})`
  return sql`select ${digits(place)} as place, count(*) as entries, ${write.sum(line)} as digest from (${statement}) as kept`
}

function columnsOf(rows: readonly Row[]): readonly string[] {
  return Object.keys(rows[0] ?? {})
}

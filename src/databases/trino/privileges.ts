import { AppError, InternalError } from '../../core/errors.ts'
import type { Snapshot } from '../../ports/snapshot.ts'
import { TrinoFailure } from './errors.ts'
import { quotedName } from './names.ts'

const LABEL = 'plumbline privileges'
const UNKNOWN = 'possibly, because the schema shows no table about which Trino could be asked'

/** Statements that write nothing, and the words by which the access control refuses each. */
const WRITES = [
  { right: 'DELETE', textFor: (name: string) => `delete from ${name} where false`, denial: /cannot delete\b/i },
  {
    right: 'INSERT',
    textFor: (name: string) => `insert into ${name} select * from ${name} where false`,
    denial: /cannot insert\b/i,
  },
] as const

/**
 * Rights of the user to write in the schema, by preference in these tables of the billing engine. Trino tells nobody the rights of a user, so Plumbline
 * asks it to check statements that nothing ever runs. Only a refusal by the access control proves that the user cannot write.
 */
export async function trinoWritePrivileges(snapshot: Snapshot, tables: readonly string[] = []): Promise<readonly string[]> {
  const asked = await tablesToAsk(snapshot, tables)
  if (asked.length === 0) return [UNKNOWN]
  const found: string[] = []
  for (const { right, textFor, denial } of WRITES) {
    const byVerdict: Record<'allowed' | 'unclear' | 'denied', string[]> = { allowed: [], unclear: [], denied: [] }
    for (const table of asked)
      byVerdict[await verdictOf(snapshot, `explain (type validate) ${textFor(quotedName(table))}`, denial)].push(table)
    const { allowed, unclear } = byVerdict
    if (allowed.length > 0) found.push(`${right} on ${named(allowed)}`)
    if (unclear.length > 0) found.push(`${right} on ${named(unclear)}, as far as the access control decides`)
  }
  return found
}

/** Those of the tables that exist, else the first table of the schema. */
async function tablesToAsk(snapshot: Snapshot, tables: readonly string[]): Promise<readonly string[]> {
  const isWanted = tables.length === 0 ? '1' : `case when table_name in (${tables.map(() => '?').join(', ')}) then 0 else 1 end`
  const text = `select table_name from information_schema.tables
where table_schema = current_schema and table_type = 'BASE TABLE' order by ${isWanted}, table_name limit ${Math.max(1, tables.length)}`
  const rows = await snapshot.query({ text, values: tables, label: LABEL })
  const names = rows.map((row) => String(row['table_name']))
  const own = names.filter((name) => tables.includes(name))
  return own.length > 0 ? own : names.slice(0, 1)
}

/** A refusal for another reason, such as a right to read that is missing, proves nothing. */
async function verdictOf(snapshot: Snapshot, text: string, denial: RegExp): Promise<'allowed' | 'unclear' | 'denied'> {
  try {
    await snapshot.query({ text, values: [], label: LABEL })
    return 'allowed'
  } catch (error) {
    const isRefusal = error instanceof InternalError || (error instanceof AppError && error.code === 'unsupported_by_connector')
    if (!isRefusal || !(error.cause instanceof TrinoFailure)) throw error
    return error.cause.code === 'PERMISSION_DENIED' && denial.test(error.cause.message) ? 'denied' : 'unclear'
  }
}

function named(tables: readonly string[]): string {
  return `${tables.length === 1 ? 'table' : 'tables'} ${tables.join(', ')}`
}

import type { Row } from '../../ports/rows.ts'
import type { Snapshot } from '../../ports/snapshot.ts'
import { variantOf } from './settings.ts'

/** The write privileges of the connected role and its active roles in the current database. */
export async function mysqlWritePrivileges(snapshot: Snapshot): Promise<readonly string[]> {
  const [identity] = await snapshot.query(statement('select database() as name, @@version as version'))
  const isMariadb = variantOf(String(identity?.['version'])) === 'mariadb'
  // MariaDB lists the grants of active roles by default. MySQL needs their names, in the quotes in which it returns them.
  const [active] = isMariadb ? [] : await snapshot.query(statement('select current_role() as roles'))
  const roles = textOf(active?.['roles']) ?? 'NONE'
  const rows = await snapshot.query(statement(roles === 'NONE' ? 'show grants' : `show grants for current_user() using ${roles}`))
  const lines = rows.map((row) => String(Object.values(row)[0] ?? ''))
  return writeGrants(lines, textOf(identity?.['name']) ?? '')
}

function statement(text: string) {
  return { text, values: [], label: 'plumbline privileges' }
}

function textOf(cell: Row[string] | undefined): string | null {
  return cell === null || cell === undefined ? null : String(cell)
}

const READING =
  /^(USAGE|SELECT|SHOW |PROCESS$|REPLICATION (CLIENT|SLAVE)|REPLICA MONITOR|SLAVE MONITOR|BINLOG MONITOR|EXECUTE$|LOCK TABLES$|PROXY$)/
const WRITING =
  /^(ALL|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|INDEX|REFERENCES|TRIGGER|EVENT|FILE|SUPER|GRANT OPTION|DELETE HISTORY|READ_ONLY ADMIN|SHUTDOWN|RELOAD)/

/** The privileges to write in `database` from the lines of `SHOW GRANTS`, one phrase per grant: `INSERT, UPDATE on shop.*`. */
export function writeGrants(lines: readonly string[], database: string): readonly string[] {
  return lines.flatMap((line) => {
    const match = /^GRANT (.+?) ON (?:TABLE )?(\S+) TO /i.exec(line)
    const [, privileges = '', object = ''] = match ?? []
    if (match === null || !concerns(object, database)) return []
    const writing = splitPrivileges(privileges).filter((privilege) => WRITING.test(privilege) && !READING.test(privilege))
    if (/ WITH GRANT OPTION/i.test(line)) writing.push('GRANT OPTION')
    return writing.length === 0 ? [] : [`${writing.join(', ')} on ${object.replaceAll('`', '')}`]
  })
}

/** Splits a list of privileges and puts the names in upper case. A list of columns in parentheses stays with its privilege. */
function splitPrivileges(text: string): string[] {
  return text
    .split(/,(?![^(]*\))/)
    .map((privilege) => privilege.trim())
    .map((privilege) => (/^[A-Z_ ]+$/i.test(privilege) ? privilege.toUpperCase() : privilege))
}

/** `object` is `*.*`, all tables of a database pattern (`shop%.*`), or one table (`shop.invoice`). */
function concerns(object: string, database: string): boolean {
  if (object.startsWith('*.')) return true
  const [, quoted, plain] = /^(?:`((?:[^`]|``)+)`|([^.`]+))\./.exec(object) ?? []
  const pattern = quoted?.replaceAll('``', '`') ?? plain
  return pattern !== undefined && likePattern(pattern).test(database)
}

function likePattern(pattern: string): RegExp {
  const parts = pattern.match(/\\.|%|_|[^\\%_]+|\\$/gs) ?? []
  const source = parts.map((part) => {
    if (part === '%') return '.*'
    if (part === '_') return '.'
    return (part.startsWith('\\') && part.length === 2 ? part.slice(1) : part).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${source.join('')}$`, 'is')
}

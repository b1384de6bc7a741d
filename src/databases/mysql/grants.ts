const READING =
  /^(USAGE|SELECT|SHOW |PROCESS$|REPLICATION (CLIENT|SLAVE)|REPLICA MONITOR|SLAVE MONITOR|BINLOG MONITOR|EXECUTE$|LOCK TABLES$|PROXY$)/
const WRITING =
  /^(ALL|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|INDEX|REFERENCES|TRIGGER|EVENT|FILE|SUPER|GRANT OPTION|DELETE HISTORY|READ_ONLY ADMIN|SHUTDOWN|RELOAD)/

/** What the grants (`SHOW GRANTS` lines) let a role write in `database`, one phrase per grant: `INSERT, UPDATE on shop.*`. */
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

/** Upper-case names; a list of columns in parentheses stays with its privilege. */
function splitPrivileges(text: string): string[] {
  return text
    .split(/,(?![^(]*\))/)
    .map((privilege) => privilege.trim())
    .map((privilege) => (/^[A-Z_ ]+$/i.test(privilege) ? privilege.toUpperCase() : privilege))
}

/** `object` is `*.*`, a database pattern with its `*`, or a table of one. */
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

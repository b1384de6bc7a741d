import { AppError } from '../core/errors.ts'
import { driverCode } from './failures.ts'

/** Codes of a role that may not read: PostgreSQL's, and MySQL's for a table, a column, and a view whose definer may not read what it shows. */
const DENIALS: ReadonlySet<string> = new Set([
  '42501',
  'ER_TABLEACCESS_DENIED_ERROR',
  'ER_COLUMNACCESS_DENIED_ERROR',
  'ER_VIEW_INVALID',
])

/** Where PostgreSQL refuses to leave out rows; a code of its own it has not. */
const ROW_SECURITY_ROUTINE = 'check_enable_rls'

/** What the words of an error name: a table or view, and one of its columns. */
interface Named {
  readonly table: string
  readonly column?: string | undefined
}

/**
 * A statement needs what the role may not read, or all rows of a table of which policies hide some; undefined when the error is about
 * something else. Only the names of tables and columns are taken from the server's words, which also name the role.
 */
export function readingDenied(dialect: string, cause: unknown): AppError | undefined {
  if (!DENIALS.has(driverCode(cause) ?? '')) return undefined
  const named = dialect === 'postgres' ? namedByPostgres(cause) : namedByMysql(cause)
  const name = named === undefined ? undefined : [named.table, named.column].filter((part) => part !== undefined).join('.')
  const isPolicy = fieldOf(cause, 'routine') === ROW_SECURITY_ROUTINE
  const detail = isPolicy ? policyText(name) : grantText(dialect, named?.table, name)
  const context = name === undefined ? {} : isPolicy ? { row_security: [name] } : { missing: [name] }
  return new AppError('unsupported_by_connector', detail, { context, cause })
}

function policyText(name = 'a table'): string {
  return `Row-level security hides rows of ${name} from the database role, or from the owner of a view that it reads, so nothing is answered: give that role BYPASSRLS, or drop the policies that apply to it.`
}

function grantText(dialect: string, table: string | undefined, name = 'all that the question needs'): string {
  const tables = table === undefined ? '' : ` --tables ${table}`
  return `The database role may not read ${name}; \`plumbline grants --dialect ${dialect} --user <role>${tables}\` prints the grants that it lacks.`
}

// The words depend on the server's language: a name is what stands in quotes, else the last word.
function namedByPostgres(cause: unknown): Named | undefined {
  const message = fieldOf(cause, 'message')
  const table = plain(/["«„“]([^"»“”]+)["»“”]/.exec(message)?.[1]?.trim() ?? message.match(/[A-Za-z_][\w$]*/g)?.at(-1))
  return table === undefined ? undefined : { table }
}

// Quoted names: role and host, then a column, then the table with or without its database.
function namedByMysql(cause: unknown): Named | undefined {
  const message = fieldOf(cause, 'message').replace(/'[^']*'@'[^']*'/g, '')
  const names = [...message.matchAll(/['`]([^'`]+)['`]/g)].map(([, name = '']) => name)
  const table = plain(names.at(-1)?.split('.').at(-1))
  if (table === undefined) return undefined
  return driverCode(cause) === 'ER_COLUMNACCESS_DENIED_ERROR' ? { table, column: plain(names[0]) } : { table }
}

function plain(name: string | undefined): string | undefined {
  return name !== undefined && /^[\w$]{1,64}$/.test(name) ? name : undefined
}

function fieldOf(error: unknown, field: 'message' | 'routine'): string {
  if (typeof error !== 'object' || error === null) return ''
  return String((error as Readonly<Record<string, unknown>>)[field] ?? '')
}

import { AppError } from '../core/errors.ts'
import { driverCode } from './failures.ts'

/** Codes for a role without the right to read: PostgreSQL's, and MySQL's for a table, a column, and a view whose definer lacks the right. */
const DENIALS: ReadonlySet<string> = new Set([
  '42501',
  'ER_TABLEACCESS_DENIED_ERROR',
  'ER_COLUMNACCESS_DENIED_ERROR',
  'ER_VIEW_INVALID',
])

/** The PostgreSQL routine that refuses to leave out rows. This refusal has no separate code. */
const ROW_SECURITY_ROUTINE = 'check_enable_rls'

/** The names in the text of an error: a table or view, and one of its columns. */
interface Named {
  readonly table: string
  readonly column?: string | undefined
}

/**
 * The error of a statement that reads a table without the right to, or a table whose policies hide rows. Undefined if the error has another
 * cause. It takes only names of tables and columns from the server's text, because the text also names the role.
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
  return `Row-level security hides rows of ${name} from the database role, or from the owner of a view that it reads, so Plumbline answers nothing. Give that role BYPASSRLS, or drop the policies that apply to it.`
}

function grantText(dialect: string, table: string | undefined, name = 'everything that the request needs'): string {
  const tables = table === undefined ? '' : ` --tables ${table}`
  return `The database role may not read ${name}; \`plumbline grants --dialect ${dialect} --user <role>${tables}\` prints the missing grants.`
}

// The text depends on the server's language. The name is the quoted part, or else the last word.
function namedByPostgres(cause: unknown): Named | undefined {
  const message = fieldOf(cause, 'message')
  const table = plain(/["«„“]([^"»“”]+)["»“”]/.exec(message)?.[1]?.trim() ?? message.match(/[A-Za-z_][\w$]*/g)?.at(-1))
  return table === undefined ? undefined : { table }
}

// The quoted names: role and host, then a column, then the table with or without its database.
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

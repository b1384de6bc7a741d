import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { DriverValue } from '../../compiler/bound-value.ts'
import type { Dialect } from '../../compiler/dialect.ts'
import type { ParamType } from '../../compiler/fragment.ts'
import type { Statement } from '../../compiler/statement.ts'
import { InternalError } from '../../core/errors.ts'

/**
 * The dialect of statements inside `copy (…) to stdout`. That command takes no values. A number is written as digits, because PostgreSQL would
 * read a setting again for each row. Any other value is a setting of the transaction, and its placeholder reads the setting.
 */
export function copyDialect(dialect: Dialect): Dialect {
  return {
    ...dialect,
    placeholder: (position, type, value) =>
      dialect
        .placeholder(position, type, value)
        .replace(/\$\d+/, () => (isWritten(type, value) ? digitsOf(value) : setting(position))),
  }
}

function isWritten(type: ParamType, value: DriverValue): value is string | number {
  return type === 'integer' && value !== null
}

/** InternalError if it is not a whole number. */
function digitsOf(value: string | number): string {
  if (!/^-?\d+$/.test(String(value))) throw new InternalError(`not a whole number: ${JSON.stringify(value)}`)
  return `'${value}'`
}

function setting(position: number): string {
  return `current_setting('${settingName(position)}')`
}

function settingName(position: number): string {
  return `plumbline.v${position}`
}

/** The statement that sets the values of a copied statement, as long as the transaction lasts. Undefined if it has none. */
export function valueSettings({ values, label }: Statement): Statement | undefined {
  if (values.length === 0) return undefined
  // One row for each value: a list of columns has at most 1,664 of them.
  const rows = values.map((_, index) => `('${settingName(index + 1)}', $${index + 1}::text)`)
  const text = `select count(set_config(setting.name, setting.content, true)) from (values ${rows.join(', ')}) as setting (name, content)`
  return { text, values: values.map(String), label }
}

/** Writes the rows of a statement in `copyDialect` to a file as CSV. */
export async function copyRows(client: pg.PoolClient, { text }: Statement, file: string): Promise<void> {
  await pipeline(client.query(copyTo(`copy (${text}) to stdout (format csv)`)), createWriteStream(file, { mode: 0o600 }))
}

/** The statement that counts the rows of a copied one. A proxy that cuts the rows of `copy` may also change the number that it reports. */
export function countOfCopied({ text, label }: Statement): Statement {
  return { text: `select count(*) as entries from (\n${text}\n) as r`, values: [], label }
}

import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { DriverValue } from '../../compiler/bound-value.ts'
import type { Dialect } from '../../compiler/dialect.ts'
import type { Statement } from '../../compiler/statement.ts'
import { InternalError } from '../../core/errors.ts'

/**
 * The dialect of statements inside `copy (…) to stdout`. That command takes no values. A number and null are written as text. Any other value is a
 * setting of the transaction. Its placeholder is a subquery that reads the setting: PostgreSQL runs it once, and would call a function for each row.
 */
export function copyDialect(dialect: Dialect): Dialect {
  return {
    ...dialect,
    placeholder: (position, type, value) =>
      dialect.placeholder(position, type, value).replace(/\$\d+/, () => {
        if (value === null) return 'null'
        return type === 'integer' ? digitsOf(value) : `(select ${setting(position)})`
      }),
  }
}

/** InternalError if it is not a whole number. */
function digitsOf(value: DriverValue): string {
  if (!/^-?\d+$/.test(String(value))) throw new InternalError(`not a whole number: ${JSON.stringify(value)}`)
  return `'${value}'`
}

function setting(position: number): string {
  return `current_setting('${settingName(position)}')`
}

function settingName(position: number): string {
  return `plumbline.v${position}`
}

/** The statement that sets the values of a copied statement, as long as the transaction lasts. Undefined if it reads none. */
export function valueSettings({ text: copied, values, label }: Statement): Statement | undefined {
  const read = values.flatMap((value, index) => (copied.includes(setting(index + 1)) ? [{ value, position: index + 1 }] : []))
  if (read.length === 0) return undefined
  // One row for each value: a list of columns has at most 1,664 of them.
  const rows = read.map(({ position }, index) => `('${settingName(position)}', $${index + 1}::text)`)
  const text = `select count(set_config(setting.name, setting.content, true)) from (values ${rows.join(', ')}) as setting (name, content)`
  return { text, values: read.map(({ value }) => String(value)), label }
}

/** Writes the rows of a statement in `copyDialect` to a file as CSV. Resolves to the number of rows that the server reports. */
export async function copyRows(client: pg.PoolClient, { text }: Statement, file: string): Promise<number | undefined> {
  let reported: number | undefined
  let end: () => void = () => {}
  const rows = Object.assign(copyTo(`copy (${text}) to stdout (format csv)`), {
    handleCommandComplete({ text: report }: { readonly text?: string }) {
      const number = /^COPY (\d+)$/.exec(report ?? '')?.[1]
      reported = number === undefined ? undefined : Number(number)
    },
    handleReadyForQuery: () => end(),
  })
  // The report comes after the rows, and this end after the report.
  const ended = new Promise<void>((resolve, reject) => {
    end = resolve
    rows.on('error', reject)
  })
  ended.catch(() => {})
  await pipeline(client.query(rows), createWriteStream(file, { mode: 0o600 }))
  await ended
  return reported
}

/** The statement that counts the rows of a copied one. */
export function countOfCopied({ text, label }: Statement): Statement {
  return { text: `select count(*) as entries from (\n${text}\n) as r`, values: [], label }
}

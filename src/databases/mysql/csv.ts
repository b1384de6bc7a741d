import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Statement } from '../../compiler/statement.ts'
import type { CacheColumn } from '../../ports/cache-database.ts'
import type { Row } from '../../ports/rows.ts'

/** The statement whose only column, `line`, is a CSV line of each row. The server writes the lines, because the process is slower. */
export function linesOf({ text, values, label }: Statement, columns: readonly CacheColumn[]): Statement {
  const cells = columns.map(({ name, type }) => {
    const cell = `convert(r.${name} using utf8mb4)`
    return type === 'text' ? `coalesce(concat('"', replace(${cell}, '"', '""'), '"'), '')` : `coalesce(${cell}, '')`
  })
  return { text: `select concat(${cells.join(", ',', ")}) as line from (\n${text}\n) as r`, values, label }
}

/** The statement that reads how many rows the one before it has sent. */
export const SENT: Statement = { text: 'select found_rows() as entries', values: [], label: 'mirror.sent' }

/** The statement that counts the rows of another one. */
export function countOf({ text, values, label }: Statement): Statement {
  return { text: `select count(*) as entries from (\n${text}\n) as r`, values, label }
}

/** Writes the lines to a file. */
export async function writeLines(batches: AsyncIterable<readonly Row[]>, file: string): Promise<void> {
  const out = createWriteStream(file, { mode: 0o600 })
  const failed = once(out, 'error').then(([error]) => {
    throw error
  })
  failed.catch(() => {})
  try {
    for await (const rows of batches) {
      const text = `${rows.map((row) => row['line']).join('\n')}\n`
      if (!out.write(text)) await Promise.race([once(out, 'drain'), failed])
    }
    out.end()
    await Promise.race([once(out, 'close'), failed])
  } finally {
    out.destroy()
  }
}

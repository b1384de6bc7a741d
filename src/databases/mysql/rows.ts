import type { Connection, FieldPacket } from 'mysql2'
import type { Cell, Row } from '../../ports/rows.ts'

const BATCH_ROWS = 5_000
/** Type codes of `timestamp` and `datetime`. */
const INSTANT_TYPES: readonly number[] = [7, 12]
/** Collation number of binary strings, and the first type code of the blob and string family. */
const BINARY_CHARSET = 63
const FIRST_STRING_TYPE = 249

type RawRow = Record<string, Cell | Uint8Array>

/** The events of a mysql2 command. The driver's types leave them out. */
export interface RowSource {
  on(event: 'result', listener: (row: RawRow) => void): unknown
  on(event: 'fields', listener: (fields: readonly FieldPacket[]) => void): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
  on(event: 'end', listener: () => void): unknown
}

/** Rows with binary strings and fractions of a second in PostgreSQL's form. */
export function exactRows(rows: readonly RawRow[], fields: readonly FieldPacket[]): readonly Row[] {
  const rewritten = fields.flatMap((field) => {
    const write = isBinary(field) ? hexadecimal : isFractional(field) ? withoutPadding : undefined
    return write === undefined ? [] : [{ name: field.name, write }]
  })
  // The rows are changed in place, because there may be many and nothing else holds them.
  for (const { name, write } of rewritten) for (const row of rows) row[name] = write(row[name] ?? null)
  return rows as readonly Row[]
}

/**
 * Rows in batches as they arrive. The socket is paused between batches, and `stop` ends the statement if the reader leaves early.
 */
export async function* rowBatches(
  connection: Connection,
  source: RowSource,
  stop: () => Promise<void>,
): AsyncGenerator<readonly Row[]> {
  let buffer: RawRow[] = []
  let fields: readonly FieldPacket[] = []
  let outcome: 'running' | 'ended' | 'failed' = 'running'
  let failure: unknown
  let left = false
  let wake: () => void = () => {}
  const finish = (how: 'ended' | 'failed', error?: unknown) => {
    if (outcome === 'running') {
      outcome = how
      failure = error
    }
    wake()
  }
  source.on('fields', (sent) => (fields = sent))
  source.on('error', (error) => finish('failed', error))
  source.on('end', () => finish('ended'))
  source.on('result', (row) => {
    if (left) return
    buffer.push(row)
    if (buffer.length < BATCH_ROWS) return
    connection.pause()
    wake()
  })
  const isRunning = () => outcome === 'running'
  const event = () => new Promise<void>((resolve) => (wake = resolve))
  try {
    while (isRunning() || buffer.length > 0) {
      if (isRunning() && buffer.length < BATCH_ROWS) await event()
      if (failure !== undefined) throw failure
      const rows = buffer
      buffer = []
      if (rows.length > 0) yield exactRows(rows, fields)
      connection.resume()
    }
    if (failure !== undefined) throw failure
  } finally {
    left = true
    if (isRunning()) {
      await stop()
      connection.resume()
      // The connection can serve again only after the remaining rows have arrived.
      while (isRunning()) await event()
    }
  }
}

function isBinary(field: FieldPacket): boolean {
  return field.characterSet === BINARY_CHARSET && (field.columnType ?? 0) >= FIRST_STRING_TYPE
}

/** Binary text as `\x` and hexadecimal digits. */
function hexadecimal(cell: Cell | Uint8Array): RawRow[string] {
  return cell instanceof Uint8Array ? `\\x${Buffer.from(cell).toString('hex')}` : cell
}

function isFractional(field: FieldPacket): boolean {
  return INSTANT_TYPES.includes(field.columnType ?? 0) && (field.decimals ?? 0) > 0
}

/** An instant without the zeros that pad its fraction to the column's digits. */
function withoutPadding(cell: Cell | Uint8Array): RawRow[string] {
  if (typeof cell !== 'string') return cell
  const [seconds = '', padded = ''] = cell.split('.')
  const fraction = padded.replace(/0+$/, '')
  return fraction === '' ? seconds : `${seconds}.${fraction}`
}

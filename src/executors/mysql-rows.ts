import type { Connection, FieldPacket } from 'mysql2'
import type { Cell, Row } from '../engine/ports.ts'

const BATCH_ROWS = 5_000
/** Collation number of binary strings, and the first type code of the blob and string family. */
const BINARY_CHARSET = 63
const FIRST_STRING_TYPE = 249

type RawRow = Record<string, Cell | Uint8Array>

/** What a command of mysql2 emits; its own types do not tell. */
export interface RowSource {
  on(event: 'result', listener: (row: RawRow) => void): unknown
  on(event: 'fields', listener: (fields: readonly FieldPacket[]) => void): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
  on(event: 'end', listener: () => void): unknown
}

/** Rows with binary strings written as PostgreSQL writes them, `\x` and hexadecimal digits. */
export function exactRows(rows: readonly RawRow[], fields: readonly FieldPacket[]): readonly Row[] {
  const binary = fields.filter(isBinary).map((field) => field.name)
  if (binary.length === 0) return rows as readonly Row[]
  return rows.map(
    (row) => ({ ...row, ...Object.fromEntries(binary.map((name) => [name, hexadecimal(row[name] ?? null)])) }) as Row,
  )
}

/** Rows as they arrive, in batches; the socket rests while nobody asks. `stop` ends the statement when the reader leaves early. */
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
  const settle = (how: 'ended' | 'failed', error?: unknown) => {
    if (outcome === 'running') {
      outcome = how
      failure = error
    }
    wake()
  }
  source.on('fields', (sent) => (fields = sent))
  source.on('error', (error) => settle('failed', error))
  source.on('end', () => settle('ended'))
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
      // What is still on its way must arrive before the connection can serve again.
      while (isRunning()) await event()
    }
  }
}

function isBinary(field: FieldPacket): boolean {
  return field.characterSet === BINARY_CHARSET && (field.columnType ?? 0) >= FIRST_STRING_TYPE
}

function hexadecimal(cell: Cell | Uint8Array): Cell {
  return cell instanceof Uint8Array ? `\\x${Buffer.from(cell).toString('hex')}` : cell
}

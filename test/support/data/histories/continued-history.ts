import { completeRows, type FilledRow } from '../killbill/insert-rows.ts'
import { type Connection, writerOver } from './billing-writer.ts'
import { generatedHistory } from './generated-history.ts'
import type { History } from './history-seeds.ts'
import { beginRandomWrite } from './random-writes.ts'
import { DAY, dice, later } from './seeded-dice.ts'

const BEGIN = '2024-05-20 12:00:00'

/** A writer that only keeps its rows needs nothing else. */
const NOWHERE: Connection = {
  begin: async () => {},
  insert: async () => {},
  update: async () => {},
  end: async () => {},
  close: async () => {},
}

/** Rows by table, with the last instant at which something was written. */
export interface ContinuedHistory {
  readonly tables: Readonly<Record<string, readonly FilledRow[]>>
  readonly now: string
}

/** A generated history after which the billing engine wrote on for a while, as it does while a cache runs. A seed always gives the same history. */
export async function continuedHistory([seed, accounts]: History, writes: number): Promise<ContinuedHistory> {
  const owner = {}
  const begun = Object.entries(generatedHistory(seed, accounts))
  const tables = new Map(begun.map(([table, rows]) => [table, completeRows(owner, table, rows)]))
  const writer = writerOver(
    owner,
    (name) => tables.get(name) ?? [],
    async () => NOWHERE,
  )
  const draw = dice(seed)
  let now = BEGIN
  for (let count = 0; count < writes; count += 1) {
    if (draw.chance(40)) now = later(now, draw.pick([1, 3_600, DAY, DAY, 3 * DAY]))
    await (await beginRandomWrite(writer, draw, now)).commit()
  }
  const names = new Set([...tables.keys(), ...writer.tables()])
  return { tables: Object.fromEntries([...names].map((table) => [table, writer.rows(table)])), now }
}

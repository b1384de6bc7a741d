import type { BillingWriter } from '../support/data/histories/billing-writer.ts'
import { databaseWriter } from '../support/data/histories/database-writer.ts'
import { type Begun, beginRandomWrite, SHARED_WRITES } from '../support/data/histories/random-writes.ts'
import type { Dice } from '../support/data/histories/seeded-dice.ts'
import type { Tables } from '../support/data/killbill/tables.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'

const MOST_OPEN = 4

/** The billing engine at work: transactions one after the other, some of which stay open for a while. */
export interface Writing {
  step(): Promise<void>
  /** Ends every open transaction and connection; `step` opens new ones. */
  rest(): Promise<void>
  committed(): number
}

/** Writes over a filled database whose rows so far are known. */
export function createWriting(database: TestDatabase, filled: Tables, draw: Dice): Writing {
  let writer: BillingWriter = databaseWriter(database, filled)
  let open: Begun[] = []
  let committed = 0
  return {
    committed: () => committed,
    async step() {
      const now = new Date().toISOString().slice(0, 19).replace('T', ' ')
      const begun = await beginRandomWrite(writer, draw, now)
      if (draw.chance(15) && open.length < MOST_OPEN && !SHARED_WRITES.includes(begun.name)) open.push(begun)
      else {
        await begun.commit()
        committed += 1
      }
      if (open.length > 0 && draw.chance(20)) {
        const [ended] = open.splice(draw.below(open.length), 1)
        await ended?.[draw.chance(80) ? 'commit' : 'rollback']()
      }
    },
    async rest() {
      for (const begun of open) await begun.rollback()
      open = []
      const before = writer
      await before.close()
      writer = databaseWriter(database, (table) => before.rows(table))
    },
  }
}

import { ACCOUNT_WRITES } from './account-writes.ts'
import type { BillingWriter } from './billing-writer.ts'
import { CATALOG_WRITES } from './catalog-writes.ts'
import { INVOICE_WRITES } from './invoice-writes.ts'
import type { Dice } from './seeded-dice.ts'
import { SUBSCRIPTION_WRITES } from './subscription-writes.ts'
import { TRANSFER_WRITES } from './transfer-writes.ts'
import type { Write } from './write-scene.ts'

/** The engine's writes, by name. */
const WRITES: Readonly<Record<string, Write>> = {
  ...SUBSCRIPTION_WRITES,
  ...ACCOUNT_WRITES,
  ...INVOICE_WRITES,
  ...CATALOG_WRITES,
  ...TRANSFER_WRITES,
}

const WRITE_NAMES: readonly string[] = Object.keys(WRITES)

/** Writes that reach rows of other accounts, and so cannot stay open while others write. */
export const SHARED_WRITES: readonly string[] = [
  'transfer',
  'transfer_again',
  'reuse_key',
  'parent_invoice',
  'catalog',
  'sign_up',
]

/** A transaction that has written and is still open. */
export interface Begun {
  readonly name: string
  commit(): Promise<void>
  rollback(): Promise<void>
}

/** Writes something drawn by chance about an account that no open transaction holds; the transaction stays open. */
export async function beginRandomWrite(writer: BillingWriter, dice: Dice, now: string): Promise<Begun> {
  const free = writer.rows('accounts').filter((row) => !writer.held.has(Number(row['record_id'])))
  const account = dice.pick(free)
  const key = Number(account['record_id'])
  const name = dice.pick(WRITE_NAMES)
  const write = WRITES[name]
  if (write === undefined) throw new Error(`no write ${name}`)
  const writing = await writer.begin(now)
  writer.held.add(key)
  const owner = { tenant_record_id: account['tenant_record_id'] ?? null, account_record_id: key }
  const end = async (close: () => Promise<void>): Promise<void> => {
    await close()
    writer.held.delete(key)
  }
  try {
    await write({ writing, writer, dice, now, account, owner })
  } catch (error) {
    await end(writing.rollback)
    throw error
  }
  return { name, commit: () => end(writing.commit), rollback: () => end(writing.rollback) }
}

import { groupBy } from './group.ts'
import { addPeriod, type Instant } from './instant.ts'
import type { BlockingRow } from './rows.ts'

/** An interval [from, to) in which one service blocks billing of one object. If `to` is null, the block is still open. */
export interface Block {
  readonly from: Instant
  readonly to: Instant | null
  readonly overdue: boolean
}

/** The objects of a subscription that can be blocked. */
interface Blockable {
  readonly subscription_id: string
  readonly bundle_id: string
  readonly account_id: string
}

/**
 * Billing blocks that affect a subscription (D20, KB 5.2). They are formed per service and object, from rows on the subscription,
 * its bundle and its account up to its end. A block shorter than 24 hours is dropped, even if other blocks overlap it.
 */
export function blocksOf(rows: readonly BlockingRow[], blockable: Blockable, until: Instant): Block[] {
  const reaching = rows.filter(
    (row) => row.is_active && row.blockable_id === objectOf(row, blockable) && row.effective_date <= until,
  )
  const byServiceAndObject = groupBy(reaching, (row) => `${row.type} ${row.service}`)
  return [...byServiceAndObject.values()].flatMap(intervalsOf).filter((block) => !isShort(block))
}

/** The object of the row's type to which the subscription belongs: itself, its bundle or its account. */
function objectOf(row: BlockingRow, blockable: Blockable): string | null {
  switch (row.type) {
    case 'SUBSCRIPTION':
      return blockable.subscription_id
    case 'SUBSCRIPTION_BUNDLE':
      return blockable.bundle_id
    case 'ACCOUNT':
      return blockable.account_id
    default:
      return null
  }
}

function intervalsOf(rows: readonly BlockingRow[]): Block[] {
  const blocks: Block[] = []
  let opened: BlockingRow | null = null
  for (const row of [...rows].sort(compareRows)) {
    if (row.block_billing) opened ??= row
    else if (opened !== null) {
      blocks.push({ from: opened.effective_date, to: row.effective_date, overdue: row.service === 'overdue-service' })
      opened = null
    }
  }
  if (opened !== null) blocks.push({ from: opened.effective_date, to: null, overdue: opened.service === 'overdue-service' })
  return blocks
}

function compareRows(a: BlockingRow, b: BlockingRow): number {
  if (a.effective_date !== b.effective_date) return a.effective_date < b.effective_date ? -1 : 1
  if (a.created_date !== b.created_date) return a.created_date < b.created_date ? -1 : 1
  return a.record_id - b.record_id
}

function isShort(block: Block): boolean {
  return block.to !== null && block.to < addPeriod(block.from, 0, 1)
}

/** Blocks in force at an instant. Overlapping blocks need not be merged for this. */
export function blocksAt(blocks: readonly Block[], at: Instant): readonly Block[] {
  return blocks.filter((block) => block.from <= at && (block.to === null || at < block.to))
}

import { beforeAll, describe, expect, it } from 'vitest'
import { readFixture } from '../support/data/killbill/killbill-fixture.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

type Cells = Readonly<Record<string, string | null>>

function recorded(table: string): readonly Cells[] {
  const { columns, rows } = readFixture(table)
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])))
}

const SUBSCRIPTIONS = new Map(recorded('subscriptions').map((row) => [row['id'], row]))
const ITEMS = new Map(recorded('invoice_items').map((row) => [row['id'], row]))
const INVOICES = new Map(recorded('invoices').map((row) => [row['id'], row]))
const EVENTS = recorded('subscription_events')
const BLOCKS = recorded('blocking_states')
const TAGS = recorded('tags')

const TEST_ACCOUNT = '00000000-0000-0000-0000-000000000006'
const KINDS: Readonly<Record<string, string>> = { RECURRING: 'recurring', FIXED: 'fixed', REPAIR_ADJ: 'repair' }
const DAY = 86_400_000

/** A charge, as it was foretold or as the engine made it. */
interface Line {
  readonly subscription: string
  readonly kind: string
  readonly from: string
  readonly to: string | null
  readonly cents: number
  readonly on: string
}

const keyOf = ({ subscription, kind, from, to, cents }: Line): string => [subscription, kind, from, to, cents].join(' ')

/** The charges that the engine made after an instant for days up to the last one, from its own items. */
function madeAfter(instant: string, last: string): readonly Line[] {
  const isTest = (row: Cells) => row['tag_definition_id'] === TEST_ACCOUNT && row['is_active'] === 't'
  const tests = new Set(TAGS.filter(isTest).map((row) => row['account_record_id']))
  return [...ITEMS.values()].flatMap((item): readonly Line[] => {
    const invoice = INVOICES.get(item['invoice_id'] ?? '')
    const kind = KINDS[item['type'] ?? '']
    const from = String(item['start_date'])
    const isLate = String(item['created_date']) > instant && from <= last
    if (kind === undefined || !isLate || Number(item['amount']) === 0 || invoice?.['status'] === 'VOID') return []
    if (tests.has(item['account_record_id'] ?? '')) return []
    const owner = item['subscription_id'] ?? ITEMS.get(item['linked_item_id'] ?? '')?.['subscription_id']
    const cents = Math.round(Number(item['amount']) * 100)
    return [
      { subscription: String(owner), kind, from, to: item['end_date'] ?? null, cents, on: String(invoice?.['invoice_date']) },
    ]
  })
}

const OWN_CAUSES: Readonly<Record<string, string>> = {
  CREATE: 'a new subscription',
  TRANSFER: 'a transfer',
  CHANGE: 'a change of plan',
  CANCEL: 'a cancellation',
  UNCANCEL: 'a cancellation that was taken back',
  UNDO_CHANGE: 'a change that was taken back',
  PHASE: 'a phase that the engine wrote later',
  QUANTITY_UPDATE: 'a quantity',
  EXPIRED: 'an end that the engine wrote later',
}

/** The kinds of rows that were written after an instant, and in time to change a charge. */
function causesOf(line: Line, instant: string): readonly string[] {
  const own = SUBSCRIPTIONS.get(line.subscription)
  // The engine may charge a day later, and rows have the time of UTC.
  const written = new Date(Date.parse(line.on) + 2 * DAY).toISOString().slice(0, 10)
  const effective = line.to === null || line.to < written ? written : line.to
  const isCause = (row: Cells) =>
    String(row['created_date']) > instant &&
    String(row['created_date']) < written &&
    String(row['effective_date'] ?? row['created_date']).slice(0, 10) <= effective
  const events = EVENTS.filter(isCause)
  const isSibling = (row: Cells) =>
    row['subscription_id'] !== line.subscription &&
    SUBSCRIPTIONS.get(row['subscription_id'] ?? '')?.['bundle_id'] === own?.['bundle_id']
  const isBlock = (row: Cells) =>
    (row['type'] === 'SUBSCRIPTION_BUNDLE' && row['blockable_id'] === own?.['bundle_id']) ||
    (row['type'] === 'ACCOUNT' && row['account_record_id'] === own?.['account_record_id'])
  const named = events
    .filter((row) => row['subscription_id'] === line.subscription)
    .flatMap((row) => OWN_CAUSES[row['user_type'] ?? row['event_type'] ?? ''] ?? [])
  return [
    ...new Set(named),
    ...(events.some(isSibling) ? ['an event of its bundle'] : []),
    ...(BLOCKS.filter(isCause).some(isBlock) ? ['a pause or its end'] : []),
    ...(TAGS.filter(isCause).some((row) => row['account_record_id'] === own?.['account_record_id'])
      ? ['a tag of the account']
      : []),
  ]
}

/**
 * Charges that were foretold, that the engine made, and that are the same to the cent and the day. Then the others by cause; one may have several. A
 * charge that was foretold and made otherwise is two of them.
 */
const CASES = [
  {
    now: '2025-03-01T00:00:00Z',
    end: '2025-05-31',
    numbers: [152, 250, 135],
    causes: {
      'a new subscription': 86,
      'a change of plan': 29,
      'a cancellation': 7,
      'a phase that the engine wrote later': 46,
      'a quantity': 40,
      'an event of its bundle': 15,
      'a pause or its end': 5,
      'a tag of the account': 5,
    },
  },
  {
    now: '2025-09-10T00:00:00Z',
    end: '2025-12-31',
    numbers: [520, 690, 434],
    causes: {
      'a new subscription': 138,
      'a transfer': 16,
      'a change of plan': 66,
      'a change that was taken back': 7,
      'a cancellation': 68,
      'a cancellation that was taken back': 11,
      'a phase that the engine wrote later': 66,
      'a quantity': 125,
      'an event of its bundle': 44,
      'a pause or its end': 37,
      'a tag of the account': 14,
    },
  },
  {
    now: '2026-02-15T12:00:00Z',
    end: '2026-08-15',
    numbers: [1077, 1629, 730],
    causes: {
      'a new subscription': 593,
      'a transfer': 7,
      'a change of plan': 112,
      'a change that was taken back': 5,
      'a cancellation': 218,
      'a cancellation that was taken back': 31,
      'a phase that the engine wrote later': 171,
      'a quantity': 664,
      'an event of its bundle': 254,
      'a pause or its end': 124,
      'a tag of the account': 25,
    },
  },
] as const

// The database of an earlier instant, with what was written later, is asked for what the engine will bill. The engine's own items say what it then
// billed. Usage is an estimate, so it is not compared.
oneEngineInRotation('charges to come of the recorded tenants, compared with what the engine billed (D91)', (target) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await sharedReal(target)
  })

  describe.each(CASES)('at $now, up to $end', ({ now, end, numbers, causes: known }) => {
    it('differ only by what was written after that instant', async () => {
      const engine = await engineOver(database, { tenant: ['all'], now: new Date(now) })
      const kind = ['recurring', 'fixed', 'repair']
      const read = async (offset: number): Promise<readonly Line[]> => {
        const { data } = await engine.billings({ end, limit: '1000', offset: String(offset) }, { filters: { kind } })
        const { total, rows } = data as { readonly total: number; readonly rows: readonly Cells[] }
        const lines = rows.map((row): Line => {
          const [from, to, on] = [String(row['starts_on']), row['ends_on'] ?? null, String(row['billed_on'])]
          return {
            subscription: String(row['subscription_id']),
            kind: String(row['kind']),
            from,
            to,
            cents: Number(row['amount_cents']),
            on,
          }
        })
        return offset + rows.length < total ? [...lines, ...(await read(offset + rows.length))] : lines
      }
      const instant = now.slice(0, 19).replace('T', ' ')
      const [foretold, made] = [await read(0), madeAfter(instant, end)]
      const [expected, found] = [new Set(foretold.map(keyOf)), new Set(made.map(keyOf))]
      const differing = [
        ...foretold.filter((line) => !found.has(keyOf(line))),
        ...made.filter((line) => !expected.has(keyOf(line))),
      ]
      const unexplained = differing.filter((line) => causesOf(line, instant).length === 0)
      expect(unexplained).toEqual([])
      const right = foretold.filter((line) => found.has(keyOf(line)))
      const causes = new Map<string, number>()
      for (const line of differing) for (const cause of causesOf(line, instant)) causes.set(cause, (causes.get(cause) ?? 0) + 1)
      expect([foretold.length, made.length, right.length]).toEqual(numbers)
      expect(Object.fromEntries(causes)).toEqual(known)
      const months = new Set(right.map(({ from }) => from.slice(0, 7)))
      expect(months.size).toBeGreaterThan(2)
    })
  })
})

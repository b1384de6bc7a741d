import Big from 'big.js'
import type { Row } from '../../../src/connector-kit/connector.ts'
import type { Tables } from '../data/killbill/tables.ts'
import { provenItems, type Told } from './killbill/fold/parent-links.ts'

/** An amount that the invoice of a parent asks for, and an invoice of its child does not, in cents. */
export interface Surplus {
  readonly kind: 'child_credit_on_parent' | 'child_void_on_parent'
  readonly invoice: Row
  readonly since: string
  readonly cents: number
}

const WRITTEN_OFF = '00000000-0000-0000-0000-000000000004'
const text = (cell: unknown): string => String(cell).slice(0, 19)
const is = (cell: unknown): boolean => cell === true || cell === 't' || cell === 1
const sum = (rows: readonly Row[]): Big => rows.reduce((total, row) => total.plus(String(row['amount'])), new Big(0))

/** Every surplus on the items of parents, item by item from the raw rows. */
export function surplusOf(tables: Tables, now: string): readonly Surplus[] {
  const known = (table: string) => tables(table).filter((row) => text(row['created_date']) <= now)
  const itemsOf = (id: unknown) => known('invoice_items').filter((item) => item['invoice_id'] === id)
  const isAskedFor = (parent: Row) =>
    parent['status'] !== 'VOID' &&
    !is(parent['migrated']) &&
    !known('tags').some(
      (tag) => is(tag['is_active']) && tag['object_id'] === parent['id'] && tag['tag_definition_id'] === WRITTEN_OFF,
    )
  const family = {
    links: tables('invoice_parent_children'),
    accounts: tables('accounts'),
    invoices: tables('invoices'),
    invoice_history: tables('invoice_history'),
    invoice_items: tables('invoice_items'),
  }
  return provenItems(family, now).flatMap(({ parent_invoice_id, to, linked, fitting }) => {
    const parent = known('invoices').find(({ id }) => id === parent_invoice_id)
    if (parent === undefined || !isAskedFor(parent)) return []
    const later = ({ row, at }: Told, type: string) =>
      itemsOf(row['id']).filter((item) => item['type'] === type && text(item['created_date']) > at)
    const owner = String(linked[0]?.row['account_record_id'])
    const child = tables('accounts').find((account) => String(account['record_id']) === owner)?.['id']
    const summaries = itemsOf(parent_invoice_id).filter(
      (item) => item['type'] === 'PARENT_SUMMARY' && item['child_account_id'] === child,
    )
    const takenBack = itemsOf(parent_invoice_id).filter(
      (item) =>
        ['ITEM_ADJ', 'REPAIR_ADJ'].includes(String(item['type'])) && summaries.some(({ id }) => id === item['linked_item_id']),
    )
    const passedOn = linked.flatMap((one) => later(one, 'ITEM_ADJ').filter((item) => text(item['created_date']) >= to))
    // The rest of what the item has lost settles the oldest amounts.
    let rest = sum(passedOn).minus(sum(takenBack))
    const found = [...linked, ...fitting]
      .filter(({ amount }) => amount > 0n)
      .flatMap((one): readonly (Omit<Surplus, 'cents'> & { readonly amount: Big })[] => {
        const invoice = one.row
        if (invoice['status'] === 'VOID') {
          const voids = known('invoice_history').filter(
            (row) => row['target_record_id'] === invoice['record_id'] && row['status'] === 'VOID',
          )
          const since = voids.map((row) => text(row['created_date'])).sort()[0] ?? one.at
          const lost = linked.includes(one) ? sum(later(one, 'ITEM_ADJ')) : new Big(0)
          const charged = itemsOf(invoice['id']).filter((item) => text(item['created_date']) <= one.at)
          return [{ kind: 'child_void_on_parent', invoice, since, amount: sum(charged).plus(lost) }]
        }
        const credit = later(one, 'CBA_ADJ')
        const used = credit.filter((item) => Number(item['amount']) < 0).map((item) => text(item['created_date']))
        const amount = new Big(0).minus(sum(credit))
        return used.length === 0 ? [] : [{ kind: 'child_credit_on_parent', invoice, since: used.sort()[0] ?? '', amount }]
      })
      .filter(({ amount }) => amount.gt(0))
      .sort((a, b) => (`${a.since} ${String(a.invoice['id'])}` < `${b.since} ${String(b.invoice['id'])}` ? -1 : 1))
    return found.flatMap(({ kind, invoice, since, amount }): readonly Surplus[] => {
      const settled = rest.gt(amount) ? amount : rest.gt(0) ? rest : new Big(0)
      rest = rest.minus(settled)
      const cents = Number(amount.minus(settled).times(100).round(0, Big.roundHalfUp))
      return cents > 0 ? [{ kind, invoice, since, cents }] : []
    })
  })
}

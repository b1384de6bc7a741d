import Big from 'big.js'
import { CONTROL_TAGS } from '../../../../../connectors/killbill/control-tags.ts'
import type { Row } from '../../../../../src/connector-kit/connector.ts'
import { chargedThrough } from '../../local-days.ts'
import { type FoldedAccount, isTestAccount } from '../fold/fold-account.ts'
import type { AccountTables } from '../fold/read-row.ts'
import type { AccountRows } from '../fold/rows.ts'
import { bundleLine } from '../fold/transfers.ts'
import { NO_ATTRIBUTES } from './attributes.ts'
import { cancellationRows, firstCancels } from './cancellation-rows.ts'
import type { Details } from './details.ts'
import { movementRows } from './movement-rows.ts'

/** Control tags of accounts that are not charged automatically (D61, KB 9.3). */
const MANUAL_TAGS: readonly string[] = [CONTROL_TAGS.AUTO_PAY_OFF, CONTROL_TAGS.MANUAL_PAY]

/** An account in three forms: the raw tables, the parsed rows, and the result of the fold. */
interface FilledAccount {
  readonly tables: AccountTables
  readonly rows: AccountRows
  readonly folded: FoldedAccount
  readonly details: Details
  /** `tenants.id`. */
  readonly source_id: string
}

/** The account's rows of the relations that the cache holds, except `subscription_life`. Do not call this for an excluded test account (D16). */
export function accountRows(account: FilledAccount): ReadonlyMap<string, readonly Row[]> {
  const { rows, details, folded } = account
  return new Map([
    ['customer', [customerRow(account)]],
    ['subscription', subscriptionRows(account)],
    ['bundle_line', lineRows(rows)],
    ['subscription_span', folded.spans.map((span) => ({ ...span }))],
    ['movement', movementRows(folded.spans, linesOf(rows))],
    ['trial', folded.trials.map((trial) => ({ ...trial }))],
    ['cancellation', cancellationRows(rows, details)],
    ['customer_field', attributeRows(account)],
    ...moneyRows(account),
  ])
}

/**
 * Custom fields and tags as attributes. Of several fields with one name, the newest counts. A field may have the key of a tag (`tag.X`).
 * Both are stored, and each answer decides which one counts.
 */
function attributeRows({ rows, details, source_id }: FilledAccount): Row[] {
  const customer = { customer_key: rows.account.record_id, source_id, customer_id: rows.account.id }
  const { fields, tags } = details.attributes.get(rows.account.record_id) ?? NO_ATTRIBUTES
  return [
    ...[...fields].map(([attribute_key, { value, record_id }]) => ({
      ...customer,
      attribute_key,
      attribute_value: value,
      is_tag: false,
      position_in_engine: record_id,
    })),
    ...[...tags].map(([name, record_id]) => ({
      ...customer,
      attribute_key: `tag.${name}`,
      attribute_value: 'true',
      is_tag: true,
      position_in_engine: record_id,
    })),
  ]
}

function customerRow({ tables, rows, source_id }: FilledAccount): Row {
  const { account } = tables
  const cell = (column: string) => account[column] ?? null
  const isManual = rows.tags.some(
    (tag) => tag.is_active && tag.object_type === 'ACCOUNT' && MANUAL_TAGS.includes(tag.tag_definition_id),
  )
  return {
    customer_key: rows.account.record_id,
    source_id,
    customer_id: rows.account.id,
    customer_name: cell('name'),
    external_key: cell('external_key'),
    email: cell('email'),
    currency: cell('currency'),
    customer_country: cell('country'),
    created_at: cell('created_date'),
    collection_method: isManual ? 'manual' : 'automatic',
    company_name: cell('company_name'),
    city: cell('city'),
    state: cell('state_or_province'),
    postal_code: cell('postal_code'),
    locale: cell('locale'),
    time_zone: cell('time_zone'),
  }
}

function subscriptionRows({ tables, rows }: FilledAccount): Row[] {
  const keys = new Map(rows.bundles.map((bundle) => [bundle.id, bundle.external_key]))
  const cancels = firstCancels(rows)
  return tables.subscriptions.flatMap((subscription) => {
    const id = String(subscription['id'])
    const key = keys.get(String(subscription['bundle_id']))
    const cancel = cancels.get(id)
    if (key === undefined) return []
    return [
      {
        subscription_id: id,
        customer_key: rows.account.record_id,
        bundle_id: subscription['bundle_id'] ?? null,
        bundle_external_key: key,
        bundle_line: bundleLine(key),
        external_key: subscription['external_key'] ?? null,
        category: subscription['category'] ?? null,
        created_at: subscription['created_date'] ?? null,
        original_started_at: subscription['start_date'] ?? null,
        charged_through_on: chargedThrough(tables.account, subscription),
        cancel_requested_at: cancel?.created_date ?? null,
        cancel_at: cancel?.effective_date ?? null,
      },
    ]
  })
}

function lineRows(rows: AccountRows): Row[] {
  return [...linesOf(rows)].map(([subscription_id, bundle_line]) => ({
    customer_key: rows.account.record_id,
    subscription_id,
    bundle_line,
  }))
}

/** Line of each subscription (D33). Equal keys in two tenants are two lines. */
function linesOf({ account, bundles, subscriptions }: AccountRows): ReadonlyMap<string, string> {
  const lines = new Map(bundles.map((bundle) => [bundle.id, `${account.tenant_record_id}:${bundleLine(bundle.external_key)}`]))
  return new Map(
    subscriptions.flatMap(({ id, bundle_id }): [string, string][] => {
      const line = lines.get(bundle_id)
      return line === undefined ? [] : [[id, line]]
    }),
  )
}

function moneyRows({ rows, folded }: FilledAccount): [string, Row[]][] {
  const customer_key = rows.account.record_id
  return [
    [
      'invoice',
      folded.paid_invoices.map(({ amount, ...invoice }) => ({
        customer_key,
        ...invoice,
        amount_cents: centsOf(amount),
        tax_cents: centsOf(folded.taxes.get(invoice.invoice_id) ?? new Big(0)),
      })),
    ],
    ['refund', folded.refunds.map(({ amount, ...refund }) => ({ customer_key, ...refund, amount_cents: centsOf(amount) }))],
    [
      'usage_charge',
      folded.usage_charges.map(({ date, cents, ...charge }) => ({
        customer_key,
        ...charge,
        charge_date: date,
        amount_cents: cents,
      })),
    ],
  ]
}

function centsOf(amount: Big): string {
  return amount.times(100).round(0, Big.roundHalfUp).toFixed()
}

/** True if the account is an excluded test account (D16). */
export function isLeftOut(rows: AccountRows, testAccounts: 'exclude' | 'include'): boolean {
  return testAccounts === 'exclude' && isTestAccount(rows)
}

import type { ReactNode } from 'react'
import { numberIn, type Row, rowsIn, textIn } from '../api/use-answer.ts'
import { useNow } from '../controls/use-page.ts'
import { dayIn, formatDay } from '../format/days.ts'
import { Dash, Figure } from '../format/figure.tsx'
import { labelOf, rawTitle, valueLabel } from '../format/labels.ts'
import { formatChange, formatValue } from '../format/numbers.ts'
import { CustomerName } from './customer-name.tsx'
import { Instant } from './instant.tsx'

/** A column of the rows behind a number. */
export interface RowColumn {
  readonly key: string
  readonly label: string
  readonly isNumber: boolean
  readonly render: (row: Row) => ReactNode
}

/** The columns that rows behind a number have values for. */
export function columnsOfRows(rows: readonly Row[], currency: string): readonly RowColumn[] {
  const has = (key: string) => rows.some((row) => (row[key] ?? null) !== null)
  const isCounted = rows.some((row) => row['count'] !== 1)
  const column = (key: string, label: string, isNumber: boolean, render: (row: Row) => ReactNode, isShown = has(key)) =>
    isShown ? [{ key, label, isNumber, render }] : []
  const money = (key: string, label: string) =>
    column(key, label, true, (row) => <Figure value={numberIn(row, key)} unit="money" currency={currency} precise />)
  const isMoney = has('amount_base_cents') || has('amount_cents')
  // A step of a bridge changes counts or amounts.
  const figure = isMoney ? ({ unit: 'money', currency, precise: true } as const) : ({ unit: 'count' } as const)
  const step = (key: string, label: string) =>
    column(key, label, true, (row) => <Figure value={numberIn(row, key)} {...figure} />)
  const isStep = has('difference')
  return [
    column('customer_name', 'Customer', false, (row) => <CustomerName row={row} field="customer_name" />, true),
    column('occurred_at', 'Date', false, (row) => <When text={textIn(row, 'occurred_at')} />),
    column('movement_type', 'Movement', false, (row) => <Movement row={row} />),
    column('plan_id', 'Plan', false, (row) => <Change row={row} before="plan_before" after="plan_after" otherwise="plan_id" />),
    column('quantity_after', 'Quantity', true, (row) => <Change row={row} before="quantity_before" after="quantity_after" />),
    column('unit_price_after_cents', 'Unit price', true, (row) => (
      <Change row={row} before="unit_price_before_cents" after="unit_price_after_cents" isMoney />
    )),
    column('cancel_reason', labelOf('cancel_reason'), false, (row) => <CancelReason row={row} />),
    column('reason', 'Reason', false, (row) => textIn(row, 'reason') ?? <Dash reason="No reason is recorded." />),
    ...(isStep
      ? [
          step('before', 'Before'),
          step('after', 'After'),
          column('difference', 'Difference', true, (row) => {
            return (
              <span className="figure">
                {formatChange(numberIn(row, 'difference') ?? 0, figure.unit, { currency, precise: true })}
              </span>
            )
          }),
        ]
      : [
          has('amount_base_cents') ? money('amount_base_cents', 'Amount') : money('amount_cents', 'Amount'),
          column(
            'rate_part_base_cents',
            labelOf('rate_part_base_cents'),
            true,
            (row) => <Figure value={numberIn(row, 'rate_part_base_cents')} unit="money" currency={currency} precise signed />,
            rows.some((row) => (numberIn(row, 'rate_part_base_cents') ?? 0) !== 0),
          ),
          column('count', 'Count', true, (row) => <Figure value={numberIn(row, 'count')} unit="count" />, !isMoney && isCounted),
        ]),
  ].flat()
}

function When({ text }: { readonly text: string | null }) {
  return text === null ? <Dash reason="No date." /> : <Instant text={text} />
}

function Movement({ row }: { readonly row: Row }) {
  const type = textIn(row, 'movement_type')
  if (type === null) return <Dash reason="Not a movement of one kind." />
  return (
    <span className={`tag is-${type}`} title={rawTitle(type, 'movement_type')}>
      {valueLabel(type, 'movement_type')}
    </span>
  )
}

function CancelReason({ row }: { readonly row: Row }) {
  const reason = textIn(row, 'cancel_reason')
  if (reason === null) return <Dash reason="No reason is recorded." />
  return <span title={rawTitle(reason, 'cancel_reason')}>{valueLabel(reason, 'cancel_reason')}</span>
}

interface ChangeProps {
  readonly row: Row
  readonly before: string
  readonly after: string
  /** The field to show if the row has neither. */
  readonly otherwise?: string
  /** Whether the values are amounts in the row's own currency. */
  readonly isMoney?: boolean
}

/** The value from the change on, and the one before if it differs. */
function Change({ row, before, after, otherwise, isMoney = false }: ChangeProps) {
  const { currency: base } = useNow()
  const currency = textIn(row, 'currency') ?? base
  const shown = (key: string) => {
    const value = row[key] ?? null
    if (typeof value === 'number') return formatValue(value, isMoney ? 'money' : 'count', { currency, precise: true })
    return value === null ? undefined : String(value)
  }
  const [earlier, now = earlier ?? (otherwise === undefined ? undefined : shown(otherwise))] = [shown(before), shown(after)]
  if (now === undefined) return <Dash reason="No value." />
  if (earlier === undefined || earlier === now) return <span className="figure">{now}</span>
  return (
    <span className="figure">
      <span className="muted">
        {earlier} <span aria-hidden="true">→</span>
        <span className="visually-hidden">then</span>{' '}
      </span>
      {now}
    </span>
  )
}

/** The fields of a row that have no column, and the records of the billing database that made it. */
export function CountedDetail({ row }: { row: Row }) {
  const { currency: base, zone } = useNow()
  const evidence = rowsIn(row, 'evidence')
  const facts = factsOf(row, base, zone)
  const usage = textIn(row, 'usage_note')
  return (
    <div className="detail">
      {facts.length > 0 && (
        <dl className="facts">
          {facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {usage !== null && <p>{usage}</p>}
      {evidence.length === 0 ? (
        <p className="muted">The billing database has no record that tells this row alone.</p>
      ) : (
        <ul className="evidence" aria-label="Records of the billing database">
          {evidence.map((one) => (
            <Record key={`${textIn(one, 'table')} ${numberIn(one, 'record_id')} ${textIn(one, 'id')}`} record={one} />
          ))}
        </ul>
      )}
    </div>
  )
}

function Record({ record }: { record: Row }) {
  const at = textIn(record, 'occurred_at')
  return (
    <li>
      <span className="evidence-note">{textIn(record, 'note')}</span>
      <span className="muted">
        <code>{textIn(record, 'table')}</code> {numberIn(record, 'record_id') ?? textIn(record, 'id')}
        {at !== null && (
          <>
            {' · '}
            <Instant text={at} hasTime />
          </>
        )}
      </span>
    </li>
  )
}

function factsOf(row: Row, base: string, zone: string) {
  const currency = textIn(row, 'currency') ?? base
  const money = (key: string) => {
    const cents = numberIn(row, key)
    return cents === null ? undefined : formatValue(cents, 'money', { currency, precise: true })
  }
  const day = (key: string) => {
    const text = textIn(row, key)
    return text === null ? undefined : formatDay(dayIn(zone, text))
  }
  const state = (key: string) => {
    const text = textIn(row, key)
    return text === null ? undefined : valueLabel(text, 'status')
  }
  const [from, to, rate] = [day('valid_from'), day('valid_to'), textIn(row, 'rate')]
  const facts: readonly (readonly [name: string, value: string | undefined])[] = [
    ['Subscription', textIn(row, 'subscription_id') ?? undefined],
    ['Status', changeOf(state('status_before'), state('status_after'))],
    ['MRR', changeOf(money('mrr_before_cents'), money('mrr_after_cents'))],
    ['Usage part of MRR', usageIn(row) ? changeOf(money('usage_mrr_before_cents'), money('usage_mrr_after_cents')) : undefined],
    ['In force', from && `from ${from}${to === undefined ? '' : ` to ${to}`}`],
    ['Original amount', rate === null ? undefined : money('amount_cents')],
    ['Exchange rate', rate === null ? undefined : `${rate} of ${day('rate_day')}`],
  ]
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))
}

function usageIn(row: Row): boolean {
  return ['usage_mrr_before_cents', 'usage_mrr_after_cents'].some((key) => (numberIn(row, key) ?? 0) !== 0)
}

function changeOf(before: string | undefined, after: string | undefined): string | undefined {
  return before === undefined || after === undefined || before === after ? (after ?? before) : `${before}, then ${after}`
}

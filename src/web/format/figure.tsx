import type { Good, Unit } from '../../core/column.ts'
import { rawTitle, valueLabel } from './labels.ts'
import { formatChange, formatValue, NO_VALUE, type NumberStyle } from './numbers.ts'

/** A number with its unit. Null shows a dash with a reason. */
export function Figure({
  value,
  unit,
  reason,
  ...style
}: { value: number | null; unit: Unit; reason?: string | undefined } & NumberStyle) {
  if (value === null) return <Dash reason={reason} />
  return <span className="figure">{formatValue(value, unit, style)}</span>
}

/** Placeholder for a missing value. */
export function Dash({ reason = 'No value: the data is missing, or the divisor is zero.' }: { reason?: string | undefined }) {
  return (
    <abbr className="dash" title={reason}>
      {NO_VALUE}
    </abbr>
  )
}

/** The label of a field's value, with the raw value on hover. */
export function Labelled({ value, field }: { value: unknown; field: string }) {
  const raw = rawTitle(value, field)
  const label = valueLabel(value, field)
  return raw === undefined ? label : <span title={raw}>{label}</span>
}

/** A change with its direction as text and arrow, not by colour alone. */
export function Change({
  value,
  unit,
  good = 'up',
  currency,
}: {
  value: number | null
  unit: Unit
  good?: Good
  currency?: string | undefined
}) {
  if (value === null) return null
  const direction = value === 0 ? 'none' : value > 0 ? 'up' : 'down'
  const isGood = good === 'neither' || direction === 'none' ? '' : direction === good ? ' is-good' : ' is-bad'
  return (
    <span className={`change figure${isGood}`}>
      <span aria-hidden="true">{direction === 'none' ? '' : direction === 'up' ? '▲ ' : '▼ '}</span>
      {formatChange(value, unit, { currency })}
    </span>
  )
}

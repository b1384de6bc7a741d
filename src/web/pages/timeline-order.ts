/** Kinds of events in the order in which they follow each other at one instant. MRR movements are between a start and an end. */
const ORDER: readonly string[] = [
  'created',
  'trial',
  'subscription',
  'canceling',
  'ended',
  'movement',
  'invoice',
  'payment',
  'settled',
  'voided',
]

interface Event {
  /** An instant, or a day. */
  readonly at: string
  readonly kind: string
  readonly text: string
}

/** Events with the newest first, and those of one instant in one order, whatever the order in which they were read. */
export function newestFirst<One extends Event>(events: readonly One[]): readonly One[] {
  const order = ({ kind }: Event) => ORDER.indexOf(ORDER.includes(kind) ? kind : 'movement')
  return events.toSorted(
    (one, other) => Date.parse(other.at) - Date.parse(one.at) || order(other) - order(one) || one.text.localeCompare(other.text),
  )
}

import type { MarkedAmounts, MarkedThing } from '../../core/finding-mark.ts'
import { BEGINNING, dayOf } from '../../core/periods.ts'
import type { RunContext } from '../../execution/run.ts'
import { integerOrNull, textOf } from '../../ports/cells.ts'
import { parseData } from '../../query/lists/request.ts'
import { inUtc, readRows } from './answer.ts'
import { FINDING_CLASSES, type FindingClass } from './classes.ts'
import { NO_MARKS } from './marks.ts'
import { NOTICE_INPUTS, readNotices } from './notices/answer.ts'
import { FINDING_INPUTS, parseHealth } from './request.ts'

/** Ids by which a caller names findings or notices of a kind. Those that are null or absent do not narrow. */
export type NamedThing = Pick<MarkedThing, 'kind'> & {
  readonly [Id in Exclude<keyof MarkedThing, 'kind'>]?: string | null | undefined
}

/** A finding or notice of now, with its amounts. */
export type PresentThing = MarkedThing & MarkedAmounts

/** True for the class of a finding. Other kinds are those of notices. */
export function isFindingClass(kind: string): kind is FindingClass {
  return FINDING_CLASSES.some((name) => name === kind)
}

/** The findings that these ids name, of all days up to yesterday. */
export async function presentFindings(named: NamedThing, asked: RunContext): Promise<readonly PresentThing[]> {
  const context = await inUtc(asked)
  const params = { class: named.kind, start: dayOf(BEGINNING), ...narrowing(named) }
  const request = parseHealth(params, {}, FINDING_INPUTS, context.session.now)
  const rows = await readRows(request, context, NO_MARKS)
  const { base_currency } = context.session.definitions
  return rows
    .map((row) => ({
      source_id: textOf(row, 'source_id'),
      kind: named.kind,
      customer_id: textOf(row, 'customer_id'),
      subscription_id: textOf(row, 'subscription_id'),
      invoice_id: null,
      base_currency,
      monthly_base_cents: integerOrNull(row, 'monthly_base_cents'),
      amount_base_cents: 0,
    }))
    .filter((thing) => isNamed(thing, named))
}

/** The notices that these ids name, in the session of `context`, which reads the billing database. */
export async function presentNotices(named: NamedThing, asked: RunContext): Promise<readonly PresentThing[]> {
  const context = await inUtc(asked)
  const request = parseData(narrowing(named), {}, NOTICE_INPUTS, context.session.now)
  const notices = await readNotices(request, context)
  const { base_currency } = context.session.definitions
  return notices
    .map(({ source_id, kind, customer_id, subscription_id, invoice_id, monthly_base_cents, amount_base_cents }) => {
      return { source_id, kind, customer_id, subscription_id, invoice_id, base_currency, monthly_base_cents, amount_base_cents }
    })
    .filter((thing) => thing.kind === named.kind && isNamed(thing, named))
}

/** The parameters of a list that narrow it to these ids. */
function narrowing({ source_id, customer_id }: NamedThing): Readonly<Record<string, string>> {
  return {
    ...(typeof source_id === 'string' && { source_id }),
    ...(typeof customer_id === 'string' && { customer_id }),
  }
}

function isNamed(thing: MarkedThing, named: NamedThing): boolean {
  const ids = ['source_id', 'customer_id', 'subscription_id', 'invoice_id'] as const
  return ids.every((id) => (named[id] ?? thing[id]) === thing[id])
}

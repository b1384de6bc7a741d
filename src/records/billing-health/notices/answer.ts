import * as z from 'zod'
import { sql } from '../../../compiler/fragment.ts'
import { inUnits, sumOrNull } from '../../../core/amount.ts'
import { BEGINNING, dayOf, daysBefore } from '../../../core/periods.ts'
import { shapeRecords } from '../../../execution/answer/describe-columns.ts'
import type { Question } from '../../../execution/pipeline.ts'
import { compileData, type RunContext } from '../../../execution/run.ts'
import { textCell, textOf } from '../../../ports/cells.ts'
import type { Row } from '../../../ports/rows.ts'
import { matchesText } from '../../../query/condition-match.ts'
import { listField, TENANT_FIELD } from '../../../query/lists/definition.ts'
import { type DataRequest, type ListInputs, namedInList, parseData } from '../../../query/lists/request.ts'
import type { Raw } from '../../../query/raw-parameters.ts'
import { pointAt } from '../../../query/timeframe.ts'
import { allOf, conditionsOf, isText, listFact, listFilters, ofCustomers } from '../../filters.ts'
import { matchingSubscriptions } from '../../subscription-conditions.ts'
import { asDeclared, warnOfMissingRates } from '../../written-rows.ts'
import { isNamed, MARK_FILTER, type NamedThing, narrowedToIds, type PresentThing, readMarks } from '../marks.ts'
import { listsOf, noticesOf } from './judge.ts'
import { NOTICE_KINDS, type NoticeKind } from './kinds.ts'
import { dayIn, keyOf } from './notice.ts'
import { type MarkedList, NOTICE_LIST, NOTICE_ROW, type Notice } from './rows.ts'

/** Relations without which notices cannot be listed. */
export const NOTICE_READS: readonly string[] = ['billing_notice', 'listed_plan', 'billed_invoice', 'mrr_span', 'customer']

/** Fields of notices. Only the notices themselves show them, not the rows of the database. */
const OF_NOTICES = ['kind', 'mark'] as const

/** Parameters and filters of the notices. */
export const NOTICE_INPUTS: ListInputs = {
  fields: [
    TENANT_FIELD,
    listField('currency', 'Currency of the account. subscription.currency is that of a subscription.', sql`customer.currency`, {
      isUpperCase: true,
    }),
    listField('kind', NOTICE_KINDS.join(', '), sql`fact.kind`, { known: NOTICE_KINDS }),
    listField('mark', MARK_FILTER.join(', '), sql`'none'`, { known: MARK_FILTER }),
  ],
  statuses: [],
  subscriptions: 'some',
  own: ['limit', 'offset', 'search', 'source_id', 'customer_id'],
  takesDays: false,
  takesSegment: true,
}

const FOUND = z.object({ lists: z.array(NOTICE_LIST), rows: z.array(NOTICE_ROW) })

/** A page of notices, with the sums of all lists. */
interface NoticePage {
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly lists: readonly MarkedList[]
  readonly rows: readonly Notice[]
}

/** Lists of everything that a person must look at, apart from the findings (H6). `kind` and `mark` choose rows; `lists` has the sums of the chosen ones. */
export function noticesQuestion(params: Raw, spec: Raw, sets: readonly string[]): Question<DataRequest, NoticePage> {
  const inputs = { ...NOTICE_INPUTS, sets }
  return {
    key: ['billing notices', params, spec],
    set: undefined,
    isInUtc: true,
    named: namedInList(params, spec, inputs),
    plan: (now, names) => parseData(params, spec, inputs, now, names),
    planAt: (request) => request,
    takesAttributes: () => false,
    audience: ({ audience }) => audience,
    conditions: conditionsOf,
    async run(request, context) {
      const isAsked = (key: (typeof OF_NOTICES)[number], word: string) =>
        request.conditions.every((condition) => condition.field.key !== key || matchesText(condition, word))
      const all = await withMarks(await readNotices(request, context), request, context)
      const chosen = all.filter(({ mark }) => isAsked('mark', mark?.state ?? 'none'))
      const rows = chosen.filter(({ kind }) => isAsked('kind', kind))
      const { limit, offset } = request
      const { customerUrl } = context.deps.connector
      const page = rows
        .slice(offset, offset + limit)
        .map((notice) => ({ ...notice, admin_url: customerUrl?.(notice.customer_id, notice.invoice_id ?? undefined) ?? null }))
      const unknown = context.session.connector.notices_unknown?.kinds ?? []
      const found = { lists: markedLists(chosen, unknown).filter(({ kind }) => isAsked('kind', kind)), rows: page }
      return { total: rows.length, limit, offset, ...asDeclared(FOUND, found, 'an answer of notices') }
    },
    shape({ lists, ...page }, request, { session }) {
      const base = session.definitions.base_currency
      const sums = request.money === 'units' ? inUnits(lists, z.array(NOTICE_LIST), base) : lists
      const shaped = shapeRecords({ data: page, kind: 'page' }, NOTICE_ROW, request, base)
      return { ...shaped, data: { ...(shaped.data as typeof page), lists: sums } }
    },
  }
}

async function withMarks(
  notices: readonly Notice[],
  { conditions }: DataRequest,
  context: RunContext,
): Promise<readonly Notice[]> {
  const marks = await readMarks(conditions, context)
  const { base_currency } = context.session.definitions
  return notices.map((notice) => ({ ...notice, mark: marks.of(notice, notice, base_currency) }))
}

/** The sums of each list. Rows that are marked as no error have separate sums (H7). Those of `unknown` lists are null. */
function markedLists(notices: readonly Notice[], unknown: readonly string[]): readonly MarkedList[] {
  const isNoError = ({ mark }: Notice) => mark?.state === 'no_error'
  const counted = notices.filter((notice) => !isNoError(notice))
  return listsOf(counted, unknown).map((list) => {
    const marked = notices.filter((notice) => notice.kind === list.kind && isNoError(notice))
    return {
      ...list,
      seen: counted.filter(({ kind, mark }) => kind === list.kind && mark !== null).length,
      marked: {
        count: marked.length,
        amount_base_cents: sumOrNull(marked.map((notice) => notice.amount_base_cents)),
        monthly_base_cents: sumOrNull(marked.map((notice) => notice.monthly_base_cents)),
      },
    }
  })
}

/** All notices about the customers of the request, in the session of `context`, which reads the billing database. */
export async function readNotices(request: DataRequest, context: RunContext): Promise<readonly Notice[]> {
  const { session, warn } = context
  for (const warning of request.warnings) warn(warning)
  const { notices_unknown: unknown } = session.connector
  if (unknown !== undefined) warn({ code: 'partial', message: unknown.reason, count: unknown.kinds.length })
  const notices = noticesOf({
    running: await readRows('running', request, context),
    invoices: await readRows('open_invoices', request, context),
    facts: await readRows('notices', request, context),
    today: provenDay(context),
    priceFlaw: (plan, currency) => session.connector.priceFlaw?.(plan, currency),
  }).filter(await isOfMatching(request, context))
  warnOfMissingRates(
    notices.filter(isUnrated).map(({ currency }) => currency),
    context,
  )
  return notices
}

/** The day up to which the rows prove that something did not happen: today, or in a copy the day up to which it is known to be complete. */
function provenDay({ session }: RunContext): string {
  const today = dayOf(session.now)
  const through = session.connector.copied?.through?.slice(0, 10)
  return through !== undefined && through < today ? through : today
}

/**
 * True for a notice that the fields of subscriptions choose: one about a subscription if this one matches. Those about a customer or an
 * invoice are chosen by the customer.
 */
async function isOfMatching({ ofSubscription }: DataRequest, context: RunContext): Promise<(notice: Notice) => boolean> {
  const found = await matchingSubscriptions(ofSubscription, context)
  const matching = found && new Set(found.map((row) => keyOf(row, 'subscription_id')))
  return (one) => matching === undefined || one.subscription_id === null || matching.has(keyOf(one, 'subscription_id'))
}

/** The notices that these ids name, in the session of `context`, which reads the billing database with the days of UTC. */
export async function presentNotices(named: NamedThing, context: RunContext): Promise<readonly PresentThing[]> {
  const request = parseData(narrowedToIds(named), {}, NOTICE_INPUTS, context.session.now)
  const { base_currency } = context.session.definitions
  return (await readNotices(request, context))
    .filter((notice) => isNamed(notice, named))
    .map(({ source_id, kind, customer_id, subscription_id, invoice_id, monthly_base_cents, amount_base_cents }) => {
      return { source_id, kind, customer_id, subscription_id, invoice_id, base_currency, monthly_base_cents, amount_base_cents }
    })
}

/** The customers with usage that no invoice has, and since when, in the session of `context`, which reads the billing database. */
export async function uninvoicedUsage(
  context: RunContext,
): Promise<readonly { readonly name: string; readonly since: string }[]> {
  const request = parseData({}, {}, NOTICE_INPUTS, context.session.now)
  const facts = await readRows('notices', request, context, 'usage_not_invoiced')
  return facts
    .map((fact) => ({
      name: textCell(fact, 'customer_name') ?? textOf(fact, 'customer_id'),
      since: dayIn(fact) ?? '',
    }))
    .sort((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : a.name < b.name ? -1 : 1))
}

/** The rows of a statement of sql/billing_health. Facts may be those of one kind only. */
async function readRows(query: string, request: DataRequest, context: RunContext, kind?: NoticeKind): Promise<readonly Row[]> {
  const { session } = context
  const conditions = request.conditions.filter(({ field }) => !OF_NOTICES.some((key) => key === field.key))
  const narrowed = listFilters(ofCustomers(), { ...request, conditions }, listFact(context))
  const filters = sql`${narrowed}${allOf(kind === undefined ? [] : [isText(sql`fact.kind`, kind)])}`
  const params = { rate_day: daysBefore(dayOf(session.now), 1) }
  const window = { from: BEGINNING, to: pointAt(dayOf(session.now), session.now).before }
  return context.run(
    await compileData({ template: `billing_health/${query}`, slots: { filters }, params, window }, request.audience, context),
  )
}

/** Notices with an amount whose exchange rate is missing. */
function isUnrated({ monthly_cents, monthly_base_cents, amount_cents, amount_base_cents }: Notice): boolean {
  return (monthly_cents !== null && monthly_base_cents === null) || (amount_cents !== null && amount_base_cents === null)
}

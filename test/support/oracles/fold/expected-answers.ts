import type { FxRate } from '../../../../src/core/currency.ts'
import { dayAfter, dayOf, dayStart, type Interval, periodsBetween } from '../../../../src/core/periods.ts'
import { rateTable } from '../killbill/fold/rates.ts'
import type { Span } from '../killbill/fold/span.ts'
import { isPartial } from '../running-period.ts'
import type { SliceValue, slicer } from '../slice-loops.ts'
import { type Cut, logoGroups, ratioGroups } from './churn-and-retention.ts'
import { cohortRevenueRows, liveCohorts, matrixRows, monthsOf, revenueMatrixRows } from './cohort-rows.ts'
import { customerRows, type ReasonOf, revenueEventRows } from './customer-rows.ts'
import type { FoldedCustomer } from './fold-tables.ts'
import { type Ledger, type Range, rangeOf } from './ledger-figures.ts'
import { payingGroups, roundedTo, share, simpleLtv } from './ltv-groups.ts'

export type Row = Readonly<Record<string, string | number | boolean | null>>

/** A request and the answer that plain loops give. */
export interface ExpectedAnswer {
  readonly metric: 'churn' | 'retention' | 'ltv'
  readonly params: Readonly<Record<string, string>>
  readonly spec: Readonly<Record<string, unknown>>
  readonly answer: number | null | readonly Row[]
}

export interface Oracle {
  readonly ledger: Ledger
  readonly sliceOf: ReturnType<typeof slicer>
  readonly rates: readonly FxRate[]
  readonly reasonOf: ReasonOf
}

export type CutName = 'plan_id' | 'customer_country' | 'currency' | 'plan_interval'

const BY_CUSTOMER: readonly CutName[] = ['customer_country', 'currency']
const BY_SUBSCRIPTION: readonly CutName[] = ['plan_id', ...BY_CUSTOMER, 'plan_interval']

/** Days of a range, and the step into which its answers are cut. */
export interface Asked {
  readonly start: string
  readonly end: string
  readonly granularity?: Interval
}

function cutOf(oracle: Oracle, name: CutName): Cut {
  return {
    unit: name === 'currency' ? 'original' : 'base',
    groupOf: (customer: FoldedCustomer, subscription_id: string, held: Span | null): SliceValue => {
      const { plan, plan_key, price_list } = held ?? { plan: null, plan_key: null, price_list: null }
      return oracle.sliceOf(name, { customer, subscription_id, plan, plan_key, price_list, at: '' })
    },
  }
}

interface Piece {
  readonly period?: string
  readonly isPartial?: boolean
  readonly range: Range
  readonly end: string
}

/** Names and ranges of the periods of an answer: one without a name where it is not cut. */
function piecesOf({ start, end, granularity }: Asked, now: string): Piece[] {
  if (granularity === undefined) return [{ range: rangeOf(start, end, now), end }]
  const today = now.slice(0, 10)
  const until = end < today ? end : today
  return periodsBetween(dayStart(start), dayAfter(until), granularity).map(({ period, from, to }) => {
    const last = dayOf(new Date(to.getTime() - 1))
    return { period, isPartial: isPartial(period, granularity, now), range: rangeOf(dayOf(from), last, now), end: last }
  })
}

/** Rows of every period and every group that has something in one of them (http-api.md 1.6). */
function filled<T>(
  pieces: readonly Pick<Piece, 'period' | 'isPartial'>[],
  figures: readonly ReadonlyMap<SliceValue, T>[],
  name: string | undefined,
  measuresOf: (figure: T | undefined) => Row,
): Row[] {
  const says = (figure: T | undefined) => Object.values(measuresOf(figure)).some((value) => value !== null && value !== 0)
  const groups = new Set(figures.flatMap((byGroup) => [...byGroup.keys()]))
  const shown = name === undefined ? [null] : [...groups].filter((group) => figures.some((byGroup) => says(byGroup.get(group))))
  return pieces.flatMap(({ period, isPartial: is_partial }, index) =>
    shown.map((group) => ({
      ...(period === undefined ? {} : { period }),
      ...(name === undefined ? {} : { [name]: group }),
      ...measuresOf(figures[index]?.get(group)),
      ...(is_partial === true ? { is_partial } : {}),
    })),
  )
}

function rate(part: number, whole: number): number | null {
  return roundedTo(6, share(part, whole))
}

/** Logo churn, revenue churn, NRR and GRR of a range, whole and cut by what each offers (D41, D44, D45). */
export function ratioAnswers(oracle: Oracle, asked: Asked): ExpectedAnswer[] {
  const { ledger } = oracle
  const pieces = piecesOf(asked, ledger.now)
  const answer = (
    metric: 'churn' | 'retention',
    query_type: string,
    scalar: string,
    name: CutName | undefined,
    rows: readonly Row[],
  ): ExpectedAnswer => ({
    metric,
    params: { query_type, ...asked },
    spec: name === undefined ? {} : { dimensions: [name] },
    answer: name === undefined && asked.granularity === undefined ? ((rows[0]?.[scalar] ?? null) as number | null) : rows,
  })
  const logo = [undefined, ...BY_CUSTOMER].map((name) => {
    const groupOf = name === undefined ? undefined : cutOf(oracle, name).groupOf
    const figures = pieces.map(({ range }) => logoGroups(ledger, range, (customer) => groupOf?.(customer, '', null) ?? null))
    const rows = filled(pieces, figures, name, (counts) => ({
      logo_churn_rate: rate(counts?.churned ?? 0, counts?.live ?? 0),
      churn_count: counts?.churned ?? 0,
      active_at_start: counts?.live ?? 0,
    }))
    return answer('churn', 'logo', 'logo_churn_rate', name, rows)
  })
  const others = [undefined, ...BY_SUBSCRIPTION].flatMap((name) => {
    const cut = name === undefined ? undefined : cutOf(oracle, name)
    const figures = pieces.map(({ range }) => ratioGroups(ledger, range, cut))
    const revenue = filled(pieces, figures, name, (sums) => ({
      revenue_churn_rate: rate(0 - (sums?.churn ?? 0), sums?.start ?? 0),
      revenue_lost: 0 - (sums?.churn ?? 0),
      start_mrr: sums?.start ?? 0,
    }))
    const net = filled(pieces, figures, name, (sums) => ({
      retention_rate: rate(sums?.net ?? 0, sums?.start ?? 0),
      start_mrr: sums?.start ?? 0,
      expansion: sums?.expansion ?? 0,
      contraction: sums?.contraction ?? 0,
      churn: sums?.churn ?? 0,
      reactivation: 0,
      reactivation_excluded: sums?.reactivation ?? 0,
    }))
    const gross = filled(pieces, figures, name, (sums) => ({
      retention_rate: rate(sums?.gross ?? 0, sums?.start ?? 0),
      start_mrr: sums?.start ?? 0,
      contraction: sums?.contraction ?? 0,
      churn: sums?.churn ?? 0,
    }))
    return [
      answer('churn', 'revenue', 'revenue_churn_rate', name, revenue),
      answer('retention', 'nrr', 'retention_rate', name, net),
      answer('retention', 'grr', 'retention_rate', name, gross),
    ]
  })
  return [...logo, ...others]
}

/** The customer table and the revenue events of a range (D42, D44). */
export function tableAnswers({ ledger, reasonOf }: Oracle, asked: Asked): ExpectedAnswer[] {
  const range = rangeOf(asked.start, asked.end, ledger.now)
  const table = (query_type: string, answer: readonly Row[]): ExpectedAnswer => ({
    metric: 'churn',
    params: { query_type, ...asked },
    spec: {},
    answer,
  })
  return [table('detail', customerRows(ledger, range, reasonOf)), table('revenue_events', revenueEventRows(ledger, range))]
}

/** Groups of customers by a dimension of the customer. */
function customersBy(oracle: Oracle, name: CutName | undefined): [SliceValue, FoldedCustomer[]][] {
  if (name === undefined) return [[null, [...oracle.ledger.customers]]]
  const { groupOf } = cutOf(oracle, name)
  const groups = new Map<SliceValue, FoldedCustomer[]>()
  for (const customer of oracle.ledger.customers) {
    const group = groupOf(customer, '', null)
    groups.set(group, [...(groups.get(group) ?? []), customer])
  }
  return [...groups]
}

/** The retention matrices and cohort LTV of a range, whole and cut by what each offers (D48, D51, D71). */
export function cohortAnswers(oracle: Oracle, { start, end }: Asked): ExpectedAnswer[] {
  const { now } = oracle.ledger
  const spec = (name: CutName | undefined) => (name === undefined ? {} : { dimensions: [name] })
  const matrix = ([undefined, 'customer_country'] as const).map((name) => ({
    metric: 'retention' as const,
    params: { query_type: 'cohort_matrix', start, end },
    spec: spec(name),
    answer: customersBy(oracle, name).flatMap(([group, own]) =>
      matrixRows(liveCohorts(own), start, end, now).map((row) => ({ ...row, ...(name === undefined ? {} : { [name]: group }) })),
    ),
  }))
  const base = rateTable(oracle.rates, 'USD')
  const revenue = [undefined, ...BY_CUSTOMER].map((name) => ({
    metric: 'ltv' as const,
    params: { query_type: 'cohort', start, end },
    spec: spec(name),
    answer: customersBy(oracle, name).flatMap(([group, own]) => {
      const rates = name === 'currency' ? null : base
      const rows = cohortRevenueRows(own, monthsOf(start, end, now), rangeOf(start, end, now), rates)
      if (name === undefined) return rows
      return rows.some((row) => row.customer_count > 0) ? rows.map((row) => ({ ...row, [name]: group })) : []
    }),
  }))
  const levels = [undefined, ...BY_CUSTOMER].map((name) => ({
    metric: 'retention' as const,
    params: { query_type: 'revenue_cohort_matrix', start, end },
    spec: spec(name),
    answer: customersBy(oracle, name).flatMap(([group, own]) =>
      revenueMatrixRows(liveCohorts(own), start, end, now, name === 'currency' ? 'original' : 'base').map((row) => ({
        ...row,
        ...(name === undefined ? {} : { [name]: group }),
      })),
    ),
  }))
  return [...matrix, ...revenue, ...levels]
}

/** ARPU at the ends of a range's periods and simple LTV, whole and cut by what each offers (D49, D50). */
export function ltvAnswers(oracle: Oracle, asked: Asked): ExpectedAnswer[] {
  const { ledger } = oracle
  const { granularity: interval, ...days } = asked
  const pieces = piecesOf(asked, ledger.now)
  const arpu = [undefined, ...BY_SUBSCRIPTION].map((name) => {
    const figures = pieces.map(({ end }) => payingGroups(ledger, end, name === undefined ? undefined : cutOf(oracle, name)))
    const rows = filled(pieces, figures, name, (figure) => ({
      arpu: roundedTo(2, share(figure?.mrr ?? 0, figure?.payers ?? 0)),
      mrr: figure?.mrr ?? 0,
      active_customers: figure?.payers ?? 0,
    }))
    return {
      metric: 'ltv' as const,
      params: { query_type: 'arpu', ...(interval === undefined ? { at: asked.end } : { ...days, interval }) },
      spec: name === undefined ? {} : { dimensions: [name] },
      answer: name === undefined && interval === undefined ? ((rows[0]?.['arpu'] ?? null) as number | null) : rows,
    }
  })
  const simple = [undefined, ...BY_CUSTOMER].map((name) => {
    const figures = simpleLtv(ledger, asked.start, asked.end, name === undefined ? undefined : cutOf(oracle, name))
    const nothing = { ltv: null, arpu: null, logo_churn_rate: null }
    const rows = filled([{}], [figures], name, (figure) => figure ?? nothing)
    return {
      metric: 'ltv' as const,
      params: { query_type: 'simple', ...days },
      spec: name === undefined ? {} : { dimensions: [name] },
      answer: name === undefined ? ((rows[0]?.['ltv'] ?? null) as number | null) : rows,
    }
  })
  return [...arpu, ...simple]
}

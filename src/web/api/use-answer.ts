import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ClientAnswer, type components, PlumblineError } from '../../client/index.ts'
import { dayIn, loadZone } from '../format/days.ts'
import { client } from './client.ts'
import type { Query, Question } from './question.ts'

/** A row of any answer. */
export type Row = Readonly<Record<string, unknown>>

const FRESH_MS = 30_000

/** How a question is asked. */
interface Asking {
  /** Whether a part of the page that appears asks again after a refusal for a missing exchange rate. Default: yes. */
  readonly asksAgain?: boolean
}

/** Runs a question and keeps the previous answer until the next one arrives. Sends no request while `question` is undefined. */
export function useAnswer(question: Question | undefined, { asksAgain = true }: Asking = {}) {
  return useQuery({
    ...queryFor(question),
    enabled: question !== undefined,
    placeholderData: keepPreviousData,
    retryOnMount: ({ state }) => asksAgain || !isMissingRate(state.error),
  })
}

/** The query of the cache that asks a question. */
export function queryFor(question: Question | undefined) {
  return {
    queryKey: keyOf(question),
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => ask(question, signal),
    staleTime: FRESH_MS,
  }
}

/** The key of a question in the query cache. */
export function keyOf(question: Question | undefined): readonly unknown[] {
  return ['answer', question?.path, question?.query]
}

export type AnswerQuery = ReturnType<typeof useAnswer>

// The client has types for each fixed path. This path is a variable, so the fields of rows are read by name.
async function ask(question: Question | undefined, signal: AbortSignal): Promise<ClientAnswer<unknown>> {
  if (question === undefined) throw new Error('No question to ask.')
  const get = client.get as (path: string, input: object) => Promise<ClientAnswer<unknown>>
  const answer = await get(question.path, { query: question.query, signal })
  await loadZone(zoneOf(answer))
  return answer
}

/** Whether a request failed because an exchange rate is missing. */
export function isMissingRate(error: unknown): boolean {
  return error instanceof PlumblineError && error.code === 'missing_fx_rate'
}

/** The answer to a question or, if an exchange rate is missing for it, to a question about the same that needs none. */
export function useAnswerWithoutRates(question: Question | undefined, unrated: Question | undefined, asking: Asking = {}) {
  const first = useAnswer(question, asking)
  const isUnrated = unrated !== undefined && isMissingRate(first.error)
  const second = useAnswer(isUnrated ? unrated : undefined)
  return { answer: isUnrated ? second : first, isUnrated }
}

/** Rows of a list or of a page. An object becomes a single row. */
export function rowsOf(data: unknown): readonly Row[] {
  if (Array.isArray(data)) return data
  if (!isRow(data)) return []
  const { rows } = data
  return Array.isArray(rows) ? rows : [data]
}

/** The rows in a field of an answer, or of one of its rows. */
export function rowsIn(data: unknown, field: string): readonly Row[] {
  const value: unknown = isRow(data) ? data[field] : undefined
  return Array.isArray(value) ? value.filter(isRow) : []
}

export function isRow(data: unknown): data is Row {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}

/** Number of rows on all pages. Undefined if the answer does not say. */
export function totalOf({ data, headers }: ClientAnswer<unknown>): number | undefined {
  if (isRow(data) && typeof data['total'] === 'number') return data['total']
  const counted = headers.get('x-total-count')
  return counted === null ? undefined : Number(counted)
}

/** The number in a field; null if it is not a number. */
export function numberIn(row: Row | undefined, key: string): number | null {
  const value = row?.[key]
  return typeof value === 'number' ? value : null
}

/** The text in a field; null if it is not a text. */
export function textIn(row: Row | undefined, key: string): string | null {
  const value = row?.[key]
  return typeof value === 'string' ? value : null
}

/** Currency of an amount: that of the row if the row names a currency. Amounts in the base currency ignore the row's currency. */
export function currencyIn(row: Row | undefined, field: string, base: string): string {
  return field.endsWith('_base_cents') ? base : (textIn(row, 'currency') ?? base)
}

/** Currency of the amounts of an answer; empty for original currencies. */
export function currencyOf(answer: ClientAnswer<unknown> | undefined): string {
  const currency = answer?.headers.get('x-currency')
  return currency === null || currency === undefined || currency === 'original' ? '' : currency
}

/** Time zone of the days of an answer. */
export function zoneOf(answer: ClientAnswer<unknown> | undefined): string {
  return answer?.headers.get('x-time-zone') ?? 'UTC'
}

/** The day up to which an answer is complete, in its time zone. */
export function dayThrough(answer: ClientAnswer<unknown> | undefined): string | undefined {
  return answer?.dataThrough === undefined ? undefined : dayIn(zoneOf(answer), answer.dataThrough)
}

export type Why = components['schemas']['MrrWhy']

/** Why MRR changed: the question, its state and its answer. */
export function useWhy(query: Query) {
  const question = { path: '/api/metrics/mrr/why', query } as const
  const answer: AnswerQuery = useAnswer(question)
  return { question, answer, why: answer.data?.data as Why | undefined }
}

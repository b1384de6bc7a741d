import { useQueries } from '@tanstack/react-query'
import type { Question } from '../api/question.ts'
import { numberIn, queryFor, type Row, rowsOf, textIn, totalOf, useAnswer, useAnswerWithoutRates } from '../api/use-answer.ts'
import type { PageState } from '../controls/use-page.ts'

/**
 * MRR and paying customers of each currency, which need no exchange rate. Added up, a customer who pays in two currencies counts twice: the card about
 * missing exchange rates says so.
 */
export function byCurrency({ audience, level }: Pick<PageState, 'audience' | 'level'>, ...groups: readonly string[]) {
  return {
    path: '/api/metrics/ltv/arpu',
    query: { ...audience, ...level, dimensions: [...groups, 'currency'].join(',') },
  } as const
}

/** The number of paid subscriptions, added up over the currencies. Undefined until all are counted, and while it is not asked. */
export function usePaidSubscriptions(page: PageState, isAsked: boolean): number | undefined {
  const rows = rowsOf(useAnswer(isAsked ? byCurrency(page) : undefined).data?.data)
  const { audience, level } = page
  const counts = useQueries({
    queries: rows
      .flatMap((row) => textIn(row, 'currency') ?? [])
      // A row is a paid subscription. A second filter on the currency would widen the first one, a group narrows.
      .map((currency) => ({ ...audience, ...level, group: [`currency=${currency}`], limit: 1 }))
      .map((query) => queryFor({ path: '/api/metrics/mrr/rows', query })),
  })
  const known = counts.flatMap(({ data }) => (data === undefined ? [] : (totalOf(data) ?? [])))
  return rows.length === 0 || known.length < rows.length ? undefined : known.reduce((sum, count) => sum + count, 0)
}

/** Customers of each group, added up over the currencies. */
export function customersByGroup(rows: readonly Row[], by: string): ReadonlyMap<unknown, number> {
  const counts = new Map<unknown, number>()
  for (const row of rows) counts.set(row[by], (counts.get(row[by]) ?? 0) + (numberIn(row, 'active_customers') ?? 0))
  return counts
}

const CURRENCY = 'currency'

/** Fields as the parameter of the API. Undefined without any. */
export function dimensionsOf(fields: readonly string[]): string | undefined {
  return fields.length === 0 ? undefined : fields.join(',')
}

/**
 * A question about counts, which need no exchange rates: if one is missing for the rest of its answer, the same question by currency too. `added` are the
 * groups that come with it. A question about anything else stays unchanged.
 */
export function useCounted<Asked extends Question>(
  question: Asked,
  groups: readonly string[],
  isCounted = false,
  isAsked = true,
) {
  const divided = isCounted && !groups.includes(CURRENCY) ? dimensionsOf([...groups, CURRENCY]) : undefined
  const apart = divided === undefined ? undefined : { ...question, query: { ...question.query, dimensions: divided } }
  const { answer, isUnrated } = useAnswerWithoutRates(isAsked ? question : undefined, apart)
  return { answer, question: isUnrated && apart !== undefined ? apart : question, added: isUnrated ? [CURRENCY] : [] }
}

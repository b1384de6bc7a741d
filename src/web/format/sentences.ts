import { formatDay } from './days.ts'
import { formatValue } from './numbers.ts'

const CENTS = 100
const NUMBER = String.raw`[+-]?\d{1,3}(?:,\d{3})*(?:\.\d+)?`
/** A day after one of these words is a day of the sentence. A plan may be named after a day, too. */
const DAYS = /(?<=\b(?:on|from|to) )\d{4}-\d{2}-\d{2}(?=[ ,.])/g

/**
 * A sentence of the API in the page's form: days and amounts as in tables. All else stays, because plans and customers have any
 * names. `currency` is the currency of the sentence's amounts.
 */
export function pageSentence(sentence: string, currency: string): string {
  const dated = sentence.replaceAll(DAYS, (day) => formatDay(day))
  if (!/^[A-Z]{3}$/.test(currency)) return dated
  const amounts = new RegExp(`(?<=\\b(?:by|at|from|to|added|took) |: )(${NUMBER})(?: to (${NUMBER}))? ${currency}\\b`, 'g')
  return dated.replaceAll(amounts, (_, first: string, last: string | undefined) =>
    [first, ...(last === undefined ? [] : [last])].map((text) => amountOf(text, currency)).join(' to '),
  )
}

function amountOf(text: string, currency: string): string {
  const cents = Math.round(Number(text.replaceAll(',', '')) * CENTS)
  return formatValue(cents, 'money', { currency, precise: true, signed: text.startsWith('+') })
}

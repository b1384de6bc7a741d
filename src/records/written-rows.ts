import type * as z from 'zod'
import { InternalError } from '../core/errors.ts'
import type { RunContext } from '../execution/run.ts'

/** The value in the form that its schema declares. `what` names it in the error about another form. */
export function asDeclared<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const read = schema.safeParse(value)
  if (!read.success) throw new InternalError(`${what} does not match its schema: ${read.error.message}`)
  return read.data
}

/** Warns that amounts in these currencies are null, because a day, by default the last one, has no exchange rate. Nothing without currencies. */
export function warnOfMissingRates(
  missing: Iterable<string | null>,
  context: Pick<RunContext, 'warn'>,
  day = 'on the last day',
): void {
  const currencies = [...new Set(missing)].map((currency) => currency ?? '').sort()
  if (currencies.length === 0) return
  const message = `No exchange rate for ${currencies.join(', ')} ${day}, so amounts with them are null.`
  context.warn({ code: 'missing_fx_rate', message, count: currencies.length })
}

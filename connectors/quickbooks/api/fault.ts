import * as z from 'zod'
import { AppError } from '../../../src/connector-kit/index.ts'

/** Intuit's answer if it has no data. */
const FAULT = z.object({
  Fault: z.object({
    type: z.string().nullish(),
    Error: z.array(z.object({ code: z.string().nullish(), Message: z.string().nullish(), Detail: z.string().nullish() })),
  }),
  time: z.string().nullish(),
})
export type Fault = z.output<typeof FAULT>

/** The record does not exist any more (`Object Not Found`). */
const GONE = '610'

/** The error of a request for a deleted record. */
export class GoneError extends Error {
  /** Time of the answer by Intuit's clock. Null if the answer has none. */
  readonly at: string | null

  constructor(at: string | null) {
    super('Intuit has no such record.')
    this.name = 'GoneError'
    this.at = at
  }
}

/** The fault in an answer. Undefined if it has none. */
export function faultIn(answer: unknown): Fault | undefined {
  return FAULT.safeParse(answer).data
}

/** The error for a refusal. It quotes Intuit's words and request id, which Intuit's support asks for. */
export function refusal(status: number, fault: Fault | undefined, requestId: string | null): Error {
  const errors = fault?.Fault.Error ?? []
  if (errors.some(({ code }) => code === GONE)) return new GoneError(fault?.time ?? null)
  const said = errors.map(({ code, Message, Detail }) => [code, Message, Detail].filter((part) => part != null).join(' '))
  const reason = said.length === 0 ? '' : `: ${said.join('; ').slice(0, 500)}`
  const trace = requestId === null ? '' : ` (intuit_tid ${requestId})`
  return new AppError('connector_unavailable', `QuickBooks refused a request with status ${status}${reason}${trace}.`)
}

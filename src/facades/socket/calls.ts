import type { RawInput } from '../../engine/contract.ts'
import type { Answer, AskOptions, Engine, LedgerListName, ListName, VerifyOptions } from '../../engine/engine.ts'

/** The calls of the engine that give an answer. */
type AnsweringCall = {
  [Name in keyof Engine]: Engine[Name] extends (...given: never[]) => Promise<Answer> ? Name : never
}[keyof Engine]

/** The reading calls that may pass, each with whether it takes a name: the metric, the list or the id of the customer. None changes an answer. */
const CALLS = {
  query: 'named',
  metricRows: 'named',
  list: 'named',
  ledgerList: 'named',
  bridge: 'named',
  customer: 'named',
  summary: 'plain',
  invoiceAges: 'plain',
  billingHealth: 'plain',
  billingFindings: 'plain',
  billingNotices: 'plain',
  renewals: 'plain',
  billings: 'plain',
  verify: 'part',
  missingRates: 'part',
  crossCheck: 'part',
  clearCache: 'part',
  copyCache: 'part',
} as const satisfies Readonly<Record<AnsweringCall, 'named' | 'plain'>> & Readonly<Record<string, string>>

type CallOf<Kind> = { [Name in Call]: (typeof CALLS)[Name] extends Kind ? Name : never }[Call]

export type Call = keyof typeof CALLS

/** A call with what it takes. `name` is the metric, the list or the id of the customer. */
export interface Question {
  readonly call: Call
  readonly name: string
  readonly params: RawInput
  readonly spec: RawInput
  /** All rows instead of a page, for a file. */
  readonly isWhole?: boolean | undefined
}

/** True for the name of a call that may pass. */
export const isCall = (value: unknown): value is Call => typeof value === 'string' && Object.hasOwn(CALLS, value)

/** The parts of an engine that these calls use. */
export type Answering = Pick<Engine, AnsweringCall | 'verification' | 'rates' | 'crossCheck' | 'clearCache' | 'copyCache'>

/** Options of a question to the engine. */
export type QuestionOptions = AskOptions & Pick<VerifyOptions, 'onProgress'>

/** An answer. The result of a call that gives no `Answer` is its data. */
export type Result = Pick<Answer, 'data' | 'kind' | 'columns'> & Partial<Answer>

/** Asks an engine. */
export async function askEngine(engine: Answering, question: Question, options: QuestionOptions): Promise<Result> {
  const { call, name, params, spec, isWhole } = question
  if (call === 'verify') return resultOf(await engine.verification.run(params, options))
  if (call === 'missingRates') return resultOf(await engine.rates.missing(options))
  if (call === 'copyCache') return resultOf(await engine.copyCache(String(params['directory']), options))
  if (call === 'crossCheck' || call === 'clearCache') return resultOf(await engine[call]())
  return isOf(call, 'named')
    ? engine[call](name as ListName & LedgerListName, params, spec, { ...options, ...(isWhole === true && { isWhole }) })
    : engine[call](params, spec, options)
}

/** The engine, with these calls answered by `ask`. */
export function answeredBy(ask: (question: Question, options: QuestionOptions) => Promise<Result>, engine: Engine): Engine {
  const named =
    (call: Call): Engine['metricRows'] =>
    (name, params = {}, spec = {}, { isWhole, ...options } = {}) =>
      ask({ call, name, params, spec, isWhole }, options) as Promise<Answer>
  const plain =
    (call: Call): Engine['summary'] =>
    (params = {}, spec = {}, options = {}) =>
      ask({ call, name: '', params, spec }, options) as Promise<Answer>
  const dataOf = async <T>(call: Call, params: Question['params'], options: QuestionOptions) =>
    (await ask({ call, name: '', params, spec: {} }, options)).data as T
  const crossCheck: Engine['crossCheck'] = () => dataOf('crossCheck', {}, {})
  return {
    ...engine,
    ...allOf('named', named),
    ...allOf('plain', plain),
    verification: { ...engine.verification, run: (params = {}, options = {}) => dataOf('verify', params, options) },
    rates: { ...engine.rates, missing: (options = {}) => dataOf('missingRates', {}, options) },
    crossCheck,
    clearCache: () => dataOf('clearCache', {}, {}),
    copyCache: (directory, options = {}) => dataOf('copyCache', { directory }, options),
    // The service compares its own cache. That of this process may be another one.
    check: async ({ cross = false, ...options } = {}) => [...(await engine.check(options)), ...(cross ? await crossCheck() : [])],
  }
}

function isOf<Kind extends string>(call: Call, kind: Kind): call is CallOf<Kind> {
  return CALLS[call] === kind
}

function allOf<Kind extends string, Value>(kind: Kind, madeFor: (call: Call) => Value): Record<CallOf<Kind>, Value> {
  const calls = Object.keys(CALLS).filter((call): call is CallOf<Kind> => isCall(call) && isOf(call, kind))
  return Object.fromEntries(calls.map((call) => [call, madeFor(call)])) as Record<CallOf<Kind>, Value>
}

function resultOf(data: unknown): Result {
  return { data, kind: 'object', columns: [] }
}

import type { Socket } from 'node:net'
import * as z from 'zod'
import { AppError, ERROR_CODES, type ErrorCode } from '../../core/errors.ts'
import { type Call, isCall } from './calls.ts'

/*
 * A command asks a service of the same user on the same machine. Each question has its own connection. Every message is one line of JSON.
 *
 *     command                            service
 *     {identity, question}  ───────────▶
 *                           ◀───────────  {accepted}                  or {declined}: the command answers the question itself
 *                           ◀───────────  {waiting}                   every two seconds
 *                           ◀───────────  {progress}                  before each check of a verification
 *                           ◀───────────  {answer}, its data, {end}   or {refused}, or {declined}
 *
 * The command closes the connection to cancel its question.
 */

/** Digests of everything that an answer depends on, by name. None contains a secret. */
export type Identity = Readonly<Record<string, string>>

const values = z.record(z.string(), z.unknown())

const questionSchema = z.strictObject({
  call: z.custom<Call>(isCall),
  name: z.string(),
  params: values,
  spec: values,
  isWhole: z.boolean().optional(),
})

export const requestSchema = z.strictObject({ identity: z.record(z.string(), z.string()), question: questionSchema })

const issueSchema = z.object({
  code: z.string().transform((code) => code as ErrorCode),
  where: z.string(),
  value: z.unknown().optional(),
  message: z.string(),
  did_you_mean: z.array(z.string()),
})

const errorSchema = z.object({
  code: z
    .string()
    .refine((code) => Object.hasOwn(ERROR_CODES, code))
    .transform((code) => code as ErrorCode),
  message: z.string(),
  context: values,
  issues: z.array(issueSchema).optional(),
  operatorDetail: z.string(),
})

/** A message of the service. */
export const replySchema = z.union([
  z.object({ accepted: z.object({ pid: z.int(), since: z.string() }) }),
  z.object({ declined: z.string() }),
  z.object({ waiting: z.literal(true) }),
  /** The number of checks that are done, the number of all, and the name of the next one. */
  z.object({ progress: z.object({ done: z.int(), all: z.int(), check: z.string().optional() }) }),
  z.object({ refused: errorSchema }),
  /** The answer without its data, which is the next line. */
  z.object({ answer: z.looseObject({}), source: z.enum(['replica', 'cache']) }),
  z.object({ end: z.literal(true) }),
])

export type Reply = z.input<typeof replySchema>

/** An error as it passes the socket. */
export function sentError({ code, message, context, issues, operatorDetail }: AppError): z.input<typeof errorSchema> {
  return {
    code,
    message,
    context: { ...context },
    operatorDetail,
    ...(issues === undefined ? {} : { issues: issues.map((issue) => ({ ...issue, did_you_mean: [...issue.did_you_mean] })) }),
  }
}

/** The error that was sent. */
export function receivedError({ code, message, context, issues, operatorDetail }: z.output<typeof errorSchema>): AppError {
  return new AppError(code, message, { context, operatorDetail, ...(issues === undefined ? {} : { issues }) })
}

/** The lines of a connection, without line feeds. Ends with the connection. Throws if a line has more characters than `longest`. */
export async function* linesOf(socket: Socket, longest = Number.POSITIVE_INFINITY): AsyncGenerator<string, void> {
  let pieces: string[] = []
  let length = 0
  const chunks: AsyncIterable<string> = socket.setEncoding('utf8').iterator({ destroyOnReturn: false })
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', from)) {
      yield [...pieces, chunk.slice(from, at)].join('')
      pieces = []
      length = 0
      from = at + 1
    }
    length += chunk.length - from
    if (length > longest) throw new Error(`a line has more than ${longest} characters`)
    pieces.push(chunk.slice(from))
  }
}

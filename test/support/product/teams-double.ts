import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as z from 'zod'

// Limits of workflow webhooks, and the parts of the schema of Adaptive Cards 1.5 that a message may have (adaptivecards.io/explorer).
const MOST_BYTES = 28 * 1024
const OPENS = z.strictObject({ type: z.literal('Action.OpenUrl'), url: z.url() })
const RUN = z.strictObject({
  type: z.literal('TextRun'),
  text: z.string().min(1),
  size: z.enum(['Small', 'Default', 'Medium', 'Large', 'ExtraLarge']).optional(),
  weight: z.enum(['Lighter', 'Default', 'Bolder']).optional(),
  isSubtle: z.boolean().optional(),
  selectAction: OPENS.optional(),
})
const RICH = z.strictObject({
  type: z.literal('RichTextBlock'),
  inlines: z.array(z.union([z.string().min(1), RUN])).min(1),
  spacing: z.enum(['None', 'Small', 'Default', 'Medium', 'Large']).optional(),
})
const TABLE = z
  .strictObject({
    type: z.literal('Table'),
    firstRowAsHeaders: z.boolean(),
    showGridLines: z.boolean(),
    columns: z
      .array(z.strictObject({ width: z.number().positive(), horizontalCellContentAlignment: z.literal('Right').optional() }))
      .min(1),
    rows: z.array(
      z.strictObject({
        type: z.literal('TableRow'),
        cells: z.array(z.strictObject({ type: z.literal('TableCell'), items: z.array(RICH).min(1) })),
      }),
    ),
  })
  .refine(
    ({ columns, rows }) => rows.every(({ cells }) => cells.length === columns.length),
    'each row has a cell for each column',
  )
const CARD = z.strictObject({
  $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
  type: z.literal('AdaptiveCard'),
  version: z.literal('1.5'),
  msteams: z.strictObject({ width: z.literal('Full') }),
  fallbackText: z.string(),
  body: z.array(z.discriminatedUnion('type', [RICH, TABLE])).min(1),
})

/** A message to a webhook of Teams. */
export const TEAMS_MESSAGE = z.strictObject({
  type: z.literal('message'),
  attachments: z.tuple([
    z.strictObject({ contentType: z.literal('application/vnd.microsoft.card.adaptive'), contentUrl: z.null(), content: CARD }),
  ]),
})

/** A received message: its body, and the headers of the request. */
export interface Hook {
  readonly body: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** A server on loopback that keeps what it gets. `judge` refuses a body with a reason; `answer` replaces the answers. */
export async function hookDouble(judge: (body: string) => string | undefined = () => undefined) {
  const hooks: Hook[] = []
  const double: {
    answer?: { readonly status: number; readonly body?: string; readonly location?: string } | undefined
    delayMs?: number
  } = {}
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { answer, delayMs = 0 } = double
      const body = Buffer.concat(pieces).toString()
      const problem = answer === undefined ? judge(body) : undefined
      if (answer === undefined && problem === undefined) hooks.push({ body, headers: request.headers })
      const status = answer?.status ?? (problem === undefined ? 202 : 400)
      setTimeout(() => {
        response.writeHead(status, answer?.location === undefined ? {} : { location: answer.location })
        response.end(answer?.body ?? problem ?? '')
      }, delayMs)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook/hidden-secret`,
    port,
    hooks,
    double,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** A webhook of Teams that refuses what Teams refuses: long messages, and what is no Adaptive Card. */
export function teamsDouble() {
  return hookDouble((body) => {
    if (Buffer.byteLength(body) > MOST_BYTES) return 'too large'
    const read = TEAMS_MESSAGE.safeParse(JSON.parse(body))
    return read.success ? undefined : z.prettifyError(read.error)
  })
}

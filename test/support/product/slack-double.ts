import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as z from 'zod'

// Limits and refusals of incoming webhooks as Slack documents them (docs.slack.dev, reference of blocks).
const PLAIN = z.strictObject({ type: z.literal('plain_text'), text: z.string().min(1).max(3_000), emoji: z.boolean().optional() })
const MARKUP = z.strictObject({ type: z.literal('mrkdwn'), text: z.string().min(1).max(3_000), verbatim: z.boolean().optional() })
const TEXT = z.discriminatedUnion('type', [PLAIN, MARKUP])
const MESSAGE = z.strictObject({
  text: z.string(),
  blocks: z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({
          type: z.literal('header'),
          text: PLAIN.extend({ text: z.string().min(1).max(150) }),
        }),
        z.strictObject({ type: z.literal('section'), text: TEXT }),
        z.strictObject({ type: z.literal('context'), elements: z.array(TEXT).min(1).max(10) }),
      ]),
    )
    .max(50),
})

export type SlackPost = z.infer<typeof MESSAGE>

/** A webhook of Slack that refuses what Slack refuses. `answer` replaces its next answers. */
export async function slackDouble() {
  const posts: SlackPost[] = []
  const double: { answer?: { readonly status: number; readonly body: string; readonly location?: string } } = {}
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { answer } = double
      if (answer !== undefined) {
        response.writeHead(answer.status, answer.location === undefined ? {} : { location: answer.location }).end(answer.body)
        return
      }
      const read = MESSAGE.safeParse(JSON.parse(Buffer.concat(pieces).toString()))
      if (read.success && request.method === 'POST') posts.push(read.data)
      response.writeHead(read.success ? 200 : 400).end(read.success ? 'ok' : 'invalid_blocks')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/services/T0/B0/hidden-secret`,
    posts,
    double,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

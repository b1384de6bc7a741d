import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../core/package-root.ts'
import { dayOf } from '../../../core/periods.ts'
import type { Described, Document } from './shared-parts.ts'

/** A request to the sample data with its response. Lists are shortened. */
export interface Example {
  /** The request line. */
  readonly summary: string
  readonly status: number
  readonly body?: unknown
  readonly answer: unknown
}

/** Examples by operation and name. */
export type Examples = Readonly<Record<string, Readonly<Record<string, Example>>>>

/** The answers of the sample data. `npm run client` writes them. */
export function readExamples(): Examples {
  return JSON.parse(readFileSync(join(packageRoot(), 'docs/openapi/examples.json'), 'utf8')) as Examples
}

/** Adds examples to their operations. Refused requests become examples of the `Error` schema. */
export function showExamples(document: Document, examples: Examples): void {
  for (const { operationId, requestBody, responses } of Object.values(document.paths).flatMap((item) => Object.values(item)))
    for (const [name, { summary, status, body, answer }] of Object.entries(examples[operationId] ?? {})) {
      if (status >= 400) Object.assign(document.components['schemas']?.['Error'] ?? {}, { examples: [answer] })
      else show(responses[status], name, { summary, value: answer })
      if (body !== undefined) show(requestBody, name, { summary, value: body })
    }
}

// The first media type is the one for programs.
function show(described: unknown, name: string, example: Described): void {
  const { content = {} } = (described ?? {}) as { readonly content?: Readonly<Record<string, Described>> }
  const [first] = Object.values(content)
  if (first !== undefined) first['examples'] = { ...(first['examples'] as Described | undefined), [name]: example }
}

/** First and last day of the last full calendar month (UTC). */
export function lastFullMonth(now: Date): { readonly start: string; readonly end: string } {
  const year = now.getUTCFullYear()
  const month = now.getUTCMonth()
  return { start: dayOf(new Date(Date.UTC(year, month - 1, 1))), end: dayOf(new Date(Date.UTC(year, month, 0))) }
}

/**
 * Gives required dates an example with data. Optional ends of a range get none: documentation pages would send them together with `at`.
 */
export function showDays(parameter: Described, { start, end }: ReturnType<typeof lastFullMonth>): void {
  const { name, required } = parameter
  if (name === 'at' || (name === 'end' && required === true)) parameter['example'] = end
  if (name === 'start' && required === true) parameter['example'] = start
}

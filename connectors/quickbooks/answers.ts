import * as z from 'zod'
import { AppError } from '../../src/connector-kit/index.ts'

/** Time of the answer by Intuit's clock, or else by this machine's. */
export function answeredAt(answer: unknown): string {
  return z.object({ time: z.string() }).safeParse(answer).data?.time ?? new Date().toISOString()
}

/** Records of a kind in the answer to a query. An empty answer has no list of them. */
export function recordsIn(answer: unknown, name: string): readonly unknown[] {
  const response = z.object({ QueryResponse: z.looseObject({}) }).safeParse(answer).data?.QueryResponse
  if (response === undefined) throw unexpected(`a query for ${name}`)
  return listOf(response[name])
}

/** Records by kind in the answer to a question for changes. The answer has its own order of kinds. */
export function changesIn(answer: unknown): ReadonlyMap<string, readonly unknown[]> {
  const CHANGES = z.object({ CDCResponse: z.array(z.object({ QueryResponse: z.array(z.looseObject({})).nullish() })) })
  const responses = CHANGES.safeParse(answer).data?.CDCResponse
  if (responses === undefined) throw unexpected('a question for changes')
  const parts = responses.flatMap(({ QueryResponse: found }) => found ?? [])
  if (parts.some((part) => part['Fault'] !== undefined)) throw unexpected('a question for changes')
  return new Map(
    parts.flatMap((part) => Object.entries(part).flatMap(([name, list]) => (Array.isArray(list) ? [[name, list]] : []))),
  )
}

function listOf(found: unknown): readonly unknown[] {
  return Array.isArray(found) ? found : []
}

function unexpected(question: string): AppError {
  return new AppError('connector_unavailable', `QuickBooks answered ${question} in a way that cannot be read.`)
}

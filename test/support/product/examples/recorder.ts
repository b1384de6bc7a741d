import type { Document, Operation } from '../../../../src/facades/http/openapi/shared-parts.ts'
import type { Example, Examples } from '../../../../src/facades/http/openapi/show-examples.ts'

export interface Sent {
  /** Distinguishes examples of one operation. */
  readonly name?: string
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

interface Service {
  request(path: string, init: RequestInit): Response | Promise<Response>
}

/** Rows that an example shows of a list. */
const MOST_ROWS = 2
/** Tags of what the side store keeps. */
const STORED = ['Segments', 'Marks', 'Attributes', 'Dashboards', 'Links', 'Sources', 'Authentication']
const REQUEST_ID = '6a5d4f0e-0c3b-4c55-9d8e-0f1a2b3c4d5e'
const INSTANTS = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g

/** Sends requests by the names of their operations, and keeps what comes back, lists shortened. */
export function createRecorder(service: Service, document: Document, now: string) {
  const recorded: Record<string, Record<string, Example>> = {}
  const told = new Map<string, string>()
  const operations = new Map<string, readonly [method: string, path: string, operation: Operation]>()
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item)) operations.set(operation.operationId, [method, path, operation])
  return {
    /** The recorded examples, with the given names in place of values that differ in each run. */
    examples(): Examples {
      const text = [...told].reduce((read, [drawn, shown]) => read.replaceAll(drawn, shown), JSON.stringify(recorded))
      return JSON.parse(text) as Examples
    },
    /** Shows a value that differs in each run, such as an id, as a fixed one. */
    call(drawn: string, shown: string) {
      told.set(drawn, shown)
    },
    // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the operation answers
    async ask(operationId: string, sent: Sent = {}): Promise<any> {
      const [method, path, operation] = operations.get(operationId) ?? []
      if (method === undefined || path === undefined || operation === undefined) throw new Error(`no operation "${operationId}"`)
      const { name = 'example', query = {}, body, form, headers = {} } = sent
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(sent.path?.[key] ?? ''))
      const search = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll('%2C', ',')}`)
      const url = [filled, ...(search.length === 0 ? [] : [search.join('&')])].join('?')
      const response = await service.request(url, {
        method: method.toUpperCase(),
        headers: {
          accept: 'application/json',
          'x-request-id': REQUEST_ID,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...bodyOf(body, form),
      })
      const text = await response.text()
      if (response.status >= 500) throw new Error(`${operationId}: ${text}`)
      // When something was stored differs from run to run; what the billing engine has does not.
      const isStored = STORED.some((tag) => (operation['tags'] as string[]).includes(tag))
      const stable = isStored ? text.replaceAll(INSTANTS, now.replace('Z', '.000Z')) : text
      const sentBody = body ?? form
      recorded[operationId] = {
        ...recorded[operationId],
        [name]: {
          summary: `${method.toUpperCase()} ${url}`,
          status: response.status,
          ...(sentBody === undefined ? {} : { body: sentBody }),
          answer: shortened(JSON.parse(stable)),
        },
      }
      return { body: JSON.parse(text), cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '' }
    },
  }
}

function bodyOf(body: unknown, form: Readonly<Record<string, string>> | undefined): RequestInit {
  if (body !== undefined) return { body: JSON.stringify(body) }
  if (form === undefined) return {}
  const data = new FormData()
  for (const [name, value] of Object.entries(form)) {
    if (name === 'file') data.set(name, new Blob([value]), 'file.csv')
    else data.set(name, value)
  }
  return { body: data }
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MOST_ROWS).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]))
}

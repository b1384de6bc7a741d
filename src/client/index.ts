import { errorOf } from './error.ts'
import type { FileInput, FilePath, Input, Method, OperationAt, Output, PathOf } from './operation.ts'

export type { components, operations, paths } from '../../docs/openapi/types.ts'
export { type ErrorBody, PlumblineError } from './error.ts'
export type { FilePath } from './operation.ts'

/** A response: its data and the values of its headers. */
export interface ClientAnswer<Data> {
  readonly data: Data
  /** Warning codes. Empty if there are none. */
  readonly warnings: readonly string[]
  /** Timestamp up to which the data is complete, if known. */
  readonly dataThrough: string | undefined
  readonly headers: Headers
}

export interface ClientOptions {
  /** URL of the service, with its path prefix if it has one: `http://127.0.0.1:8000`. */
  readonly baseUrl: string
  /** Sent with every request, such as a credential. */
  readonly headers?: Readonly<Record<string, string>>
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch
}

/** The input is optional if nothing in it is required. */
type Inputs<Operation> = Record<string, never> extends Input<Operation> ? [input?: Input<Operation>] : [input: Input<Operation>]

type Call<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...input: Inputs<OperationAt<M, P>>
) => Promise<ClientAnswer<Output<OperationAt<M, P>>>>

/** Calls by path, typed from the OpenAPI document. All reject with a PlumblineError for error responses. */
export interface Client {
  readonly get: Call<'get'>
  readonly post: Call<'post'>
  readonly put: Call<'put'>
  readonly delete: Call<'delete'>
  /** The answer as CSV text. */
  csv<P extends FilePath>(path: P, input: FileInput<OperationAt<'get', P>>): Promise<ClientAnswer<string>>
  /** The answer as a workbook. */
  xlsx<P extends FilePath>(path: P, input: FileInput<OperationAt<'get', P>>): Promise<ClientAnswer<ArrayBuffer>>
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The untyped parts of a call. */
interface Request {
  readonly path?: object
  readonly query?: object
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** A client of one service. It needs only `fetch`, so it also works in browsers. */
export function createClient({ baseUrl, headers = {}, fetch: send = fetch }: ClientOptions): Client {
  const call = async <Data>(
    method: Method,
    path: string,
    request: Request,
    read: (response: Response) => Promise<Data>,
    accept: string,
  ) => {
    const { body, signal } = request
    const isForm = body instanceof FormData
    const response = await send(addressOf(baseUrl, path, request), {
      method: method.toUpperCase(),
      headers: { ...headers, accept, ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
    if (!response.ok) throw await errorOf(response)
    return answerOf(response, await read(response))
  }
  const json =
    <M extends Method>(method: M): Call<M> =>
    <P extends PathOf<M>>(path: P, ...[input]: Inputs<OperationAt<M, P>>) =>
      call(method, path, input ?? {}, readAs<Output<OperationAt<M, P>>>, 'application/json')
  return {
    get: json('get'),
    post: json('post'),
    put: json('put'),
    delete: json('delete'),
    csv: (path, input) => call('get', path, input, (response) => response.text(), 'text/csv'),
    xlsx: (path, input) => call('get', path, input, (response) => response.arrayBuffer(), XLSX),
  }
}

// The tests of the service check every response against the document that the types come from.
async function readAs<Data>(response: Response): Promise<Data> {
  return (await response.json()) as Data
}

function answerOf<Data>({ headers }: Response, data: Data): ClientAnswer<Data> {
  const warnings =
    headers
      .get('x-warnings')
      ?.split(',')
      .map((code) => code.trim()) ?? []
  return { data, warnings, dataThrough: headers.get('x-data-through') ?? undefined, headers }
}

function addressOf(baseUrl: string, path: string, { path: values = {}, query = {} }: Request): string {
  const named = new Map<string, unknown>(Object.entries(values))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(named.get(name))))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined && one !== null) search.append(name, String(one))
  const text = search.toString()
  return `${baseUrl.replace(/\/+$/, '')}${filled}${text === '' ? '' : `?${text}`}`
}

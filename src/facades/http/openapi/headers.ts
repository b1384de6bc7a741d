const RESPONSE_HEADERS = {
  'x-request-id': header('Request id: the one you sent, or a new one'),
  'x-data-through': header('Timestamp up to which the data is complete. Absent if the replica does not report it'),
  'x-definitions': header('Hash of the metric definitions in force, 12 hex digits'),
  'x-currency': header('Currency of the amounts: the base currency, or `original` if each row names its currency'),
  'x-time-zone': header('Time zone of the days, if it is not UTC'),
  'x-unit': header('Unit of amounts: `cents` (integers) or `units` (decimal strings)'),
  'x-warnings': header('Warning codes, comma-separated. Absent if there are none'),
  'x-warning-details': header(
    'The warnings as a JSON list, at most five: `code`, `message` and, for warnings that count something, `count`. `inferred` can have `parts`: names, some with a `count`',
  ),
  'x-total-count': header('Total number of rows, before `limit` and `offset`. Only on lists without periods'),
  'x-compared-with': header('With `compare_to`: the day or days (`<first>/<last>`) that the values are compared with'),
  etag: header('Strong entity tag of the body. Send it as `If-None-Match` to revalidate'),
  'content-disposition': header('File name of a CSV or XLSX response'),
  'www-authenticate': header('`Bearer`, with the error if the credential is invalid'),
  'retry-after': header('Seconds to wait before you retry'),
  allow: header('Methods that the path supports'),
}

export type HeaderName = keyof typeof RESPONSE_HEADERS
type HeaderDocs = Record<string, ReturnType<typeof header>>

/** Response headers of http-api.md 1.1 for the document. */
export function pickHeaders(...names: readonly HeaderName[]): HeaderDocs {
  return Object.fromEntries(names.map((name) => [name, RESPONSE_HEADERS[name]]))
}

function header(description: string) {
  return { description, schema: { type: 'string' as const } }
}

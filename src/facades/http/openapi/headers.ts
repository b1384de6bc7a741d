const RESPONSE_HEADERS = {
  'x-request-id': header("The request's own id, or a new one"),
  'x-data-through': header('Instant up to which the answer is complete; absent where that is not known of a replica'),
  'x-definitions': header('Hash of the definitions in force, 12 hex digits'),
  'x-currency': header('Currency of the amounts: the base currency, or `original` where each row names its own'),
  'x-unit': header('How amounts are written: `cents`, or `units` as decimal text'),
  'x-warnings': header('Codes of warnings, comma-separated; absent when there are none'),
  'x-warning-details': header(
    'JSON list of the warnings, at most five: `code`, `message` and, where it counts something, `count`',
  ),
  'x-total-count': header('Rows there are, shown or not; only on a list without periods'),
  'x-compared-with': header('With `compare_to`: the day or the days, `<first>/<last>`, that the figures are compared with'),
  etag: header('Strong hash of the body; send it back as `If-None-Match`'),
  'content-disposition': header('Name of the file, where the answer is CSV or XLSX'),
  'www-authenticate': header('`Bearer`, and what is wrong with the credential that was sent'),
  'retry-after': header('Seconds after which to try again'),
  allow: header('Methods that the path answers'),
}

export type HeaderName = keyof typeof RESPONSE_HEADERS
type HeaderDocs = Record<string, ReturnType<typeof header>>

/** Response headers of http-api.md 1.1, as the document describes them. */
export function pickHeaders(...names: readonly HeaderName[]): HeaderDocs {
  return Object.fromEntries(names.map((name) => [name, RESPONSE_HEADERS[name]]))
}

function header(description: string) {
  return { description, schema: { type: 'string' as const } }
}

const SPEC_TO_QUERY: Readonly<Record<string, string>> = {
  dimensions: 'dimensions',
  filters: 'filter',
  granularity: 'granularity',
  segment: 'segment',
  compare: 'compare_segments',
  time_range: 'start',
}

/** `where` of an issue in the words of a query string: `query.<name>`. */
export function whereInQuery(where: string): string {
  if (where.startsWith('params.')) return `query.${where.slice('params.'.length)}`
  const field = /^spec\.([a-z_]+)/.exec(where)?.[1]
  return field === undefined ? where : `query.${SPEC_TO_QUERY[field] ?? field}`
}

/** `where` of an issue in the words of a JSON body: `body.<path>`. */
export function whereInBody(where: string): string {
  return /^(params|spec)\b/.test(where) ? `body.${where}` : where
}

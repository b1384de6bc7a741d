const SPEC_TO_OPTION: Readonly<Record<string, string>> = {
  dimensions: 'dimension',
  filters: 'filter',
  granularity: 'granularity',
  segment: 'segment',
  compare: 'compare',
}

/** `where` of an issue in the words of the command line: `--start`, `--filter`, `<metric>`. */
export function whereOnCommandLine(where: string): string {
  if (where.startsWith('params.')) return `--${where.slice('params.'.length).replaceAll('_', '-')}`
  if (where.startsWith('body.definition')) return '--file'
  if (/^body\.(name|description)$/.test(where)) return `--${where.slice('body.'.length)}`
  if (where.startsWith('path.')) return `<${where.slice('path.'.length)}>`
  const field = /^spec\.([a-z_]+)/.exec(where)?.[1]
  return field === undefined ? where : `--${SPEC_TO_OPTION[field] ?? field.replaceAll('_', '-')}`
}

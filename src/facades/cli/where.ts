import { parameterAt } from '../presentation/parameters.ts'

/** `where` of an issue in the words of the command line: `--start`, `--filter`, `<metric>`. */
export function whereOnCommandLine(where: string): string {
  if (where.startsWith('body.definition')) return '--file'
  if (/^body\.(name|description)$/.test(where)) return `--${where.slice('body.'.length)}`
  if (where === 'body.since') return '--since'
  if (where === 'body.type') return '<type>'
  if (where.startsWith('path.')) return `<${where.slice('path.'.length)}>`
  const option = parameterAt(where)?.option?.name ?? /^(?:params|spec)\.(.+)/.exec(where)?.[1]
  return option === undefined ? where : `--${option.replaceAll('_', '-')}`
}

import { parameterAt } from './parameters.ts'

/** `where` of an issue in the words of a query string: `query.<name>`. */
export function whereInQuery(where: string): string {
  if (where === 'params') return 'query'
  const name = parameterAt(where)?.name ?? /^(?:params|spec)\.(.+)/.exec(where)?.[1]
  return name === undefined ? where : `query.${name}`
}

/** `where` of an issue in the words of a JSON body: `body.<path>`. */
export function whereInBody(where: string): string {
  return /^(params|spec)\b/.test(where) ? `body.${where}` : where
}

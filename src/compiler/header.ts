import { suggest } from '../core/errors.ts'
import type { ParamType } from './fragment.ts'
import type { Token } from './lexer.ts'

interface HeaderBase {
  /** Relations that the file reads, in declared order. */
  readonly reads: readonly string[]
  readonly params: ReadonlyMap<string, ParamType>
  /** Set for a variant such as `name.mysql.sql`. */
  readonly dialect?: VariantDialect
}

/** Dialects that may have a variant of a file. */
const VARIANT_DIALECTS = ['mysql', 'duckdb'] as const
type VariantDialect = (typeof VARIANT_DIALECTS)[number]

export interface QueryHeader extends HeaderBase {
  readonly kind: 'query'
  readonly metric: string
  readonly query: string
  /** True if the file deliberately takes no dimensions. */
  readonly unsliced: boolean
}

export interface RelationHeader extends HeaderBase {
  readonly kind: 'relation'
  readonly relation: string
  /** True if PostgreSQL should plan the file separately from the relations that read it. */
  readonly fenced: boolean
  /** Relations and raw tables. If none of them has rows, the relation has none. Empty: nothing is known. */
  readonly needs: readonly string[]
}

export type Header = QueryHeader | RelationHeader

/** A name of the header with its position, for messages. */
export interface HeaderName {
  readonly name: string
  readonly at: Token
}

export interface ParsedHeader {
  /** Undefined if the header does not tell the kind of the file. */
  readonly header: Header | undefined
  readonly reads: readonly HeaderName[]
  readonly params: readonly HeaderName[]
}

export type Report = (at: { readonly line: number; readonly column: number }, message: string) => void

const PARAM_TYPES: Readonly<Record<ParamType, true>> = {
  text: true,
  integer: true,
  decimal: true,
  timestamp: true,
  date: true,
  boolean: true,
  json: true,
  integers: true,
}
/** Lines without a value. */
const FLAGS = ['unsliced', 'fenced']
const KEYS = ['metric', 'query', 'relation', 'reads', 'needs', 'param', ...FLAGS]
const NAME = /^[a-z][a-z0-9_]*$/

interface Line {
  readonly key: string
  readonly text: string
  readonly at: Token
}

/** Reads the comment lines at the top of a file. `fileName` is the name without folder. Prose lines are ignored. */
export function parseHeader(fileName: string, comments: readonly Token[], report: Report): ParsedHeader {
  const lines = comments.flatMap((comment) => contractLine(comment, report))
  const single = (key: string): Line | undefined => {
    const [first, ...others] = lines.filter((line) => line.key === key)
    for (const other of others) report(other.at, `\`${key}\` appears twice in the header`)
    return first
  }
  const reads = readNames(single('reads'), report)
  const params = lines.filter((line) => line.key === 'param').flatMap((line) => paramOf(line, report))
  const types = new Map<string, ParamType>()
  for (const param of params) {
    if (types.has(param.name)) report(param.at, `:${param.name} is declared twice`)
    types.set(param.name, param.type)
  }
  const base: HeaderBase = {
    reads: reads.map((entry) => entry.name),
    params: types,
    ...variantOf(fileName),
  }
  const own = {
    metric: single('metric'),
    query: single('query'),
    relation: single('relation'),
    unsliced: single('unsliced'),
    fenced: single('fenced'),
    needs: single('needs'),
  }
  checkNames(fileName, own, report)
  return { header: headerOf(base, own, report), reads, params }
}

function variantOf(fileName: string): Pick<HeaderBase, 'dialect'> {
  const dialect = VARIANT_DIALECTS.find((name) => fileName.endsWith(`.${name}.sql`))
  return dialect === undefined ? {} : { dialect }
}

type OwnLines = Readonly<Record<'metric' | 'query' | 'relation' | 'unsliced' | 'fenced' | 'needs', Line | undefined>>

function headerOf(base: HeaderBase, own: OwnLines, report: Report): Header | undefined {
  const { metric, query, relation, unsliced, fenced, needs } = own
  if (metric !== undefined && query !== undefined && relation === undefined && (fenced ?? needs) === undefined) {
    return { ...base, kind: 'query', metric: metric.text, query: query.text, unsliced: unsliced !== undefined }
  }
  if (relation !== undefined && metric === undefined && query === undefined && unsliced === undefined) {
    const needed = readNames(needs, report).map(({ name }) => name)
    return { ...base, kind: 'relation', relation: relation.text, fenced: fenced !== undefined, needs: needed }
  }
  const message =
    'the header must have either `-- metric:` and `-- query:` or `-- relation:` (`-- unsliced` belongs to a query, `-- fenced` and `-- needs:` to a relation)'
  report((relation ?? metric ?? query ?? unsliced ?? fenced ?? needs)?.at ?? { line: 1, column: 1 }, message)
  return undefined
}

function checkNames(fileName: string, { metric, query, relation }: OwnLines, report: Report): void {
  for (const line of [metric, query, relation]) {
    if (line !== undefined && !NAME.test(line.text))
      report(line.at, `\`${line.key}:\` needs a snake_case name, found \`${line.text}\``)
  }
  const line = query ?? relation
  const stem = fileName.replace(/(\.(mysql|duckdb))?\.sql$/, '')
  if (line !== undefined && line.text !== stem)
    report(line.at, `the file is named \`${stem}\` but its header says \`${line.text}\``)
}

function contractLine(comment: Token, report: Report): Line[] {
  const match = /^--\s*([a-z_]+)\s*(:?)\s*(.*?)\s*$/.exec(comment.text)
  const [, key = '', colon, text = ''] = match ?? []
  const isFlag = FLAGS.includes(key)
  if (isFlag && text === '') return [{ key, text, at: comment }]
  if (colon !== ':') return []
  if (isFlag) report(comment, `\`-- ${key}\` takes no value, found \`${text}\``)
  if (KEYS.includes(key)) return [{ key, text, at: comment }]
  const [near] = suggest(key, KEYS)
  if (near !== undefined) report(comment, `unknown header line \`${key}:\`; did you mean \`${near}:\`?`)
  return []
}

function readNames(line: Line | undefined, report: Report): HeaderName[] {
  if (line === undefined) return []
  const seen = new Set<string>()
  return line.text.split(',').flatMap((part) => {
    const name = part.trim()
    if (!NAME.test(name)) report(line.at, `\`reads:\` lists relation names separated by commas, found \`${name}\``)
    else if (seen.has(name)) report(line.at, `\`reads:\` lists ${name} twice`)
    seen.add(name)
    return [{ name, at: line.at }]
  })
}

function paramOf(line: Line, report: Report): (HeaderName & { type: ParamType })[] {
  const [name = '', type = '', ...rest] = line.text.split(/\s+/)
  if (!NAME.test(name) || rest.length > 0 || !isParamType(type)) {
    report(line.at, `\`param:\` needs a name and one of the types ${Object.keys(PARAM_TYPES).join(', ')}, found \`${line.text}\``)
    return []
  }
  return [{ name, type, at: line.at }]
}

function isParamType(type: string): type is ParamType {
  return Object.hasOwn(PARAM_TYPES, type)
}

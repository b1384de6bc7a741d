import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { InternalError } from '../core/errors.ts'
import { packageRoot } from '../core/package-root.ts'
import type { DialectName } from './dialect.ts'
import type { ParamType } from './fragment.ts'
import { parseTemplate, type Template, TemplateError } from './template.ts'
import type { TemplateProblem } from './template-node.ts'

/** All SQL files of the product, read and checked once at start. */
export interface SqlCatalog {
  /** The file of a metric's query, in the variant of the dialect if there is one. */
  query(metric: string, query: string, dialect: DialectName): Template
  /** The file of a relation; undefined if no file supplies it, because it may be inline. */
  relation(name: string, dialect: DialectName): Template | undefined
  queries(): readonly { readonly metric: string; readonly query: string }[]
  relations(): readonly string[]
}

/** Directories of the SQL files. */
interface SqlDirectories {
  readonly sql: string
  /** Relation folders of connectors. Their files replace the product's files of the same name. */
  readonly relations: readonly string[]
  /** Folders of metrics defined outside the product. Each metric has one folder, which has the name of the metric. */
  readonly metrics?: readonly string[]
  /** Relations that are tables, by name. They replace the files of the same name, and need no file. */
  readonly tables?: ReadonlyMap<string, RelationTable>
}

/** The table of a relation, with the relation's columns. */
export interface RelationTable {
  readonly table: string
  readonly columns: readonly string[]
}

/** Folders of the product's relations: those of every billing engine, and the tables of the store. */
const OWN_RELATIONS: readonly string[] = ['relations', 'store']

/**
 * Reads `<sql>/relations`, `<sql>/store`, `<sql>/metrics/<metric>`, the other query folders, and the folders of connectors and other metrics.
 * Throws a TemplateError with all problems.
 */
export function loadCatalog(directories: SqlDirectories): SqlCatalog {
  const problems: TemplateProblem[] = []
  const read = (folder: string): Template[] => sqlFiles(folder).flatMap((path) => readTemplate(path, problems))
  const tables = [...(directories.tables ?? [])].map(([relation, table]) => tableTemplate(relation, table))
  const isTable = new Set(tables.map(nameOf))
  const supplied = directories.relations.flatMap(read)
  const isSupplied = new Set(supplied.map(nameOf))
  const own = subfolders(directories.sql)
    .filter((folder) => OWN_RELATIONS.includes(basename(folder)))
    .flatMap(read)
  const derived = own.filter((template) => !isSupplied.has(nameOf(template)))
  const computed = [...derived, ...supplied]
  const relationFiles = [...computed.filter((template) => !isTable.has(nameOf(template))), ...tables]
  const others = subfolders(directories.sql).filter((folder) => ![...OWN_RELATIONS, 'metrics'].includes(basename(folder)))
  const queryFiles = [...subfolders(join(directories.sql, 'metrics')), ...others, ...(directories.metrics ?? [])].flatMap(read)
  problems.push(...checkCatalog(relationFiles, queryFiles))
  if (problems.length > 0) throw new TemplateError(problems)
  const relations = byName(relationFiles)
  const queries = byName(queryFiles)
  return Object.freeze({
    query(metric: string, query: string, dialect: DialectName) {
      const template = find(queries, `${metric}.${query}`, dialect)
      if (template === undefined) throw new InternalError(`no SQL file for ${metric}.${query}`)
      return template
    },
    relation: (name: string, dialect: DialectName) => find(relations, name, dialect),
    queries: () =>
      queryFiles.flatMap(({ header }) =>
        header.kind === 'query' && header.dialect === undefined ? [{ metric: header.metric, query: header.query }] : [],
      ),
    relations: () =>
      relationFiles.flatMap(({ header }) =>
        header.kind === 'relation' && header.dialect === undefined ? [header.relation] : [],
      ),
  })
}

/** `metric.query` or the relation's name. */
function nameOf({ header }: Template): string {
  return header.kind === 'query' ? `${header.metric}.${header.query}` : header.relation
}

function byName(templates: readonly Template[]): ReadonlyMap<string, Template> {
  return new Map(templates.map((template) => [`${nameOf(template)} ${template.header.dialect ?? ''}`, template]))
}

function find(templates: ReadonlyMap<string, Template>, name: string, dialect: DialectName): Template | undefined {
  return templates.get(`${name} ${dialect}`) ?? templates.get(`${name} `)
}

/**
 * The templates of files, and the contents of folders, by path. A process has several catalogs with mostly the same files. It reads each of them
 * once: another installation that takes the place of this one has the SQL of other programs.
 */
const templates = new Map<string, Template>()
const folders = new Map<string, readonly Dirent[]>()

function readTemplate(path: string, problems: TemplateProblem[]): Template[] {
  const own = relative(packageRoot(), path)
  const file = own.startsWith('..') ? path : own
  try {
    const template = templates.get(path) ?? parseTemplate(file, readFileSync(path, 'utf8'))
    templates.set(path, template)
    return [template]
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    problems.push(...error.problems)
    return []
  }
}

/** The template of a relation that is a table. */
function tableTemplate(relation: string, { table, columns }: RelationTable): Template {
  const selected = columns.map((column) => `held.${column}`).join(', ')
  return parseTemplate(`${relation}.sql`, `-- relation: ${relation}\nselect ${selected}\nfrom ${table} as held\n`)
}

function sqlFiles(folder: string): string[] {
  return entries(folder)
    .filter((entry) => entry.isFile() && entry.name.endsWith('.sql'))
    .map((entry) => join(folder, entry.name))
}

function subfolders(folder: string): string[] {
  return entries(folder)
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name))
}

function entries(folder: string): readonly Dirent[] {
  const found = folders.get(folder) ?? readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  folders.set(folder, found)
  return found
}

/** Checks across files: duplicates, variants without a neutral file, cycles, and parameters and names that collide when nested. */
function checkCatalog(relations: readonly Template[], queries: readonly Template[]): TemplateProblem[] {
  const all = [...relations, ...queries]
  return [
    ...relations.flatMap((template) =>
      template.header.kind === 'relation' ? [] : [problem(template, 'a relation folder holds files with `-- relation:` only')],
    ),
    ...queries.flatMap(checkFolder),
    ...checkDuplicates(all),
    ...checkVariants(all),
    ...all.flatMap((template) => checkNested(template, relations)),
  ]
}

function problem(template: Template, message: string): TemplateProblem {
  return { file: template.file, line: 1, column: 1, message }
}

function checkFolder(template: Template): TemplateProblem[] {
  const folder = basename(dirname(template.file))
  if (template.header.kind !== 'query')
    return [problem(template, 'a metric folder holds files with `-- metric:` and `-- query:` only')]
  return template.header.metric === folder
    ? []
    : [problem(template, `the folder is named \`${folder}\` but the header says \`metric: ${template.header.metric}\``)]
}

function checkDuplicates(templates: readonly Template[]): TemplateProblem[] {
  const seen = new Map<string, string>()
  return templates.flatMap((template) => {
    const { header } = template
    if (header.kind !== 'relation') return []
    const key = `${header.relation} ${header.dialect ?? ''}`
    const other = seen.get(key)
    seen.set(key, template.file)
    return other === undefined ? [] : [problem(template, `${other} already supplies relation.${header.relation}`)]
  })
}

function checkVariants(templates: readonly Template[]): TemplateProblem[] {
  const files = new Set(templates.map((template) => template.file))
  return templates
    .filter(({ file, header: { dialect } }) => dialect !== undefined && !files.has(file.replace(`.${dialect}.sql`, '.sql')))
    .map((template) => problem(template, 'a variant needs a neutral file of the same name, which is missing'))
}

/** Follows `reads:` from one file and reports cycles, a parameter with two types, and CTE names that hide a table of a nested relation. */
function checkNested(template: Template, relations: readonly Template[]): TemplateProblem[] {
  const problems: TemplateProblem[] = []
  const visited = new Set<string>()
  const types = new Map<string, ParamType>(template.header.params)
  const visit = (current: Template, trail: readonly string[]): void => {
    for (const name of current.header.reads) {
      if (trail[0] === name) problems.push(problem(template, `relations read each other: ${[...trail, name].join(' → ')}`))
      if (visited.has(name)) continue
      visited.add(name)
      for (const nested of relations.filter(({ header }) => header.kind === 'relation' && header.relation === name)) {
        problems.push(...checkParams(template, nested, types), ...checkCapture(template, nested))
        visit(nested, [...trail, name])
      }
    }
  }
  visit(template, template.header.kind === 'relation' ? [template.header.relation] : [])
  return problems
}

function checkParams(template: Template, nested: Template, types: Map<string, ParamType>): TemplateProblem[] {
  return [...nested.header.params].flatMap(([name, type]) => {
    const other = types.get(name) ?? type
    types.set(name, other)
    return other === type ? [] : [problem(template, `:${name} is ${other} here and ${type} in ${nested.file}, which it reads`)]
  })
}

function checkCapture(template: Template, nested: Template): TemplateProblem[] {
  return [...nested.tables]
    .filter((table) => template.ctes.has(table))
    .map((table) =>
      problem(template, `the CTE ${table} would hide the table ${table} from ${nested.file}, which it reads: rename the CTE`),
    )
}

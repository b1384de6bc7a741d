import { basename, dirname } from 'node:path'
import type { ParamType } from './fragment.ts'
import type { Template } from './template.ts'
import type { TemplateProblem } from './template-error.ts'

/** What can only be seen with all files at hand: duplicates, lost variants, cycles, parameters and names that collide when nested. */
export function checkCatalog(relations: readonly Template[], queries: readonly Template[]): TemplateProblem[] {
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
    return other === undefined ? [] : [problem(template, `${other} supplies relation.${header.relation} already`)]
  })
}

function checkVariants(templates: readonly Template[]): TemplateProblem[] {
  const files = new Set(templates.map((template) => template.file))
  return templates
    .filter((template) => template.header.dialect !== undefined && !files.has(template.file.replace(/\.mysql\.sql$/, '.sql')))
    .map((template) => problem(template, 'a variant stands beside a neutral file of the same name, which is missing'))
}

/** Follows `reads:` from one file: cycles, one parameter with two types, CTE names that would hide a table from a nested relation. */
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

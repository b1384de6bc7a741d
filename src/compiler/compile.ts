import { InternalError } from '../core/errors.ts'
import type { OffsetStretch } from '../core/zone.ts'
import type { SqlCatalog } from './catalog.ts'
import { nodesUntil } from './cut.ts'
import type { Dialect } from './dialect.ts'
import { emit } from './emit.ts'
import {
  type BoundValue,
  empty,
  type Fragment,
  type FragmentNode,
  fragment,
  ident,
  join,
  type ParamType,
  relationsIn,
  sql,
  value,
} from './fragment.ts'
import type { InlineRelation } from './inline.ts'
import type { Statement } from './statement.ts'
import { flatten, type Slot, type Template, type TemplateNode } from './template.ts'

/** The beginning of a query, up to the end of a CTE, with another statement over this CTE. It is a relation of the statement. */
export interface TemplatePart {
  readonly template: Template
  readonly slots: Partial<Record<Slot, Fragment>>
  readonly until: string
  /** The statement after the CTE. */
  readonly ending: Fragment
}

interface CompileContext {
  readonly catalog: SqlCatalog
  /** Relations computed for this request. They override files of the same name. */
  readonly inline: ReadonlyMap<string, InlineRelation>
  /** Relations built from fragments for this request, each a subquery in parentheses. They also override files. */
  readonly built?: ReadonlyMap<string, Fragment>
  /** Relations that are the beginning of a query, by name. They also override files. */
  readonly parts?: ReadonlyMap<string, TemplatePart>
  /** Values of all declared parameters. Others are ignored. */
  readonly params: Readonly<Record<string, BoundValue>>
  /** Parameters that are written as SQL in place of a bound value. */
  readonly written?: ReadonlyMap<string, Fragment>
  /** Replacement relations by name. A connector sets them for a version of its engine. */
  readonly aliases?: ReadonlyMap<string, string>
  readonly dialect: Dialect
  /** The offsets of the zone of `fn.clock`. Absent: UTC. */
  readonly stretches?: readonly OffsetStretch[]
  /** Text of the leading comment, for example `mrr.breakdown <connector>/postgres`. */
  readonly label: string
}

interface TemplateInput extends CompileContext {
  readonly template: Template
  readonly slots?: Partial<Record<Slot, Fragment>>
}

interface FragmentInput extends CompileContext {
  readonly fragment: Fragment
}

/** Compiles a template, with its slots and relations, to one statement. */
export function compileTemplate(input: TemplateInput): Statement {
  const bindings = createBindings(input)
  return compileWith(bindTemplate(input.template, bindings, input.slots ?? {}), bindings, input)
}

/** Compiles SQL written with the `sql` tag to one statement. */
export function compileFragment(input: FragmentInput): Statement {
  return compileWith(input.fragment, createBindings(input), input)
}

/** Creates one value node per parameter, so that all its uses share a placeholder if the dialect numbers them. */
interface Bindings {
  bind(template: Template, name: string, type: ParamType): Fragment
}

function createBindings({ params, written, label }: CompileContext): Bindings {
  const bound = new Map<string, Fragment>()
  return {
    bind(template, name, type) {
      const text = written?.get(name)
      if (text !== undefined) return text
      const known = bound.get(`${name} ${type}`)
      if (known !== undefined) return known
      const raw = Object.hasOwn(params, name) ? params[name] : undefined
      if (raw === undefined) throw new InternalError(`${label}: ${template.file} needs a value for :${name}`)
      const made = value(raw, type)
      bound.set(`${name} ${type}`, made)
      return made
    },
  }
}

function bindTemplate(template: Template, bindings: Bindings, slots: Partial<Record<Slot, Fragment>>): Fragment {
  const places = new Set(flatten(template.nodes).map((node) => (node.kind === 'slot' ? node.slot : undefined)))
  for (const [slot, content] of Object.entries(slots)) {
    const isPlaced = [...places].some((place) => place === slot)
    if (content.nodes.length > 0 && !isPlaced) throw new InternalError(`${template.file} has no slot /*{${slot}}*/`)
  }
  return bindNodes(template, template.nodes, bindings, slots)
}

/** The query of a part in parentheses. Slots after the CTE have no place in it. */
function bindPart({ template, slots, until, ending }: TemplatePart, bindings: Bindings): Fragment {
  return sql`(\n${bindNodes(template, nodesUntil(template, until), bindings, slots)}\n${ending}\n)`
}

function bindNodes(
  template: Template,
  nodes: readonly TemplateNode[],
  bindings: Bindings,
  slots: Partial<Record<Slot, Fragment>>,
): Fragment {
  const bindNode = (node: TemplateNode): readonly FragmentNode[] => {
    switch (node.kind) {
      case 'text':
        return [node]
      case 'param': {
        const type = template.header.params.get(node.name)
        if (type === undefined) throw new InternalError(`${template.file}: :${node.name} has no type`)
        return bindings.bind(template, node.name, type).nodes
      }
      case 'relation':
        return [{ kind: 'relation', name: node.name }]
      case 'fn':
        return [{ kind: 'fn', name: node.name, args: node.args.map((arg) => fragment(arg.flatMap(bindNode))) }]
      case 'slot':
        return sql` ${slots[node.slot] ?? empty} `.nodes
      default:
        return node satisfies never
    }
  }
  return fragment(nodes.flatMap(bindNode))
}

/** A relation of the statement: its subquery in parentheses, and whether it is in the statement's WITH list. */
interface Resolved {
  readonly subquery: Fragment
  /**
   * True if it is used more than once, fenced, or has its own WITH list. In MariaDB, a WITH list inside a derived table cannot
   * refer to the outer list. A WITH list inside another CTE can.
   */
  isShared: boolean
  /** True if it is a subquery in each place, however often it is used. */
  readonly isRepeated: boolean
  readonly isFenced: boolean
}

function compileWith(main: Fragment, bindings: Bindings, input: CompileContext): Statement {
  const resolved = resolveRelations(main, bindings, input)
  const expand = (part: Fragment): Fragment => fragment(part.nodes.flatMap(expandNode))
  const expandNode = (node: FragmentNode): readonly FragmentNode[] => {
    if (node.kind === 'fn') return [{ ...node, args: node.args.map(expand) }]
    if (node.kind !== 'relation') return [node]
    const entry = resolved.get(node.name)
    if (entry === undefined) throw new InternalError(`relation.${node.name} was not resolved`)
    return entry.isShared ? cteName(node.name).nodes : expand(entry.subquery).nodes
  }
  // The map holds dependencies before dependents, as a WITH list needs them.
  const shared = [...resolved].filter(([, entry]) => entry.isShared)
  const ctes = shared.map(
    ([name, { subquery, isFenced }]) => sql`${cteName(name)} as ${isFenced ? sql`materialized ` : empty}${expand(subquery)}`,
  )
  return emit(withCtes(ctes, expand(main)), input.dialect, input.label, input.stretches)
}

function cteName(relation: string): Fragment {
  return ident(`rel_${relation}`)
}

/** All relations of the statement, dependencies first. */
function resolveRelations(main: Fragment, bindings: Bindings, input: CompileContext): Map<string, Resolved> {
  const resolved = new Map<string, Resolved>()
  const visit = (part: Fragment, trail: readonly string[]): void => {
    for (const name of relationsIn(part)) {
      if (trail.includes(name)) throw new InternalError(`relations read each other: ${[...trail, name].join(' → ')}`)
      const known = resolved.get(name)
      if (known !== undefined) {
        known.isShared = !known.isRepeated
        continue
      }
      const part = input.parts?.get(name)
      const built = part === undefined ? input.built?.get(name) : bindPart(part, bindings)
      const template = built !== undefined || input.inline.has(name) ? undefined : templateOf(name, input)
      const subquery =
        built ?? (template === undefined ? rowsOf(name, input) : sql`(\n${bindTemplate(template, bindings, {})}\n)`)
      visit(subquery, [...trail, name])
      // A planner that copies the functions of an expanded relation into a join would run them for each row of the other side.
      const isExpanded = built === undefined && input.inline.get(name)?.select !== undefined
      const isMarked = isExpanded || (template?.header.kind === 'relation' && template.header.fenced)
      const isFenced = isMarked && input.dialect.fencesCtes
      const hasWith = part !== undefined || (template !== undefined && template.ctes.size > 0)
      const isRepeated = input.dialect.repeatsPlainRelations === true && template?.header.reads.length === 0 && !hasWith
      resolved.set(name, { subquery, isShared: isFenced || hasWith, isRepeated, isFenced })
    }
  }
  visit(main, [])
  return resolved
}

function templateOf(name: string, { catalog, aliases, dialect }: CompileContext): Template | undefined {
  return catalog.relation(aliases?.get(name) ?? name, dialect.name)
}

function rowsOf(name: string, { inline, dialect, label }: CompileContext): Fragment {
  const rows = inline.get(name)
  if (rows === undefined) throw new InternalError(`${label}: nothing supplies relation.${name}`)
  return rows.select === undefined ? inlineRows(rows, dialect) : sql`(\n${rows.select}\n)`
}

/** Adds shared relations in front. A statement that already has a WITH list still has only one. */
function withCtes(ctes: readonly Fragment[], main: Fragment): Fragment {
  if (ctes.length === 0) return main
  const list = sql`with ${join(ctes, sql`,\n`)}`
  const [first, ...rest] = main.nodes
  const match = first?.kind === 'text' ? /^\s*with\s/i.exec(first.text) : null
  if (first?.kind !== 'text' || match === null) return sql`${list}\n${main}`
  return sql`${list},\n${fragment([{ kind: 'text', text: first.text.slice(match[0].length) }, ...rest])}`
}

const emitted = new WeakMap<Dialect, WeakMap<InlineRelation, Fragment>>()

/** SQL of the relation's rows. A relation shared by many requests, such as a catalog, is written only once. */
function inlineRows(relation: InlineRelation, dialect: Dialect): Fragment {
  const ofDialect = emitted.get(dialect) ?? new WeakMap<InlineRelation, Fragment>()
  const rows = ofDialect.get(relation) ?? dialect.inlineRelation(relation)
  emitted.set(dialect, ofDialect.set(relation, rows))
  return rows
}

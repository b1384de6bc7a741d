import { suggest } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import { clipped } from '../core/text.ts'
import { attributeKeyOf } from './attributes.ts'
import { checkTestShape, isOperator, parseTest } from './condition.ts'
import { collectIssues, MOST_SUGGESTED, type RequestIssue } from './issues.ts'
import { type SegmentGroup, type SegmentNode, withoutEmptyGroups } from './segment.ts'
import { type SegmentNames, segmentField } from './segment-fields.ts'

const DEPTH_LIMIT = 20
/** Most conditions of a segment. */
export const CONDITION_LIMIT = 200
// Problems beyond this number are left out.
const MOST_PROBLEMS = 100
const MOST_CHARACTERS = 400

/** A problem of a definition. `path` is the path of the node, such as `root.conditions[0]`. */
export interface SegmentProblem {
  readonly path: string
  readonly message: string
  readonly code: RequestIssue['code']
  /** True if the definition is well formed but names something that does not exist. */
  readonly isUnresolved: boolean
}

/** The tree of a definition and its problems. The tree is undefined if there are problems. */
interface CheckedSegment {
  readonly tree: SegmentGroup | undefined
  readonly problems: readonly SegmentProblem[]
}

/** Validates a segment definition against the known names (http-api.md 6.1 to 6.3). */
export function checkSegmentDefinition(raw: unknown, resolvedNames: SegmentNames): CheckedSegment {
  const problems: SegmentProblem[] = []
  let judged = 0
  const add = ({ path, message, ...rest }: SegmentProblem) => {
    if (problems.length >= MOST_PROBLEMS) return
    problems.push({ ...rest, path: clipped(path, MOST_CHARACTERS), message: clipped(message, MOST_CHARACTERS) })
  }
  const shape = (path: string, message: string) => add({ path, message, code: 'validation_failed', isUnresolved: false })
  if (!isObject(raw)) {
    shape('definition', 'a definition is an object with "root"')
    return { tree: undefined, problems }
  }
  for (const name of Object.keys(raw).filter((key) => key !== 'version' && key !== 'root')) shape(name, `unknown field "${name}"`)
  if (raw['version'] !== undefined && raw['version'] !== 1) shape('version', 'the only version is 1')
  if (!isObject(raw['root'])) {
    shape('root', 'a group {op, conditions} is missing')
    return { tree: undefined, problems }
  }
  const count = countConditions(raw['root'], 1)
  if (count > CONDITION_LIMIT) shape('root', `${count} conditions; the limit is ${CONDITION_LIMIT}`)
  const root = readGroup(raw['root'], 'root', 1)
  return { tree: problems.length > 0 ? undefined : withoutEmptyGroups(root), problems }

  function readGroup(node: Raw, path: string, depth: number): SegmentGroup {
    for (const name of Object.keys(node).filter((key) => key !== 'op' && key !== 'conditions')) {
      shape(path, `unknown field "${name}" of a group`)
    }
    const op = node['op'] === 'or' ? 'or' : 'and'
    if (node['op'] !== op) shape(path, `"op" of a group is "and" or "or", not ${written(node['op']) ?? 'missing'}`)
    const inner = node['conditions']
    if (!Array.isArray(inner)) {
      shape(path, '"conditions" is a list')
      return { kind: 'group', op, nodes: [] }
    }
    if (depth > DEPTH_LIMIT) {
      shape(path, `groups may be nested ${DEPTH_LIMIT} deep at most`)
      return { kind: 'group', op, nodes: [] }
    }
    const nodes = inner
      .slice(0, CONDITION_LIMIT)
      .flatMap((item: unknown, index) => readNode(item, `${path}.conditions[${index}]`, depth + 1))
    return { kind: 'group', op, nodes }
  }

  function readNode(node: unknown, path: string, depth: number): readonly SegmentNode[] {
    // A longer definition is refused anyway.
    if (judged >= CONDITION_LIMIT) return []
    if (innerOf(node).length === 0) judged += 1
    if (!isObject(node)) {
      shape(path, 'a group {op, conditions} or a condition {field, op, value}')
      return []
    }
    const isGroup =
      Object.hasOwn(node, 'conditions') || (!Object.hasOwn(node, 'field') && ['and', 'or'].includes(String(node['op'])))
    return isGroup ? [readGroup(node, path, depth)] : readCondition(node, path)
  }

  function readCondition(node: Raw, path: string): readonly SegmentNode[] {
    for (const name of Object.keys(node).filter((key) => !['field', 'op', 'value'].includes(key))) {
      shape(path, `unknown field "${name}" of a condition`)
    }
    const { field: name, op, value } = node
    const isNamed = typeof name === 'string' && name !== ''
    if (!isNamed) shape(path, '"field" is the name of a field')
    const isKnown = typeof op === 'string' && isOperator(op)
    if (!isKnown) {
      add({
        path,
        message: `unknown operator ${written(op) ?? '(missing)'}`,
        code: 'invalid_operator',
        isUnresolved: false,
      })
    }
    const found = isNamed ? segmentField(resolvedNames, name) : undefined
    if (isNamed && found === undefined) add(unresolved(path, name, resolvedNames, problems.length < MOST_SUGGESTED))
    if (!isKnown) return []
    const { report, issues } = collectIssues()
    // In a segment, `is_empty` and `is_not_empty` take no value.
    const isEmptiness = op === 'is_empty' || op === 'is_not_empty'
    if (isEmptiness && value !== undefined && value !== null) report('invalid_value', path, `"${op}" takes no value.`)
    const given = isEmptiness ? null : value
    const condition =
      found === undefined ? checkTestShape(op, given, path, report) : parseTest(found.field, op, given, path, report)
    for (const { code, message } of issues) add({ path, message: asClause(message), code, isUnresolved: false })
    return found === undefined || condition === undefined ? [] : [{ kind: 'condition', level: found.level, condition }]
  }
}

/** The problem as one string with its path first (http-api.md 6.3). */
export function problemText({ path, message }: SegmentProblem): string {
  return `${path}: ${message}`
}

/** Attribute keys in a stored definition, valid or not. */
export function attributeKeysIn(raw: unknown, depth = 0): readonly string[] {
  if (!isObject(raw) || depth > DEPTH_LIMIT + 1) return []
  const name = raw['field']
  const own = typeof name === 'string' ? (attributeKeyOf(name) ?? []) : []
  const inner = Array.isArray(raw['conditions']) ? raw['conditions'] : [raw['root']]
  return [own, ...inner.map((item: unknown) => attributeKeysIn(item, depth + 1))].flat()
}

function unresolved(path: string, name: string, { fields, attributes }: SegmentNames, suggests: boolean): SegmentProblem {
  const key = attributeKeyOf(name)
  const near = !suggests ? [] : suggest(name, [...fields.keys(), ...[...attributes.values()].map((field) => field.key)])
  const hint = near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`
  return key === undefined
    ? { path, message: `unknown field "${name}"${hint}`, code: 'unknown_filter', isUnresolved: true }
    : { path, message: `unknown attribute "${key}"${hint}`, code: 'unknown_attribute', isUnresolved: true }
}

/** Number of conditions in a definition, valid or not. */
export function conditionsWritten(raw: unknown): number {
  return isObject(raw) ? countConditions(raw['root'], 1) : 0
}

// A group without conditions counts as one condition, so that every checked node is counted.
function countConditions(node: unknown, depth: number): number {
  const inner = innerOf(node)
  if (inner.length === 0 || depth > DEPTH_LIMIT) return 1
  return inner.reduce((sum: number, item) => sum + countConditions(item, depth + 1), 0)
}

function innerOf(node: unknown): readonly unknown[] {
  return isObject(node) && Array.isArray(node['conditions']) ? node['conditions'] : []
}

function written(value: unknown): string | undefined {
  const json: string | undefined = JSON.stringify(value)
  return json === undefined ? undefined : clipped(json, MOST_CHARACTERS)
}

/** The message with a full stop or question mark at its end. */
export function asSentence(text: string): string {
  return text.endsWith('?') ? text : `${text}.`
}

// Messages of filters are sentences. After a path they become clauses, without capital and full stop.
function asClause(sentence: string): string {
  const text = sentence.replace(/\.$/, '')
  return text.charAt(0).toLowerCase() + text.slice(1)
}

type Raw = Readonly<Record<string, unknown>>

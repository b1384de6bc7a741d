import type { AttributeType } from '../../../src/core/attribute.ts'
import type { TestCustomer } from '../product/segment-members.ts'

type Node = { readonly op: string; readonly conditions?: readonly Node[]; readonly field?: string; readonly value?: unknown }

/** Whether a customer is in a definition, by plain loops over its values (http-api.md 6.1, 6.2). */
export function isMember(definition: unknown, customer: TestCustomer, types: Readonly<Record<string, AttributeType>>): boolean {
  const { root } = definition as { root: Node }
  return !hasConditions(root) || holds(root, customer, types)
}

function hasConditions(node: Node): boolean {
  return node.conditions === undefined || node.conditions.some(hasConditions)
}

function holds(node: Node, customer: TestCustomer, types: Readonly<Record<string, AttributeType>>): boolean {
  if (node.conditions !== undefined) {
    const inner = node.conditions.filter(hasConditions)
    return node.op === 'or'
      ? inner.some((item) => holds(item, customer, types))
      : inner.every((item) => holds(item, customer, types))
  }
  const field = node.field ?? ''
  if (field === 'customer.name') return meets(node, customer.name, 'string')
  const key = field.slice('attr.'.length)
  return meets(node, customer.values[key] ?? null, types[key] ?? 'string')
}

function meets({ op, value }: Node, own: string | boolean | null, type: AttributeType): boolean {
  const isEmpty = own === null || own === ''
  if (op === 'is_empty') return isEmpty
  if (op === 'is_not_empty') return !isEmpty
  if (own === null) return false
  const list = (Array.isArray(value) ? value : [value]) as readonly unknown[]
  switch (type) {
    case 'boolean':
      return (String(list[0]) === String(own)) === (op === '=')
    case 'string':
      return meetsText(op, String(own), list.map(String))
    case 'number':
      return meetsRange(
        op,
        Number(own),
        list.map((item) => [Number(item), Number(item)]),
      )
    case 'timestamp':
      return meetsRange(op, Date.parse(`${String(own).replace(' ', 'T')}Z`), list.map(instants))
  }
}

function meetsText(op: string, own: string, list: readonly string[]): boolean {
  const lower = own.toLowerCase()
  const part = (list[0] ?? '').toLowerCase()
  switch (op) {
    case '=':
    case 'in':
      return list.includes(own)
    case '!=':
    case 'not in':
      return !list.includes(own)
    case 'contains':
      return lower.includes(part)
    case 'not_contains':
      return !lower.includes(part)
    case 'starts_with':
      return lower.startsWith(part)
    case 'ends_with':
      return lower.endsWith(part)
    default:
      throw new Error(`no operator ${op}`)
  }
}

/** First and last point of what a value stands for: a number twice, or the ends of a day or a second. */
function meetsRange(op: string, own: number, list: readonly (readonly number[])[]): boolean {
  const inside = list.some(([from = 0, to = 0]) => own >= from && own <= to)
  const [from = 0, to = 0] = list[0] ?? []
  switch (op) {
    case '=':
    case 'in':
      return inside
    case '!=':
    case 'not in':
      return !inside
    case '>':
      return own > to
    case '>=':
      return own >= from
    case '<':
      return own < from
    case '<=':
      return own <= to
    case 'between':
      return own >= from && own <= (list[1]?.[1] ?? 0)
    default:
      throw new Error(`no operator ${op}`)
  }
}

function instants(raw: unknown): readonly number[] {
  const text = String(raw)
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return [Date.parse(`${text}T00:00:00Z`), Date.parse(`${text}T23:59:59Z`)]
  return [Date.parse(text), Date.parse(text)]
}

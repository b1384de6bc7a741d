import { InternalError } from '../core/errors.ts'
import type { OffsetStretch } from '../core/zone.ts'
import { type DriverValue, driverValues } from './bound-value.ts'
import { clockTime } from './clock-time.ts'
import type { Dialect } from './dialect.ts'
import { empty, FN_ARITY, type FnName, type Fragment, type ValueNode } from './fragment.ts'
import type { Statement } from './statement.ts'

// Both wire protocols count parameters with 16 bits.
const PLACEHOLDER_LIMIT = 65_535

interface Output {
  readonly dialect: Dialect
  readonly stretches: readonly OffsetStretch[]
  readonly texts: string[]
  readonly values: DriverValue[]
  readonly placed: Map<ValueNode, string>
}

/** Text and values of a fragment whose relations are already resolved. `stretches` are those of the zone of `fn.clock`. */
export function emit(fragment: Fragment, dialect: Dialect, label: string, stretches: readonly OffsetStretch[] = []): Statement {
  if (!/^[A-Za-z0-9_.:/ -]+$/.test(label)) throw new InternalError(`not a label for a comment: ${JSON.stringify(label)}`)
  const output: Output = { dialect, stretches, texts: [`/* plumbline ${label} */\n`], values: [], placed: new Map() }
  write(fragment, output)
  if (output.values.length > PLACEHOLDER_LIMIT)
    throw new InternalError(`${label}: more than ${PLACEHOLDER_LIMIT} values in one statement`)
  return { text: output.texts.join(''), values: output.values, label }
}

function write(fragment: Fragment, output: Output): void {
  for (const node of fragment.nodes) {
    switch (node.kind) {
      case 'text':
        output.texts.push(node.text)
        break
      case 'ident':
        output.texts.push(node.name)
        break
      case 'value':
        output.texts.push(placeholders(node, output))
        break
      case 'fn':
        if (node.args.length !== FN_ARITY[node.name])
          throw new InternalError(`fn.${node.name} takes ${FN_ARITY[node.name]} arguments`)
        write(applied(node.name, node.args, output), output)
        break
      case 'relation':
        throw new InternalError(`relation.${node.name} was not resolved before emitting`)
      default:
        node satisfies never
    }
  }
}

function applied(name: FnName, args: readonly Fragment[], { dialect, stretches }: Output): Fragment {
  if (name !== 'clock') return dialect.functions[name](args)
  return clockTime(args[0] ?? empty, stretches, dialect)
}

/** The placeholder of a node; for a list, one per entry, separated by commas. */
function placeholders(node: ValueNode, { dialect, values, placed }: Output): string {
  const known = placed.get(node)
  if (known !== undefined) return known
  const type = node.type === 'integers' ? 'integer' : node.type
  const text = driverValues(node, dialect.hasBooleans)
    .map((value) => dialect.placeholder(values.push(value), type, value))
    .join(', ')
  if (dialect.reusesPlaceholders) placed.set(node, text)
  return text
}

import { InternalError } from '../../core/errors.ts'
import type { Fragment } from '../fragment.ts'

/** A dialect function of `arity` arguments; fewer or more are a mistake of ours. */
export function withArguments(arity: 1 | 2 | 3, build: (a: Fragment, b: Fragment, c: Fragment) => Fragment) {
  return (args: readonly Fragment[]): Fragment => {
    const [a, b = a, c = a] = args
    if (a === undefined || b === undefined || c === undefined || args.length !== arity) {
      throw new InternalError(`a dialect function takes ${arity} arguments, found ${args.length}`)
    }
    return build(a, b, c)
  }
}

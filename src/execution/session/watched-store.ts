import { isObject } from '../../core/json.ts'

/**
 * The same object, which calls `onUse` for each call of an asynchronous method, also of the objects that it holds or that its other methods
 * return.
 */
export function watched<T extends object>(target: T, onUse: () => void): T {
  return new Proxy(target, {
    get(from, name): unknown {
      const member: unknown = Reflect.get(from, name)
      if (typeof member !== 'function') return isObject(member) ? watched(member, onUse) : member
      return (...given: readonly unknown[]): unknown => {
        const result: unknown = Reflect.apply(member, from, given)
        if (result instanceof Promise) onUse()
        return isObject(result) && !(result instanceof Promise) ? watched(result, onUse) : result
      }
    },
  })
}

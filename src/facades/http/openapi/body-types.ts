import type { BodyTypes } from '../guard-writes.ts'
import { matchedPath } from '../paths.ts'
import type { App } from '../serve.ts'

/** The media types that the document gives the body of an operation. It is read at the first question, when all of them are registered. */
export function bodyTypesOf(app: App): BodyTypes {
  let known: ReadonlyMap<string, readonly string[]> | undefined
  return (method, route) => {
    known ??= describedTypes(app)
    return known.get(`${method} ${route.replaceAll(/:(\w+)/g, '{$1}')}`) ?? []
  }
}

function describedTypes(app: App): ReadonlyMap<string, readonly string[]> {
  const types = new Map<string, readonly string[]>()
  for (const definition of app.openAPIRegistry.definitions) {
    if (definition.type !== 'route') continue
    const { method, path, request } = definition.route
    types.set(`${method.toUpperCase()} ${matchedPath(path)}`, Object.keys(request?.body?.content ?? {}))
  }
  return types
}

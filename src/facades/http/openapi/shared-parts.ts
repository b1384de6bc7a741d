import { STATUS_CODES } from 'node:http'

/** An object of the document. */
export type Described = Record<string, unknown>

/** The document, typed as far as its operations and their parts. */
export interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Record<string, Described>
}

export interface Operation extends Described {
  readonly operationId: string
  readonly parameters?: Described[]
  readonly responses: Record<string, Described>
}

/** A place of a part in the document, its name among the components, and its operation. */
interface Place {
  readonly holder: Described | Described[]
  readonly key: string | number
  readonly name: string
  readonly operationId: string
}

/**
 * Moves equal headers, error responses and parameters of several operations to `components`. If different parts have the same
 * name, the most frequent part keeps the name. The others are named after their first operation, such as `filter_of_churn`.
 */
export function sharePartsOf(document: Document): void {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  share(document, 'headers', operations.flatMap(headersIn))
  share(document, 'responses', operations.flatMap(refusalsIn))
  share(document, 'parameters', operations.flatMap(parametersIn))
}

function headersIn({ operationId, responses }: Operation): readonly Place[] {
  return Object.values(responses).flatMap(({ headers = {} }) => {
    const holder = headers as Described
    return Object.keys(holder).map((key) => ({ holder, key, name: key, operationId }))
  })
}

function refusalsIn({ operationId, responses }: Operation): readonly Place[] {
  return Object.keys(responses)
    .filter((status) => Number(status) >= 300)
    .map((key) => ({ holder: responses, key, name: (STATUS_CODES[key] ?? key).replaceAll(/[^A-Za-z]/g, ''), operationId }))
}

function parametersIn({ operationId, parameters = [] }: Operation): readonly Place[] {
  return parameters.map((parameter, key) => {
    const name = String(parameter['name'])
    return { holder: parameters, key, name: parameter['in'] === 'query' ? name : `${parameter['in']}_${name}`, operationId }
  })
}

function share(document: Document, kind: string, places: readonly Place[]): void {
  const shared: Described = {}
  for (const [name, alike] of grouped(places, (place) => place.name)) {
    const variants = [...grouped(alike, (place) => JSON.stringify(partAt(place))).values()]
    for (const [index, places] of variants.sort((one, other) => other.length - one.length).entries()) {
      const [first] = places
      if (first === undefined || places.length === 1) continue
      const id = index === 0 ? name : `${name}_of_${first.operationId}`
      shared[id] = partAt(first)
      for (const { holder, key } of places) Object.assign(holder, { [key]: { $ref: `#/components/${kind}/${id}` } })
    }
  }
  document.components[kind] = shared
}

function partAt({ holder, key }: Place): Described {
  return Reflect.get(holder, key) as Described
}

function grouped(places: readonly Place[], keyOf: (place: Place) => string): ReadonlyMap<string, readonly Place[]> {
  const groups = new Map<string, Place[]>()
  for (const place of places) groups.set(keyOf(place), [...(groups.get(keyOf(place)) ?? []), place])
  return groups
}

import { describedPart } from './described-part.ts'

/** A JSON schema as the OpenAPI document has it. */
export type Schema = Readonly<Record<string, unknown>>

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: Schema
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

/** The description of one route in /openapi.json. */
export interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: Schema | undefined
  readonly isUpload: boolean
  readonly responses: Readonly<Record<string, Content>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Record<string, unknown>>>>>
  readonly components: Schema
}

const MOST_REFERENCES = 6

/** Every operation of the document, with what operations share in its place. */
export function operationsOf(document: Document): readonly Operation[] {
  const inPlace = <Part>(part: Part): Part => describedPart(document, part)
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]): Operation => {
      const { content } = (described['requestBody'] ?? {}) as Content
      return {
        method: method.toUpperCase(),
        path,
        parameters: ((described['parameters'] ?? []) as readonly Parameter[]).map(inPlace),
        body: spelledOut(document, content?.['application/json']?.schema),
        isUpload: content?.['multipart/form-data'] !== undefined,
        responses: Object.fromEntries(
          Object.entries(described['responses'] as Operation['responses']).map(([status, response]) => [
            status,
            inPlace(response),
          ]),
        ),
      }
    }),
  )
}

/** A schema with what it refers to in its place, groups within groups a few deep. */
function spelledOut<Part>(document: Document, part: Part, depth = 0): Part {
  if (typeof part !== 'object' || part === null) return part
  const own = describedPart(document, part)
  if (own !== part) return depth > MOST_REFERENCES ? ({} as Part) : spelledOut(document, own, depth + 1)
  if (Array.isArray(own)) return own.map((item) => spelledOut(document, item, depth)) as Part
  return Object.fromEntries(Object.entries(own).map(([key, value]) => [key, spelledOut(document, value, depth)])) as Part
}

/** Operations that are tried together: parameters of one name and place mean the same in every operation. */
export function parameterClasses(operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> {
  const classes = new Map<string, Operation[]>()
  for (const operation of operations) {
    for (const parameter of operation.parameters) {
      const key = `${parameter.in} ${parameter.name}`
      classes.set(key, [...(classes.get(key) ?? []), operation])
    }
  }
  return classes
}

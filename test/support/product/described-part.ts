/** A part of an OpenAPI document, with its reference resolved. */
export function describedPart<Part>(document: object, part: Part): Part {
  if (typeof part !== 'object' || part === null || !('$ref' in part) || typeof part.$ref !== 'string') return part
  const [, ...path] = part.$ref.split('/')
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    document,
  ) as Part
}

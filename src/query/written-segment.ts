import { isObject } from '../core/is-object.ts'
import type { NamedSegment } from '../core/segment.ts'

const NAME = 'as written'

/** True for a definition in the place of a segment's id or name: JSON text of an object. */
export function isWrittenSegment(text: string): boolean {
  return text.trimStart().startsWith('{')
}

/** No definition that is accepted is half as deep; whoever writes values that are would exhaust the stack of all who write them anew. */
const MOST_DEPTH = 64

function isDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value]
  for (let depth = 0; depth <= MOST_DEPTH && level.length > 0; depth += 1) {
    level = level.flatMap((node) => (typeof node === 'object' && node !== null ? Object.values(node) : []))
  }
  return level.length > 0
}

/** The segment that a definition in the place of a name stands for; undefined where the text is no JSON object. What is in it is judged elsewhere. */
export function writtenSegment(text: string): NamedSegment | undefined {
  if (!isWrittenSegment(text)) return undefined
  try {
    const definition: unknown = JSON.parse(text)
    return isObject(definition) && !isDeep(definition) ? { id: text, name: NAME, definition } : undefined
  } catch {
    return undefined
  }
}

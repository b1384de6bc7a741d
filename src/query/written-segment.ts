import { isObject, shapeFault } from '../core/json.ts'
import type { NamedSegment } from '../core/workspace.ts'

const NAME = 'as written'

/** True for a definition in the place of a segment's id or name: JSON text of an object. */
export function isWrittenSegment(text: string): boolean {
  return text.trimStart().startsWith('{')
}

/**
 * The segment that a definition in the place of a name stands for; undefined where the text is not a JSON object or has a shape that no
 * definition needs. The content is judged elsewhere.
 */
export function writtenSegment(text: string): NamedSegment | undefined {
  // What is nested very deeply exhausts the stack of all who write it again.
  if (!isWrittenSegment(text) || shapeFault(new TextEncoder().encode(text)) !== undefined) return undefined
  try {
    const definition: unknown = JSON.parse(text)
    return isObject(definition) ? { id: text, name: NAME, definition } : undefined
  } catch {
    return undefined
  }
}

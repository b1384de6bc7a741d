/** True for an object with names: neither null nor a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Levels of nesting: several times what any body needs. */
const MAX_DEPTH = 64
/** Names in one object: several times what any body can use, and little enough to be looked at. */
const MAX_NAMES = 1_000
/** Values in a body, the lists and objects among them: more than the filters of a request may have together. */
const MAX_VALUES = 30_000

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * The fault of JSON text in UTF-8 whose shape no request needs; undefined if there is none. It reads the bytes and builds nothing, because
 * a megabyte of brackets or names takes far longer to parse than to read. It does not check that the text is valid JSON.
 */
export function shapeFault(text: Uint8Array): string | undefined {
  /** Names in each of the objects and lists that are open. */
  const names: number[] = []
  let most = 0
  let values = 1
  let isText = false
  for (let index = 0; index < text.length; index += 1) {
    const byte = text[index]
    if (isText) {
      if (byte === BACKSLASH) index += 1
      else if (byte === QUOTE) isText = false
    } else if (byte === QUOTE) isText = true
    else if (byte === COMMA) values += 1
    else if (byte === COLON) names.push((names.pop() ?? 0) + 1)
    else if (byte === LIST || byte === OBJECT) {
      if (names.length >= MAX_DEPTH) return `The body is nested deeper than ${MAX_DEPTH} levels.`
      names.push(0)
      values += 1
    } else if (byte === LIST_END || byte === OBJECT_END) most = Math.max(most, names.pop() ?? 0)
  }
  if (most > MAX_NAMES) return `An object of the body has ${most} names; the limit is ${MAX_NAMES}.`
  return values > MAX_VALUES ? `The body has ${values} values; the limit is ${MAX_VALUES}.` : undefined
}

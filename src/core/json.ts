/** True for an object: neither null nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Most levels of nesting: several times the need of any body. */
const MAX_DEPTH = 64
/** Most names in one object: several times the need of any body, and cheap to check. */
const MAX_NAMES = 1_000
/** Most values in a body, including lists and objects: more than all filters of a request can have. */
const MAX_VALUES = 30_000

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * The fault of JSON text in UTF-8 that is nested too deep or has too many names or values. Undefined if there is none. It scans the bytes without
 * parsing, because a megabyte of brackets or names takes far longer to parse. It does not check that the text is valid JSON.
 */
export function shapeFault(text: Uint8Array): string | undefined {
  /** Number of names in each open object and list. */
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

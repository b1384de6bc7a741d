import { parse } from 'lossless-json'

/**
 * JSON with its numbers as text, digit by digit as they were sent: a double would not hold every amount. SyntaxError where it is none,
 * for instance because the answer was cut off.
 */
export function parseExactly(text: string): unknown {
  return parse(text, undefined, { parseNumber: (digits) => digits })
}

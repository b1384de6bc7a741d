/** Casts to a decimal, of a text, and of a double that fail only for a number beyond the range of the type. */
const BEYOND: readonly RegExp[] = [
  /^Cannot cast (?:TINYINT|SMALLINT|INTEGER|BIGINT|DECIMAL|REAL|DOUBLE)\b.* to DECIMAL\(/is,
  /^Cannot cast VARCHAR .*\. Value too large\./is,
  /^Unable to cast (?:double |real )?[-+\d.E]+ to /i,
]
/** A cast to a whole number. A text that is none fails with the same words. */
const WHOLE = /^Cannot cast '(-?\d{1,80})(?:\.\d*)?' to (TINYINT|SMALLINT|INT|INTEGER|BIGINT)\b/i

const BITS: Readonly<Record<string, number>> = { TINYINT: 8, SMALLINT: 16, INT: 32, INTEGER: 32, BIGINT: 64 }

/** Whether Trino's text about a cast says that a number is beyond the range of its type. */
export function isOverflow(text: string): boolean {
  if (BEYOND.some((form) => form.test(text))) return true
  const [, digits, type = ''] = WHOLE.exec(text) ?? []
  const bits = BITS[type.toUpperCase()]
  if (digits === undefined || bits === undefined) return false
  const number = BigInt(digits)
  // A fraction is rounded, away from zero at the half.
  return [number - 1n, number, number + 1n].some((near) => BigInt.asIntN(bits, near) !== near)
}

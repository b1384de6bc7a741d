/** The answer of a worked example as JSON text, a row of a list per line. */
export function answerLines(answer: unknown): readonly string[] {
  if (!Array.isArray(answer)) return [JSON.stringify(answer)]
  const last = answer.length - 1
  return ['[', ...answer.map((row, index) => `  ${JSON.stringify(row)}${index === last ? '' : ','}`), ']']
}

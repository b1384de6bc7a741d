// Separate from the tables, so that help and refusals load no package for the widths of characters.

const WIDTH = 96

/** Text wrapped to a readable width and indented by two. The first line begins with the bullet. */
export function wrapped(text: string, bullet = ''): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= WIDTH) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.map((line, index) => `  ${index === 0 ? bullet : ' '.repeat(bullet.length)}${line}`)
}

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
} as const

/** Text in a style if `isOn`, else unchanged. */
export function paint(style: keyof typeof CODES, text: string, isOn: boolean): string {
  const [begin, end] = CODES[style]
  return isOn && text !== '' ? `\u001b[${begin}m${text}\u001b[${end}m` : text
}

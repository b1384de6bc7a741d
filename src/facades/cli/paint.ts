const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
} as const

/** Text in a style where that is on, else as it is. Whether a stream shows styles is known of the stream, not of the text. */
export function paint(style: keyof typeof CODES, text: string, isOn: boolean): string {
  const [begin, end] = CODES[style]
  return isOn && text !== '' ? `\u001b[${begin}m${text}\u001b[${end}m` : text
}

const CHARACTER = 8.4
const LINE = 20
const MARGIN = 20
const BAR = '█'

/** The picture of a terminal as an SVG: text in a fixed pitch with any font, bars as rectangles. */
export function terminalPicture(command: string, output: string): string {
  const lines = [`$ ${command}`, ...output.trimEnd().split('\n')]
  const width = Math.ceil(Math.max(...lines.map((line) => line.length)) * CHARACTER) + 2 * MARGIN
  const height = lines.length * LINE + 2 * MARGIN
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
    `<rect width="${width}" height="${height}" rx="8" fill="#10151c"/>`,
    ...lines.flatMap((line, index) => drawn(line, MARGIN + (index + 1) * LINE - 6, index === 0)),
    '</svg>',
    '',
  ].join('\n')
}

function drawn(line: string, y: number, isCommand: boolean): string[] {
  const bars = line.split(BAR).length - 1
  const text = line.replaceAll(BAR, '').trimEnd()
  const place = (column: number) => (MARGIN + column * CHARACTER).toFixed(1)
  return [
    ...(text === '' ? [] : [textAt(text, place(0), y, colourOf(text, isCommand))]),
    ...(bars === 0
      ? []
      : [
          `<rect x="${place(line.indexOf(BAR))}" y="${y - 11}" width="${(bars * CHARACTER).toFixed(1)}" height="13" fill="#3fb68b"/>`,
        ]),
  ]
}

function textAt(text: string, x: string, y: number, colour: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const length = (text.length * CHARACTER).toFixed(1)
  return `<text x="${x}" y="${y}" fill="${colour}" textLength="${length}" xml:space="preserve">${escaped}</text>`
}

/** Commands and titles have other colours than figures. */
function colourOf(text: string, isCommand: boolean): string {
  if (isCommand) return '#8b98a9'
  return /^\S.*(?::|\bin \d{4}-\d{2}$|months$)/.test(text) && !/^\d/.test(text) ? '#ffffff' : '#c7d0da'
}

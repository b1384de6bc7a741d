const WIDTH = 96

/** Lines of a text for people, indented by two, at most as wide as is comfortable to read; the first begins with the bullet. */
export function wrapped(text: string, bullet = ''): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= WIDTH) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.map((line, index) => `  ${index === 0 ? bullet : ' '.repeat(bullet.length)}${line}`)
}

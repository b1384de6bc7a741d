/** True for text that every database can hold: without NUL and without half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/\0|\p{Cs}/u.test(text)
}

/** The beginning of a text that is longer than so many characters, with an ellipsis. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text
  // Not within a surrogate pair.
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}

/** What the product itself sends to a terminal: styles, and the line that is written anew. */
const OWN = String.raw`\u001b\[(?:1|2|22|31|32|33|39)m|\r\u001b\[K`
const CONTROLS = String.raw`\r\n|[^\P{Cc}\n\t]`
/** What turns the direction of the text that follows. */
const DIRECTIONS = String.raw`\p{Bidi_Control}`
/** The same without the two by which a table keeps a cell to itself. */
const FOREIGN_DIRECTIONS = String.raw`[^\P{Bidi_Control}\u2068\u2069]`
const ALL = new RegExp(`${CONTROLS}|${DIRECTIONS}`, 'gu')
const ALL_BUT_OWN = new RegExp(`${OWN}|${CONTROLS}|${FOREIGN_DIRECTIONS}`, 'gu')
const IN_JSON = /[\u007f-\u009f\p{Bidi_Control}]/gu

/** Text from data as a terminal may show it: with line feeds and tabs, without all that moves its cursor, changes its colours or turns its direction. */
export function shownOnTerminal(text: string): string {
  return text.replace(ALL, (found) => (found === '\r\n' ? '\n' : ' '))
}

/** The last guard before a terminal: only styles and movements of the product's own pass, whatever a message has taken over from data. */
export function guardedForTerminal(text: string): string {
  return text.replace(ALL_BUT_OWN, (found) => (found.length > 1 ? found : ' '))
}

/** JSON as a terminal may show it, of the same value: JSON escapes control characters below the blank, but none above `~`. */
export function jsonOnTerminal(json: string): string {
  return json.replace(IN_JSON, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

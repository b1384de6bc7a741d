/** True for text that every database can store: without NUL and without unpaired surrogates. */
export function isStorable(text: string): boolean {
  return !/\0|\p{Cs}/u.test(text)
}

/** Text of at most `most` characters. Longer text is cut and gets an ellipsis. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text
  // Do not cut inside a surrogate pair.
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}

/** A text that every store can hold, of at most `most` characters. Characters that it cannot hold are replaced. */
export function shortened(text: string | null, most: number): string | null {
  return text === null ? null : clipped(text.replaceAll(/\0|\p{Cs}/gu, '\ufffd'), most)
}

/** Text on one line without control characters, which could move the cursor, change colours or reverse the direction of text. */
export function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ').replace(/\p{Bidi_Control}/gu, '')
}

/** Escape sequences of the product: styles, and clearing the current line. */
const OWN = String.raw`\u001b\[(?:1|2|22|31|32|33|39)m|\r\u001b\[K`
const CONTROLS = String.raw`\r\n|[^\P{Cc}\n\t]`
/** Characters that change the text direction. */
const DIRECTIONS = String.raw`\p{Bidi_Control}`
/** The direction characters except the two that isolate a table cell. */
const FOREIGN_DIRECTIONS = String.raw`[^\P{Bidi_Control}\u2068\u2069]`
const ALL = new RegExp(`${CONTROLS}|${DIRECTIONS}`, 'gu')
const ALL_BUT_OWN = new RegExp(`${OWN}|${CONTROLS}|${FOREIGN_DIRECTIONS}`, 'gu')
const IN_JSON = /[\u007f-\u009f\p{Bidi_Control}]/gu

/** Data text that is safe on a terminal: line feeds and tabs stay. Characters that move the cursor or change colors or direction are replaced. */
export function shownOnTerminal(text: string): string {
  return text.replace(ALL, (found) => (found === '\r\n' ? '\n' : ' '))
}

/** The last guard before a terminal. Only the escape sequences in `OWN` pass, even if a message contains data. */
export function guardedForTerminal(text: string): string {
  return text.replace(ALL_BUT_OWN, (found) => (found.length > 1 ? found : ' '))
}

/** JSON that is safe on a terminal, with the same value. JSON escapes control characters below the space, but none above `~`. */
export function jsonOnTerminal(json: string): string {
  return json.replace(IN_JSON, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

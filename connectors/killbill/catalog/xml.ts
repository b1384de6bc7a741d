import { XMLParser, XMLValidator } from 'fast-xml-parser'

/** An element: its text, or its children and `@attributes`. */
export type XmlNode = string | Readonly<Record<string, unknown>>

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  removeNSPrefix: true,
  processEntities: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
})

// An element of a catalog has a handful; the parser takes seconds for a hundred thousand.
const MOST_ATTRIBUTES = 100

/** Throws Error where a tag has more attributes than any catalog's. What is no XML is left to the parser to say. */
function checkAttributeCounts(text: string): void {
  let at = text.indexOf('<')
  while (at >= 0) {
    const skipped = SKIPPED.find(([opening]) => text.startsWith(opening, at))
    const end = skipped === undefined ? endOfTag(text, at) : text.indexOf(skipped[1], at + skipped[0].length)
    at = end < 0 ? -1 : text.indexOf('<', end)
  }
}

const SKIPPED = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
] as const

function endOfTag(text: string, start: number): number {
  let attributes = 0
  for (let at = start; at >= 0 && at < text.length; at++) {
    const character = text[at]
    if (character === '>') return at
    if (character === '"' || character === "'") at = text.indexOf(character, at + 1)
    if (at < 0) return -1
    if (character === '=') attributes += 1
    if (attributes > MOST_ATTRIBUTES) throw new Error(`an element has more than ${MOST_ATTRIBUTES} attributes`)
  }
  return -1
}

/** Root elements of a document by name. Nothing is expanded; throws Error with line and reason on malformed text. */
export function parseXml(document: string): XmlNode {
  const text = document.trimStart()
  checkAttributeCounts(text)
  const verdict = XMLValidator.validate(text)
  if (verdict !== true) throw new Error(`line ${verdict.err.line}: ${verdict.err.msg}`)
  return parser.parse(text) as XmlNode
}

/** Children of that name in document order. */
export function childrenOf(node: XmlNode | undefined, name: string): XmlNode[] {
  if (node === undefined || typeof node === 'string' || !Object.hasOwn(node, name)) return []
  const found = node[name]
  return (Array.isArray(found) ? found : [found]) as XmlNode[]
}

/** First child of that name. */
export function childOf(node: XmlNode | undefined, name: string): XmlNode | undefined {
  return childrenOf(node, name)[0]
}

/** Names of the child elements. */
export function childNames(node: XmlNode): string[] {
  return typeof node === 'string' ? [] : Object.keys(node).filter((name) => !name.startsWith('@') && name !== '#text')
}

/** Trimmed text of a node; null where there is none. */
export function textOf(node: XmlNode | undefined): string | null {
  const raw = typeof node === 'string' ? node : node?.['#text']
  const text = typeof raw === 'string' ? decodeReferences(raw).trim() : ''
  return text === '' ? null : text
}

/** Text of the first child of that name. */
export function childText(node: XmlNode | undefined, name: string): string | null {
  return textOf(childOf(node, name))
}

/** Attribute value; null where there is none. */
export function attributeOf(node: XmlNode | undefined, name: string): string | null {
  return childText(node, `@${name}`)
}

const PREDEFINED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Only what XML itself defines; a document's own entities stay as written. */
function decodeReferences(text: string): string {
  return text.replace(/&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));/g, (reference, hex, decimal, name) => {
    if (name !== undefined) return PREDEFINED[name] ?? reference
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : reference
  })
}

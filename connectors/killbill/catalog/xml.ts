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

/** Root elements of a document by name. Nothing is expanded; throws Error with line and reason on malformed text. */
export function parseXml(document: string): XmlNode {
  const text = document.trimStart()
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

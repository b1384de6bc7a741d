import { SaxesParser } from 'saxes'

/** An element: its attributes, its child elements, and its direct text. */
export interface XmlNode {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlNode[]
  readonly text: string
}

interface OpenNode extends XmlNode {
  readonly children: XmlNode[]
  text: string
}

/** Entities of XML itself. An entity that a document declares stays as written: nothing is expanded. */
const ENTITIES: Record<string, string> = new Proxy<Record<string, string>>(
  { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
  { get: (known, name) => known[String(name)] ?? `&${String(name)};` },
)

/** Root element of a document, names without their prefixes. Throws Error with line and reason on malformed text. */
export function parseXml(document: string): XmlNode {
  const parser = new SaxesParser({ position: false, xmlns: false })
  const top: OpenNode = { name: '', attributes: {}, children: [], text: '' }
  const open: OpenNode[] = [top]
  const addText = (text: string): void => {
    const node = open.at(-1)
    if (node !== undefined) node.text += text
  }
  parser.ENTITIES = ENTITIES
  parser.on('error', ({ message }) => {
    throw new Error(`line ${parser.line}: ${message}`)
  })
  parser.on('opentag', ({ name, attributes }) => {
    const node: OpenNode = { name: withoutPrefix(name), attributes, children: [], text: '' }
    open.at(-1)?.children.push(node)
    open.push(node)
  })
  parser.on('closetag', () => void open.pop())
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.write(document.trimStart()).close()
  const [root] = top.children
  if (root === undefined) throw new Error('line 1: no element')
  return root
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Children of that name in document order. */
export function childrenOf(node: XmlNode | undefined, name: string): XmlNode[] {
  return node === undefined ? [] : node.children.filter((child) => child.name === name)
}

/** First child of that name. */
export function childOf(node: XmlNode | undefined, name: string): XmlNode | undefined {
  return node?.children.find((child) => child.name === name)
}

/** Trimmed text of a node. Null if it has none. */
export function textOf(node: XmlNode | undefined): string | null {
  return node?.text.trim() || null
}

/** Text of the first child of that name. */
export function childText(node: XmlNode | undefined, name: string): string | null {
  return textOf(childOf(node, name))
}

/** Attribute value. Null if the attribute is absent. */
export function attributeOf(node: XmlNode | undefined, name: string): string | null {
  const attributes = node?.attributes ?? {}
  return (Object.hasOwn(attributes, name) ? attributes[name]?.trim() : '') || null
}

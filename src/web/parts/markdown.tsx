import type { ReactNode } from 'react'

/** The Markdown that the service describes itself in: paragraphs, lists, fenced code; strong text and code within. */
export function Markdown({ text }: { text: string }) {
  return blocksOf(text).map((block, place) => <Block key={place} block={block} />)
}

const FENCE = '```'

function blocksOf(text: string): string[] {
  const parts = text.split(/\n?```\w*\n/)
  const isCode = (place: number) => place % 2 === 1
  return parts.flatMap((part, place) => {
    const [code = '', ...after] = part.split(`\n${FENCE}`)
    return isCode(place) ? [FENCE + code, ...paragraphs(after.join(''))] : paragraphs(part)
  })
}

function paragraphs(text: string): string[] {
  return text
    .replaceAll(FENCE, '')
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function Block({ block }: { block: string }) {
  if (block.startsWith(FENCE)) return <pre>{block.slice(FENCE.length)}</pre>
  if (block.startsWith('- ')) {
    const items = block.split(/\n(?=- )/).map((item) => item.slice(2))
    return (
      <ul>
        {items.map((item) => (
          <li key={item}>{inline(item)}</li>
        ))}
      </ul>
    )
  }
  return <p>{inline(block)}</p>
}

function inline(text: string): ReactNode[] {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((part, place) => {
    // biome-ignore-start lint/suspicious/noArrayIndexKey: the text does not change
    if (part.startsWith('**')) return <strong key={place}>{part.slice(2, -2)}</strong>
    if (part.startsWith('`')) return <code key={place}>{part.slice(1, -1)}</code>
    // biome-ignore-end lint/suspicious/noArrayIndexKey: the text does not change
    return part
  })
}

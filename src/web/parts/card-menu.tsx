import { Dialog } from '@base-ui/react/dialog'
import { Menu } from '@base-ui/react/menu'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { client } from '../api/client.ts'
import { curlOf, type Question, urlOf } from '../api/question.ts'
import { isRow } from '../api/use-answer.ts'
import { useHasScope } from '../auth/who.ts'
import { NoteDialog } from '../remarks/note-dialog.tsx'
import { metricOf } from '../remarks/remarks.ts'
import { useNotes } from '../remarks/use-remarks.ts'
import { copyText } from './copy.tsx'
import { download, saveFile } from './download.tsx'
import { Problem } from './problem.tsx'
import { Skeleton } from './states.tsx'

interface CardMenuProps {
  readonly title: string
  readonly question: Question
  /** The chart as a picture, if one is shown. */
  readonly png: (() => Promise<Blob | null>) | undefined
  /** Whether the card shows notes. */
  readonly hasNotes?: boolean
  /** Opens the form for a link to the rows, if there is one. */
  readonly onShare?: (() => void) | undefined
}

/** Menu of a chart or table: downloads, API call, definition. */
export function CardMenu({ title, question, png, hasNotes = false, onShare }: CardMenuProps) {
  const mayWrite = useHasScope('write')
  const mayAdd = useNotes() !== undefined && mayWrite && hasNotes
  const [isNoting, setNoting] = useState(false)
  const [isDefined, setDefined] = useState(false)
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await copyText(curlOf(question))
    setCopied(true)
  }
  return (
    <>
      <Menu.Root onOpenChange={() => setCopied(false)}>
        <Menu.Trigger className="button is-quiet is-square" aria-label={`More options for ${title}`}>
          ⋯
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner align="end" sideOffset={4} className="positioner">
            <Menu.Popup className="menu">
              <Menu.LinkItem
                className="menu-item"
                href={urlOf(question, 'csv')}
                download
                onClick={(event) => void download(event, question, 'csv')}
              >
                Download CSV
              </Menu.LinkItem>
              <Menu.LinkItem
                className="menu-item"
                href={urlOf(question, 'xlsx')}
                download
                onClick={(event) => void download(event, question, 'xlsx')}
              >
                Download Excel
              </Menu.LinkItem>
              {png !== undefined && (
                <Menu.Item className="menu-item" onClick={() => void png().then((picture) => save(picture, title))}>
                  Download PNG
                </Menu.Item>
              )}
              <Menu.Separator className="menu-line" />
              <Menu.Item className="menu-item" closeOnClick={false} onClick={() => void copy()}>
                {isCopied ? 'Copied' : 'Copy API call'}
              </Menu.Item>
              {mayAdd && (
                <Menu.Item className="menu-item" onClick={() => setNoting(true)}>
                  Add note
                </Menu.Item>
              )}
              {onShare !== undefined && (
                <Menu.Item className="menu-item" onClick={onShare}>
                  Share…
                </Menu.Item>
              )}
              <Menu.Item className="menu-item" onClick={() => setDefined(true)}>
                Definition
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {isNoting && <NoteDialog metric={metricOf(question.path)} onClose={() => setNoting(false)} />}
      {isDefined && <Definition path={question.path} onClose={() => setDefined(false)} />}
    </>
  )
}

function save(picture: Blob | null, title: string): void {
  if (picture !== null) saveFile(picture, `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.png`)
}

/** Definition of a metric from the API document: formula, assumptions, edge cases and an example. */
export function Definition({ path, onClose }: { path: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['openapi'],
    queryFn: async ({ signal }) => (await client.get('/openapi.json', { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog is-wide">
          <header className="panel-head">
            <Dialog.Title className="panel-title">Definition</Dialog.Title>
            <Dialog.Close className="button is-quiet" aria-label="Close">
              ✕
            </Dialog.Close>
          </header>
          <div className="panel-body prose">
            {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
            {error === null && (data === undefined ? <Skeleton height={320} /> : <Markdown text={textOf(data, path)} />)}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const ELSEWHERE = /`GET (\/api\/metrics\/[\w/-]+)`/

/** Summary, path and description of an operation. If the description refers to another path, that path's description is shown. */
function textOf(document: object, path: string): string {
  const { summary, description } = operationAt(document, path)
  const elsewhere = ELSEWHERE.exec(description)?.[1]
  const meaning = elsewhere === undefined ? description : operationAt(document, elsewhere).description
  return `**${summary}**\n\n\`GET ${path}\`\n\n${meaning}`
}

function operationAt(document: object, path: string): { summary: string; description: string } {
  const paths: unknown = Reflect.get(document, 'paths')
  const item = isRow(paths) ? paths[path] : undefined
  const operation = isRow(item) ? item['get'] : undefined
  if (!isRow(operation)) return { summary: path, description: 'No definition available.' }
  return { summary: String(operation['summary']), description: String(operation['description']) }
}

/** Renders the Markdown of the API document: paragraphs, lists, fenced code; strong text and inline code. */
function Markdown({ text }: { text: string }) {
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

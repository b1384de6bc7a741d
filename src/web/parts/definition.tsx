import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { isRow } from '../api/use-answer.ts'
import { Markdown } from './markdown.tsx'
import { Problem } from './problem.tsx'
import { Skeleton } from './states.tsx'

/** What a figure means, in the service's own words: formula, assumptions, edge cases and a worked example. */
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

/** The description of a path, with that of the path to which it refers for the meaning of its figures. */
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

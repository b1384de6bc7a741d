import type { MouseEvent, ReactNode } from 'react'
import { callOf, type FileFormat, type Question } from '../api/question.ts'
import { fetchSignedIn, hasCredential } from '../auth/session.ts'

const NAME = /filename="?([^";]+)"?/

interface DownloadLinkProps {
  readonly question: Question
  readonly format: FileFormat
  readonly className: string
  readonly children: ReactNode
}

/** A link to a file of the API. It is fetched where a link would not do: of someone who has signed in, and of a question that is posted. */
export function DownloadLink({ question, format, className, children }: DownloadLinkProps) {
  return (
    <a
      href={callOf(question, format).url}
      className={className}
      download
      onClick={(event) => void download(event, question, format)}
    >
      {children}
    </a>
  )
}

/** What a click on a link to a file does. */
export async function download(event: MouseEvent, question: Question, format: FileFormat): Promise<void> {
  const { url, body } = callOf(question, format)
  if (!hasCredential() && body === undefined) return
  event.preventDefault()
  const posted = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetchSignedIn(url, body === undefined ? {} : posted)
  if (!response.ok) return
  saveFile(await response.blob(), NAME.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'plumbline')
}

/** Hands a file that the page has made or fetched to the user. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

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

/**
 * A link to a file of the API. A plain link can neither carry a credential nor send a POST. If the user has signed in or the
 * question needs a POST, the page therefore fetches the file itself.
 */
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

/** Handles a click on a download link. */
export async function download(event: MouseEvent, question: Question, format: FileFormat): Promise<void> {
  const { url, body } = callOf(question, format)
  if (!hasCredential() && body === undefined) return
  event.preventDefault()
  const posted = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetchSignedIn(url, body === undefined ? {} : posted)
  if (!response.ok) return
  saveFile(await response.blob(), NAME.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'plumbline')
}

/** Saves a file that the page has made or fetched. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

import type { MouseEvent, ReactNode } from 'react'
import { type FileFormat, type Question, urlOf } from '../api/question.ts'
import { fetchSignedIn, hasCredential } from '../auth/session.ts'

const NAME = /filename="?([^";]+)"?/

interface DownloadLinkProps {
  readonly question: Question
  readonly format: FileFormat
  readonly className: string
  readonly children: ReactNode
}

/** A link to a file of the API. A plain link cannot carry a credential, so if the user has signed in, the page fetches the file itself. */
export function DownloadLink({ question, format, className, children }: DownloadLinkProps) {
  return (
    <a href={urlOf(question, format)} className={className} download onClick={(event) => void download(event, question, format)}>
      {children}
    </a>
  )
}

/** Handles a click on a download link. */
export async function download(event: MouseEvent, question: Question, format: FileFormat): Promise<void> {
  if (!hasCredential()) return
  event.preventDefault()
  const response = await fetchSignedIn(urlOf(question, format))
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

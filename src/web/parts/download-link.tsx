import type { MouseEvent, ReactNode } from 'react'
import { fetchSignedIn, hasCredential } from '../auth/session.ts'
import { saveFile } from './save-file.ts'

const NAME = /filename="?([^";]+)"?/

interface DownloadLinkProps {
  readonly href: string
  readonly className: string
  readonly children: ReactNode
}

/** A link to a file of the API. Of someone who has signed in it is fetched, for a link carries no credential. */
export function DownloadLink({ href, className, children }: DownloadLinkProps) {
  return (
    <a href={href} className={className} download onClick={(event) => void download(event, href)}>
      {children}
    </a>
  )
}

/** What a click on a link to a file does. */
export async function download(event: MouseEvent, href: string): Promise<void> {
  if (!hasCredential()) return
  event.preventDefault()
  const response = await fetchSignedIn(href)
  if (!response.ok) return
  saveFile(await response.blob(), NAME.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'plumbline')
}

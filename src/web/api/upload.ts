import { type Client, createClient } from '../../client/index.ts'
import { signedIn } from '../auth/session.ts'
import { BASE_URL } from './base.ts'

/** How much of what is sent has left; `isSent` once all has and the service is at work on it. */
export interface Progress {
  readonly sent: number
  readonly total: number
  readonly isSent: boolean
}

/** The user has stopped it. `wasSent`: the service had all of it already, and may have stored it. */
export class UploadCancelled extends Error {
  readonly wasSent: boolean

  constructor(wasSent: boolean) {
    super('The upload was cancelled.')
    this.wasSent = wasSent
  }
}

/** A client that says how far what it sends has come, and stops at a signal. Its requests reject with UploadCancelled then. */
export function uploadingClient(onProgress: (progress: Progress) => void, signal: AbortSignal): Client {
  return createClient({ baseUrl: BASE_URL, fetch: signedIn(sendTelling(onProgress, signal)) })
}

// The one thing that `fetch` of browsers cannot do yet.
function sendTelling(onProgress: (progress: Progress) => void, signal: AbortSignal): typeof fetch {
  return (input, init) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      let wasSent = false
      request.open(init?.method ?? 'GET', String(input))
      for (const [name, value] of new Headers(init?.headers)) request.setRequestHeader(name, value)
      request.responseType = 'blob'
      request.upload.onprogress = ({ loaded, total }) => onProgress({ sent: loaded, total, isSent: false })
      request.upload.onload = ({ loaded, total }) => {
        wasSent = true
        onProgress({ sent: loaded, total, isSent: true })
      }
      request.onabort = () => reject(new UploadCancelled(wasSent))
      signal.addEventListener('abort', () => request.abort(), { once: true })
      request.onerror = () => reject(new TypeError('Can’t reach Plumbline.'))
      request.onload = () => resolve(new Response(request.response, { status: request.status, headers: headersOf(request) }))
      request.send(init?.body instanceof FormData ? init.body : null)
    })
}

function headersOf(request: XMLHttpRequest): Headers {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const at = line.indexOf(':')
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim())
  }
  return headers
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { type Client, createClient } from '../../client/index.ts'
import { BASE_URL } from '../api/client.ts'
import { signedIn } from '../auth/session.ts'
import { Problem } from '../parts/problem.tsx'
import { Table } from '../parts/table.tsx'
import { type CsvPreview, previewOf, type WrittenAs } from './csv-preview.ts'

interface CsvImportProps<Result> {
  /** Title of the form. */
  readonly title: string
  /** Describes the expected file. */
  readonly asks: ReactNode
  /** Whether a ZIP archive is accepted too. */
  readonly takesArchive?: boolean
  /** Sends the file with a client that reports progress. */
  readonly send: (client: Client, body: FormData) => Promise<Result>
  /** Preview of the file and further options. */
  readonly beginning: (preview: CsvPreview | 'archive') => ReactNode
  /** Shows the result. */
  readonly report: (result: Result) => ReactNode
  readonly onClose: () => void
}

/** Imports a file: preview, upload with progress, report. */
export function CsvImport<Result>({
  title,
  asks,
  takesArchive = false,
  send,
  beginning,
  report,
  onClose,
}: CsvImportProps<Result>) {
  const [file, setFile] = useState<File>()
  const [writtenAs, setWrittenAs] = useState<WrittenAs>({ separator: '', encoding: '' })
  const [progress, setProgress] = useState<Progress>()
  const queries = useQueryClient()
  const preview = useQuery({
    queryKey: ['csv-preview', file?.name, file?.size, file?.lastModified, writtenAs],
    queryFn: () => (file === undefined ? null : previewOf(file, writtenAs)),
    enabled: file !== undefined,
    retry: false,
    gcTime: 0,
  })
  const stop = useRef<AbortController>(undefined)
  const sending = useMutation({
    mutationFn: (body: FormData) => {
      stop.current = new AbortController()
      return send(uploadingClient(setProgress, stop.current.signal), body)
    },
    // Reload also after an error: the service may have stored the file although the answer was lost.
    onSettled: () => {
      setProgress(undefined)
      return queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'csv-preview' })
    },
  })
  const seen = preview.data ?? undefined
  const isRefused = seen === 'archive' && !takesArchive
  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    sending.reset()
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    // Remove empty fields: without a field, the service decides.
    for (const [name, value] of [...form]) if (value === '') form.delete(name)
    sending.mutate(form)
  }
  return (
    <form className="settings-form settings-import" aria-label={title} onSubmit={submit}>
      <label className="field">
        {asks}
        <input
          type="file"
          name="file"
          accept={takesArchive ? '.csv,.zip,text/csv,application/zip' : '.csv,text/csv'}
          required
          className="input"
          onChange={(event) => choose(event.target.files?.[0])}
        />
      </label>
      {file !== undefined && <FileForm writtenAs={writtenAs} onChange={setWrittenAs} />}
      {(preview.error !== null || isRefused) && (
        <div className="problem" role="alert">
          <p className="problem-title">Can’t read this file as CSV.</p>
          <p>{isRefused ? 'It is an archive. Unpack it first.' : preview.error?.message}</p>
        </div>
      )}
      {seen !== undefined && !isRefused && <>{beginning(seen)}</>}
      <div className="form-buttons">
        <button
          type="submit"
          className="button is-main"
          disabled={seen === undefined || isRefused || sending.isPending || sending.isSuccess}
        >
          {sending.isPending ? 'Importing…' : 'Import'}
        </button>
        <button type="button" className="button" onClick={() => (sending.isPending ? stop.current?.abort() : onClose())}>
          {sending.isSuccess ? 'Close' : 'Cancel'}
        </button>
      </div>
      {progress !== undefined && <UploadProgress progress={progress} />}
      {sending.error instanceof UploadCancelled && <Cancelled wasSent={sending.error.wasSent} />}
      {sending.error !== null && !(sending.error instanceof UploadCancelled) && <Problem error={sending.error} />}
      {sending.data !== undefined && report(sending.data)}
    </form>
  )
}

function Cancelled({ wasSent }: { wasSent: boolean }) {
  return (
    <p className="notice" role="status">
      {wasSent
        ? 'Cancelled while the file was being stored. Either all of it is stored, or nothing.'
        : 'Cancelled. Nothing was stored.'}
    </p>
  )
}

interface FileFormProps {
  readonly writtenAs: WrittenAs
  readonly onChange: (writtenAs: WrittenAs) => void
}

/** Choice of separator and encoding. The service detects both, unless the file is ambiguous. */
function FileForm({ writtenAs, onChange }: FileFormProps) {
  return (
    <div className="settings-fields">
      <label className="field">
        Separator
        <select
          name="separator"
          className="input"
          value={writtenAs.separator}
          onChange={(event) => onChange({ ...writtenAs, separator: event.target.value })}
        >
          <option value="">Automatic</option>
          <option value="comma">Comma</option>
          <option value="semicolon">Semicolon</option>
          <option value="tab">Tab</option>
        </select>
      </label>
      <label className="field">
        Encoding
        <select
          name="encoding"
          className="input"
          value={writtenAs.encoding}
          onChange={(event) => onChange({ ...writtenAs, encoding: event.target.value })}
        >
          <option value="">Automatic (byte order mark, or UTF-8)</option>
          <option value="windows-1252">Windows-1252 (Western Europe)</option>
          <option value="utf-16le">UTF-16, little endian</option>
          <option value="utf-16be">UTF-16, big endian</option>
        </select>
      </label>
    </div>
  )
}

const MEGABYTE = 1_000_000

const megabytes = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** Progress of an upload: first the bytes sent, then a note that the service is storing the file. */
function UploadProgress({ progress: { sent, total, isSent } }: { progress: Progress }) {
  const text = isSent
    ? `${megabytes.format(total / MEGABYTE)} MB sent. Storing…`
    : `${megabytes.format(sent / MEGABYTE)} of ${megabytes.format(total / MEGABYTE)} MB sent`
  return (
    <div className="upload-progress">
      {/* Without a value the bar is indeterminate: the time to store a file is unknown. */}
      <progress aria-label="Import" max={total} {...(isSent ? {} : { value: sent })} />
      <span role="status">{text}</span>
    </div>
  )
}

/** The first rows of a file, unchanged. The caller may rename the columns. */
export function FirstRows({
  preview: { header, rows },
  labelOf = (name) => name,
}: {
  preview: CsvPreview
  labelOf?: (name: string) => string
}) {
  return (
    <Table
      caption="First rows of the file"
      columns={header.map((name, place) => ({
        key: `cell ${place}`,
        label: labelOf(name),
        render: (row) => String(row[`cell ${place}`]),
      }))}
      rows={rows.map((row) => Object.fromEntries(header.map((_, place) => [`cell ${place}`, row[place] ?? ''])))}
      currency=""
    />
  )
}

/** Bytes sent. `isSent`: the upload is complete and the service is storing it. */
interface Progress {
  readonly sent: number
  readonly total: number
  readonly isSent: boolean
}

/** The user cancelled. `wasSent`: the service had received the whole file and may have stored it. */
class UploadCancelled extends Error {
  readonly wasSent: boolean

  constructor(wasSent: boolean) {
    super('The upload was cancelled.')
    this.wasSent = wasSent
  }
}

/** A client that reports upload progress. When the signal fires, its requests reject with UploadCancelled. */
function uploadingClient(onProgress: (progress: Progress) => void, signal: AbortSignal): Client {
  return createClient({ baseUrl: BASE_URL, fetch: signedIn(sendTelling(onProgress, signal)) })
}

// Uses XMLHttpRequest, because `fetch` reports no upload progress.
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

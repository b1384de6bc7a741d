import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import type { Client } from '../../client/index.ts'
import { type Progress, UploadCancelled, uploadingClient } from '../api/upload.ts'
import { Problem } from '../parts/problem.tsx'
import { type CsvPreview, previewOf, type WrittenAs } from './csv-preview.ts'
import { FileForm } from './file-form.tsx'
import { UploadProgress } from './upload-progress.tsx'

interface CsvImportProps<Result> {
  /** Name of the form. */
  readonly title: string
  /** What the file is to hold. */
  readonly asks: ReactNode
  /** Whether an archive is taken too. */
  readonly takesArchive?: boolean
  /** Sends the file by a client that tells how much of it has been sent. */
  readonly send: (client: Client, body: FormData) => Promise<Result>
  /** What the file begins with, and what else is to be chosen for it. */
  readonly beginning: (preview: CsvPreview | 'archive') => ReactNode
  /** What became of it. */
  readonly report: (result: Result) => ReactNode
  readonly onClose: () => void
}

/** A file to be imported: what it begins with before it is sent, and what became of it afterwards. */
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
    // Also after what went wrong: the answer may be what was lost.
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
    // Empty is the choice of the service, which it makes where the field is absent.
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

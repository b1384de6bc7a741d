import type { Progress } from '../api/upload.ts'

const MEGABYTE = 1_000_000

const megabytes = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** How far a file has come: so many bytes of the whole, then that the service stores it. */
export function UploadProgress({ progress: { sent, total, isSent } }: { progress: Progress }) {
  const text = isSent
    ? `${megabytes.format(total / MEGABYTE)} MB sent. Storing…`
    : `${megabytes.format(sent / MEGABYTE)} of ${megabytes.format(total / MEGABYTE)} MB sent`
  return (
    <div className="upload-progress">
      {/* Without a value it says that nobody knows how long: so it is while the service stores. */}
      <progress aria-label="Import" max={total} {...(isSent ? {} : { value: sent })} />
      <span role="status">{text}</span>
    </div>
  )
}

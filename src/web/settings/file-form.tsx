import type { WrittenAs } from './csv-preview.ts'

interface FileFormProps {
  readonly writtenAs: WrittenAs
  readonly onChange: (writtenAs: WrittenAs) => void
}

/** How a file is written. The service finds out by itself, but cannot where a file leaves a choice. */
export function FileForm({ writtenAs, onChange }: FileFormProps) {
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

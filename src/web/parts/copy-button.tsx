import { useState } from 'react'
import { copyText } from './copy-text.ts'

const SHOWN_MS = 2_000

/** Copies a text and says that it did. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await copyText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  return (
    <button type="button" className="button" onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </button>
  )
}

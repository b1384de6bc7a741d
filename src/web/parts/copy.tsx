import { useState } from 'react'

const SHOWN_MS = 2_000

/** Copies a text and confirms it. */
export function CopyButton({ text, label, name }: { text: string; label: string; name?: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await copyText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  return (
    <button type="button" className="button" aria-label={isCopied ? undefined : name} onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </button>
  )
}

/** A command for the terminal, with a button that copies it. */
export function CommandLine({ text }: { text: string }) {
  return (
    <span className="command-line">
      <code>{text}</code>
      <CopyButton text={text} label="Copy" name={`Copy ${text}`} />
    </span>
  )
}

/** Copies a text, also without TLS. The Clipboard API is not available without TLS. */
export async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'visually-hidden'
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

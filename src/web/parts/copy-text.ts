/** Puts a text on the clipboard, also where the page was not served over TLS and the browser's own way is closed. */
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

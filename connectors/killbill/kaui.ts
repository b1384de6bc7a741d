/** An address without user, query and fragment. A backslash or a space would change what a browser reads as its host. */
const ADDRESS = /^https?:\/\/[^/?#@\s\\]+(\/[^?#\s\\]*)?$/i

/** Whether a text is an address of Kaui that links may show to everyone. */
export function isKauiAddress(text: string): boolean {
  return ADDRESS.test(text) && URL.canParse(text)
}

/** The page of an account in Kaui, Kill Bill's own admin pages, or of one of its invoices. */
export function kauiPage(kaui_url: string, account_id: string, invoice_id?: string): string {
  const account = `${new URL(kaui_url).href.replace(/\/+$/, '')}/accounts/${encodeURIComponent(account_id)}`
  return invoice_id === undefined ? account : `${account}/invoices/${encodeURIComponent(invoice_id)}`
}

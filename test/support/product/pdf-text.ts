import { getDocumentProxy } from 'unpdf'

/** A page of a PDF: its lines as a reader shows them, the texts of its elements by their tags, and the addresses that it links. */
export interface PdfPage {
  readonly text: string
  readonly tags: readonly string[]
  readonly links: readonly string[]
}

interface Element {
  readonly role?: string
  readonly children?: readonly Element[]
}

/** The pages of a PDF and its title, read by PDF.js. */
export async function readPdf(bytes: Uint8Array): Promise<{ readonly title: string; readonly pages: readonly PdfPage[] }> {
  const document = await getDocumentProxy(new Uint8Array(bytes))
  const { info } = await document.getMetadata()
  const pages: PdfPage[] = []
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    const text = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('')
    const links = (await page.getAnnotations()).flatMap(({ url }) => (typeof url === 'string' ? [url] : []))
    pages.push({ text, tags: tagsOf((await page.getStructTree()) as Element), links })
  }
  return { title: String((info as { readonly Title?: string }).Title), pages }
}

function tagsOf({ role, children = [] }: Element): readonly string[] {
  return [...(role === undefined || role === 'Root' ? [] : [role]), ...children.flatMap(tagsOf)]
}

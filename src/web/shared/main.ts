import '../styles/theme.css'
import './shared.css'
import { problemOf, type SharedPage, sharedPage } from './render.ts'

const dark = matchMedia('(prefers-color-scheme: dark)')

function applyTheme(): void {
  document.documentElement.dataset['theme'] = dark.matches ? 'dark' : 'light'
}

const TOKEN = /^#(pll_[\w-]{43})$/
const GONE = 404
const BUSY = 503

/** Asks for the numbers of the link in the address. The token goes into a header, which no log of addresses has. */
async function content(): Promise<readonly Node[]> {
  const token = TOKEN.exec(location.hash)?.[1]
  if (token === undefined) return problemOf('This address is not complete. Copy the whole link, to its end.')
  const address = new URL('api/shared', document.baseURI)
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}`, accept: 'application/json' } })
  if (response.ok) {
    const shared = (await response.json()) as SharedPage
    document.title = shared.briefing.title
    return sharedPage(shared)
  }
  // A refusal has nothing more to say.
  await response.body?.cancel()
  if (response.status === GONE) return problemOf('This link has expired or was withdrawn. Ask the sender for a new one.')
  if (response.status === BUSY) return problemOf('The numbers are not available at the moment. Try again in a minute.')
  return problemOf('The numbers cannot be shown. Try again later, or ask the sender.')
}

async function show(): Promise<void> {
  const place = document.getElementById('shared')
  if (place === null) return
  place.setAttribute('aria-busy', 'true')
  const nodes = await content().catch(() =>
    problemOf('The service does not answer. Check your connection, and load the page again.'),
  )
  place.replaceChildren(...nodes)
  place.setAttribute('aria-busy', 'false')
}

applyTheme()
dark.addEventListener('change', applyTheme)
addEventListener('beforeprint', () => {
  // Paper is white.
  document.documentElement.dataset['theme'] = 'light'
})
addEventListener('afterprint', applyTheme)
addEventListener('hashchange', () => void show())
void show()

import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { BASE_URL } from '../api/client.ts'
import { fillingText, useReadiness } from '../api/readiness.ts'
import { signOut, useSession } from '../auth/session.ts'
import { useCurrentUser } from '../auth/who.ts'
import { ChoiceMenu } from '../controls/choice-menu.tsx'
import { useNow } from '../controls/use-page.ts'
import { formatInstant } from '../format/days.ts'
import { COHORT_LEADS } from '../pages/cohort-drills.ts'
import { DrillPanel } from '../parts/drill-panel.tsx'
import { Skeleton } from '../parts/states.tsx'
import { Navigation } from './navigation.tsx'
import { Palette } from './palette.tsx'
import { useRestoredFocus } from './restored-focus.ts'
import { chooseTheme, THEMES, useTheme } from './theme.ts'

/** The frame of every page: menu, search, side panel, footer. */
export function Shell() {
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const main = useRef<HTMLElement>(null)
  useRestoredFocus(main)

  // Close the menu when the page changes.
  useEffect(() => setMenuOpen(false), [path])

  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setPaletteOpen(true)
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [])

  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <div className="shell">
        <header className="side">
          <div className="side-head">
            <span className="brand">
              <Mark />
              Plumbline
            </span>
            <button
              type="button"
              className="button is-quiet side-toggle"
              aria-expanded={isMenuOpen}
              aria-controls="menu"
              onClick={() => setMenuOpen(!isMenuOpen)}
            >
              Menu
            </button>
          </div>
          <div id="menu" className={isMenuOpen ? 'side-body is-open' : 'side-body'}>
            <button type="button" className="button palette-button" onClick={() => setPaletteOpen(true)}>
              <span>Search</span> <kbd>Ctrl K</kbd>
            </button>
            <Navigation />
            <ThemeMenu />
            <WhoMenu />
          </div>
        </header>
        <div className="content">
          <FillingNotice />
          <main ref={main} id="main" tabIndex={-1}>
            <Ready />
          </main>
          <Footer />
        </div>
      </div>
      <DrillPanel leads={COHORT_LEADS} />
      <Palette isOpen={isPaletteOpen} onClose={() => setPaletteOpen(false)} />
    </>
  )
}

/**
 * Waits for the service's current day, because requests depend on it, then shows the page. Shows it also if this request fails.
 * After that the page stays mounted. Otherwise a page that repeats the failed request would unmount and mount again without end.
 */
function Ready() {
  const { today, error } = useNow()
  const [isShown, setShown] = useState(false)
  const isKnown = today !== undefined || error !== null
  useEffect(() => setShown((before) => before || isKnown), [isKnown])
  if (!isKnown && !isShown) return <Skeleton height={480} />
  return <Outlet />
}

/** Says how far the first filling of the cache is. Nothing once it is filled, and for users without the scope `read`. */
function FillingNotice() {
  const { data } = useReadiness(false)
  const cache = data?.checks?.cache
  if (cache?.status !== 'filling') return null
  return (
    <section className="filling" aria-label="Cache">
      <span>Preparing fast answers: {fillingText(cache)}. Until then, answers can take longer.</span>
      <progress value={cache.progress?.share ?? undefined} max={1} aria-label="Share of the cache that is filled" />
    </section>
  )
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <rect width="32" height="32" rx="7" className="mark-ground" />
      <path d="M16 4v13" stroke="#fff" strokeWidth="2.4" strokeLinecap="round" />
      <path d="M11.5 16h9L16 28z" fill="#fff" />
    </svg>
  )
}

/** Data freshness, currency and the version of the definitions. */
function Footer() {
  const { dataThrough, definitions, currency, today, zone } = useNow()
  return (
    <footer className="footer">
      {dataThrough !== undefined && <span>Data through {formatInstant(dataThrough)}</span>}
      {dataThrough === undefined && today !== undefined && <span>Data freshness unknown</span>}
      {currency !== '' && <span>Amounts in {currency}</span>}
      {definitions !== undefined && (
        <span title="Fingerprint of the metric definitions in use">
          Definitions <code>{definitions}</code>
        </span>
      )}
      <span>Dates in {zone}</span>
      <a href={`${BASE_URL}/docs`}>API</a>
    </footer>
  )
}

const THEME_CHOICES = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

function ThemeMenu() {
  const { choice } = useTheme()
  const choose = (value: string) => chooseTheme(THEMES.find((theme) => theme === value) ?? 'system')
  return (
    <div className="side-foot">
      <ChoiceMenu label="Theme" value={choice} choices={THEME_CHOICES} onChoose={choose} />
    </div>
  )
}

/** The signed-in user and the sign-out button; nothing if the service requires no sign-in. */
function WhoMenu() {
  const { isSignedIn } = useSession()
  const { data } = useCurrentUser(isSignedIn)
  if (!isSignedIn || data === undefined) return null
  return (
    <div className="who">
      <span className="who-name" title={`Scopes: ${data.scopes.join(', ')}`}>
        {data.name ?? data.email ?? 'Signed in'}
      </span>
      <button type="button" className="link-button" onClick={signOut}>
        Sign out
      </button>
    </div>
  )
}

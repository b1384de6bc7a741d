import { useSyncExternalStore } from 'react'

export const THEMES = ['system', 'light', 'dark'] as const

/** The user's choice of colours; `system` follows the operating system. */
type ThemeChoice = (typeof THEMES)[number]

const KEY = 'plumbline.theme'
const dark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

/** Applies the stored choice. Call it before the first render. */
export function startTheme(): void {
  apply()
  dark.addEventListener('change', apply)
  // Paper is white.
  addEventListener('beforeprint', () => {
    document.documentElement.dataset['theme'] = 'light'
  })
  addEventListener('afterprint', apply)
}

/** Applies a choice and stores it in this browser. */
export function chooseTheme(choice: ThemeChoice): void {
  localStorage.setItem(KEY, choice)
  apply()
}

/** The user's choice, and the resulting theme. */
export function useTheme(): { readonly choice: ThemeChoice; readonly theme: 'light' | 'dark' } {
  const theme = useSyncExternalStore(subscribe, current)
  const choice = useSyncExternalStore(subscribe, chosen)
  return { choice, theme }
}

function apply(): void {
  document.documentElement.dataset['theme'] = current()
  for (const listener of listeners) listener()
}

function chosen(): ThemeChoice {
  const stored = localStorage.getItem(KEY)
  return THEMES.find((theme) => theme === stored) ?? 'system'
}

function current(): 'light' | 'dark' {
  const choice = chosen()
  if (choice !== 'system') return choice
  return dark.matches ? 'dark' : 'light'
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useCallback, useMemo } from 'react'
import { type Drill, panelText, readPanel } from '../controls/panel.ts'
import { usePanelText } from '../controls/use-page.ts'

export type { Drill } from '../controls/panel.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Number of panels that the user opened one after the other to get here. */
    panels?: number
  }
}

/** Opens the rows behind a number in the side panel. The panel is part of the address, so the back button closes it. */
export function useDrill(): { readonly open: (drill: Drill) => void } {
  const router = useRouter()
  const open = useCallback(
    (drill: Drill) => {
      void router.navigate({
        to: '.',
        search: (before: object) => ({ ...before, panel: panelText(drill) }),
        state: ({ panels = 0, ...before }) => ({ ...before, panels: panels + 1 }),
        resetScroll: false,
      })
    },
    [router],
  )
  return { open }
}

/** The panel that the address names, and how to close it. */
export function usePanel(): { readonly drill: Drill | undefined; readonly close: () => void } {
  const router = useRouter()
  const text = usePanelText()
  const drill = useMemo(() => readPanel(text), [text])
  const close = useCallback(() => {
    const { panels = 0 } = router.history.location.state
    // A panel from a shared link has no page behind it in the history.
    if (panels > 0) return router.history.go(-panels)
    void router.navigate({
      to: '.',
      search: (before: object) => ({ ...before, panel: undefined }),
      replace: true,
      resetScroll: false,
    })
  }, [router])
  return { drill, close }
}

/** A number that opens the rows behind it. */
export function DrillButton({ drill, children }: { drill: Drill; children: ReactNode }) {
  const { open } = useDrill()
  return (
    <button type="button" className="cell-button" title={`Show ${drill.title}`} onClick={() => open(drill)}>
      {children}
    </button>
  )
}

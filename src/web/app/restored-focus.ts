import { type RefObject, useEffect } from 'react'

/** What lies over the page: while the focus is in it, where it was on the page still counts. */
const OVER = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'
const REACHED = 'a[href], button, input, select, textarea, [tabindex="0"]'

/**
 * Keeps the keyboard where it was: when what has the focus is taken away, moved or switched off, the focus goes back to it, else to what
 * followed it, else to what came before it, else to the whole. Without this it falls to the top of the document.
 */
export function useRestoredFocus(whole: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current: element } = whole
    if (element === null) return
    let held: HTMLElement | undefined
    let near: readonly HTMLElement[] = []
    const forget = () => {
      held = undefined
    }
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return
      if (element.contains(target)) {
        held = target
        near = nearTo(target, element)
      } else if (target.closest(OVER) === null) forget()
    }
    const restore = () => {
      if (held === undefined || !document.hasFocus() || document.activeElement !== document.body) return
      const next = [held, ...near].find(isUsable)
      if (next === undefined) element.focus({ preventScroll: true })
      else next.focus()
    }
    // A dialog gives the focus back itself once it is gone: that comes first.
    const observer = new MutationObserver(() => held !== undefined && requestAnimationFrame(restore))
    observer.observe(element, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    observer.observe(document.body, { childList: true })
    document.addEventListener('focusin', remember)
    // Who presses beside everything wants the focus gone.
    document.addEventListener('pointerdown', forget)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', remember)
      document.removeEventListener('pointerdown', forget)
    }
  }, [whole])
}

/** What the keyboard reaches after an element, in order, and then what it reaches before it, the nearest first. */
function nearTo(target: HTMLElement, element: HTMLElement): readonly HTMLElement[] {
  const all = [...element.querySelectorAll<HTMLElement>(REACHED)]
  const isAfter = (one: HTMLElement) => (target.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  const before = all.filter((one) => one !== target && !isAfter(one))
  return [...all.filter((one) => one !== target && isAfter(one)), ...before.reverse()]
}

function isUsable(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(':disabled') && element.checkVisibility()
}

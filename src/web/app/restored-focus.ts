import { type RefObject, useEffect } from 'react'

/**
 * Layers above the page, such as dialogs. While one of them has the focus, the last focused element of the page is remembered.
 */
const OVER = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'
const REACHED = 'a[href], button, input, select, textarea, [tabindex="0"]'

/**
 * Restores the keyboard focus when the focused element is removed, moved or disabled. The focus returns to that element if
 * possible, else to the next one, else to the previous one, else to the whole area. Otherwise it would jump to the top of the
 * document.
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
    // Wait a frame: a closing dialog restores the focus itself.
    const observer = new MutationObserver(() => held !== undefined && requestAnimationFrame(restore))
    observer.observe(element, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    observer.observe(document.body, { childList: true })
    document.addEventListener('focusin', remember)
    // A click outside of every control removes the focus. Do not restore it then.
    document.addEventListener('pointerdown', forget)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', remember)
      document.removeEventListener('pointerdown', forget)
    }
  }, [whole])
}

/** Focusable elements after an element, in order, then those before it, nearest first. */
function nearTo(target: HTMLElement, element: HTMLElement): readonly HTMLElement[] {
  const all = [...element.querySelectorAll<HTMLElement>(REACHED)]
  const isAfter = (one: HTMLElement) => (target.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  const before = all.filter((one) => one !== target && !isAfter(one))
  return [...all.filter((one) => one !== target && isAfter(one)), ...before.reverse()]
}

function isUsable(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(':disabled') && element.checkVisibility()
}

import { useEffect } from 'react'

/** Shows the page alone on the whole screen; the style sheet hides what stands around it. */
export function FullScreenButton() {
  // Another page is not shown without its menu.
  useEffect(
    () => () => {
      if (document.fullscreenElement !== null) void document.exitFullscreen()
    },
    [],
  )
  if (!document.fullscreenEnabled) return null
  const toggle = () =>
    document.fullscreenElement === null ? document.documentElement.requestFullscreen() : document.exitFullscreen()
  return (
    <button type="button" className="button" onClick={() => void toggle()}>
      Full screen
    </button>
  )
}

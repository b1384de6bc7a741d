import { afterAll, beforeAll, describe } from 'vitest'
import { chromiumProgram } from './chromium.ts'
import { type ServedPage, servePage } from './served-page.ts'

/** Tests of the page over the sample data, or what `serve` serves, skipped where there is no browser; it is served while they run. */
export function describeServed(
  name: string,
  define: (served: ServedPage) => void,
  serve: () => Promise<ServedPage> = servePage,
): void {
  describe.skipIf(chromiumProgram() === undefined)(name, () => {
    let opened: ServedPage | undefined
    const own = () => {
      if (opened === undefined) throw new Error('the page is not served yet')
      return opened
    }
    beforeAll(async () => {
      opened = await serve()
    })
    afterAll(async () => opened?.close())
    define({
      get url() {
        return own().url
      },
      get engine() {
        return own().engine
      },
      get store() {
        return own().store
      },
      visit: (path, options) => own().visit(path, options),
      show: (path, options) => own().show(path, options),
      ask: (path) => own().ask(path),
      close: () => own().close(),
    })
  })
}

import { describeServed } from '../support/product/describe-served.ts'
import { moreSettings } from './with-keys/more-settings.ts'
import { serveWithKeys } from './with-keys/serve.ts'
import { settings } from './with-keys/settings.ts'

describeServed(
  'the pages where keys are asked for',
  (served) => {
    settings(served)
    moreSettings(served)
  },
  serveWithKeys,
)

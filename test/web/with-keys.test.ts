import { describeServed } from '../support/product/describe-served.ts'
import { serveWithKeys } from './with-keys/serve.ts'
import { signInWithKey } from './with-keys/sign-in.ts'

describeServed('the pages where keys are asked for', signInWithKey, serveWithKeys)

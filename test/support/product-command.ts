import { fileURLToPath } from 'node:url'
import { isBuilt } from './built-product.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TSX = fileURLToPath(new URL('../../node_modules/tsx/dist/loader.mjs', import.meta.url))

/** How Node is told to run a script of src/bin: as it was built where that is current, which starts in half the time, else from its source. */
export async function productCommand(script: 'cli' | 'serve'): Promise<readonly string[]> {
  built ??= isBuilt()
  return (await built) ? [`${ROOT}/dist/src/bin/${script}.js`] : ['--import', TSX, `${ROOT}/src/bin/${script}.ts`]
}

let built: Promise<boolean> | undefined

import { fileURLToPath } from 'node:url'
import { isBuilt } from './built-product.ts'

/** The folder of the package, and what lets Node run its sources. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
export const TSX = fileURLToPath(new URL('../../../node_modules/tsx/dist/loader.mjs', import.meta.url))

/** The arguments with which Node runs a script of src/app/bin: the build if it is current, which starts in half the time, else the source. */
export async function productCommand(script: 'cli' | 'serve'): Promise<readonly string[]> {
  return (await runsBuilt()) ? [`${ROOT}/dist/src/app/bin/${script}.js`] : ['--import', TSX, `${ROOT}/src/app/bin/${script}.ts`]
}

/** Whether processes of the product run what was built. */
export function runsBuilt(): Promise<boolean> {
  built ??= isBuilt()
  return built
}

let built: Promise<boolean> | undefined

import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { UsageError } from '../cli/command.ts'
import { composeStore } from '../compose.ts'
import { type ConfigInputs, loadStoreConfig, starterFile } from '../config.ts'
import { AppError } from '../core/errors.ts'

/** Writes the starter file, then opens and so migrates the side store it leads to. */
export async function initialise({ force, ...inputs }: ConfigInputs & { readonly force: boolean }): Promise<readonly string[]> {
  const path = resolve(inputs.cwd, inputs.config ?? 'plumbline.toml')
  await writeStarter(path, force)
  const store = composeStore(loadStoreConfig({ ...inputs, config: path }))
  try {
    if (!store.enabled) return [`Wrote ${path}; the side store is switched off`]
    await store.open()
    return [`Wrote ${path}`, 'Prepared the side store']
  } finally {
    await store.close()
  }
}

async function writeStarter(path: string, force: boolean): Promise<void> {
  try {
    await writeFile(path, starterFile(), { flag: force ? 'w' : 'wx' })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    if (code === 'EEXIST') throw new AppError('conflict', `${path} exists already; --force replaces it.`)
    throw new UsageError([`cannot write ${path} (${code})`])
  }
}

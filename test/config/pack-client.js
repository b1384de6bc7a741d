// Packs the typed client as a separate package, without the service: `npm run pack:client [-- <folder>]`. Without a folder, the tarball is
// put into the working directory.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const destination = resolve(process.argv[2] ?? '.')
const built = mkdtempSync(join(tmpdir(), 'plumbline-client-'))
try {
  const tsc = join(root, 'node_modules/typescript-native/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', join(root, 'test/config/tsconfig.client.json'), '--outDir', built], { stdio: 'inherit' })
  for (const name of ['src/client/package.json', 'src/client/README.md', 'LICENSE'])
    copyFileSync(join(root, name), join(built, name.slice(name.lastIndexOf('/') + 1)))
  execFileSync('npm', ['pack', '--pack-destination', destination], { cwd: built, stdio: 'inherit' })
} finally {
  rmSync(built, { recursive: true, force: true })
}

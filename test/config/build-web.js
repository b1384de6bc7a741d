// Builds the page into dist/web with a gzip and a brotli of each file, so that the service compresses nothing at run time. With
// `--if-changed` only where a source is newer than what was built. With `--plain`, as for a service on this machine, without the two.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

// Every build gives the same page, also in a test run with another environment.
process.env.NODE_ENV = 'production'
const { build } = await import('vite')

const root = fileURLToPath(new URL('../..', import.meta.url))
const built = join(root, 'dist/web')
const LEAST_BYTES = 1_024

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

const isPlain = process.argv.includes('--plain')

const isCurrent = () => {
  const page = join(built, 'index.html')
  if (!existsSync(page)) return false
  if (!isPlain && !filesBelow(join(built, 'assets')).some((file) => file.endsWith('.br'))) return false
  const at = statSync(page).mtimeMs
  const sources = [...filesBelow(join(root, 'src/web')), ...filesBelow(join(root, 'src/client')), ...filesBelow(join(root, 'docs/openapi')), join(root, 'package-lock.json')]
  return sources.every((file) => statSync(file).mtimeMs <= at)
}

if (!process.argv.includes('--if-changed') || !isCurrent()) {
  if (process.argv.includes('--if-changed')) process.stderr.write('Building the dashboard, which is needed once and usually takes about 5 seconds …\n')
  await build({ configFile: join(root, 'test/config/vite.config.ts'), logLevel: 'warn' })
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  for (const file of isPlain ? [] : filesBelow(join(built, 'assets'))) {
    const bytes = readFileSync(file)
    if (bytes.length < LEAST_BYTES) continue
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, quality))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

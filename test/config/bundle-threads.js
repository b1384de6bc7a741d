// Replaces the programs of threads, dist/**/*.thread.js, by files that contain everything they import. So the process reads each of them at
// once, and a thread that starts later reads none (src/core/thread.ts).
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const root = fileURLToPath(new URL('../../dist', import.meta.url))
const programs = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.thread.js'))
buildSync({
  entryPoints: programs.map((name) => join(root, name)),
  outbase: root,
  outdir: root,
  allowOverwrite: true,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  banner: { js: '// One file with all packages.' },
})

// What each page of the dashboard costs in a real browser, over the sample data: `npx tsx test/bench/pages.ts`, with paths for some of them.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/core/package-root.ts'
import { MENU } from '../../src/web/app/menu.ts'
import { type ServedPage, servePage } from '../support/served-page.ts'

const NUMBER = '.tile-value, .headline-value, td.is-number, .problem'
const WIDTHS = [16, 20, 20, 14, 16]

/** Milliseconds until the first number stands on a page whose script the browser has, and until all of it does. */
async function measure(served: ServedPage, path: string): Promise<readonly (string | number)[]> {
  const { page, problems, settled, accessibility } = await served.visit(path)
  const begin = performance.now()
  await page.reload({ waitUntil: 'commit' })
  await page.locator(NUMBER).first().waitFor()
  const first = Math.round(performance.now() - begin)
  await settled()
  const whole = Math.round(performance.now() - begin)
  const found = await accessibility()
  for (const problem of new Set(problems)) process.stderr.write(`${path}: ${problem}\n`)
  await page.context().close()
  return [path, first, whole, found.length, problems.length]
}

/** Scripts of the build by what they weigh as gzip. */
function scripts(): readonly string[] {
  const folder = join(packageRoot(), 'dist/web/assets')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.js.gz'))
    .map((name) => `${name.slice(0, -3)}: ${Math.round(statSync(join(folder, name)).size / 1024)} KB gzipped`)
}

const line = (cells: readonly (string | number)[]) =>
  `${cells.map((cell, place) => String(cell).padEnd(WIDTHS[place] ?? 0)).join('')}\n`

const served = await servePage()
try {
  process.stdout.write(`${scripts().join('\n')}\n\n`)
  process.stdout.write(line(['page', 'first number (ms)', 'everything (ms)', 'axe findings', 'problems']))
  const wanted = process.argv.slice(2)
  for (const { to } of MENU.filter((entry) => wanted.length === 0 || wanted.includes(entry.to)))
    process.stdout.write(line(await measure(served, to)))
} finally {
  await served.close()
}

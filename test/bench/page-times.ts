import { existsSync, readFileSync, statSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { packageRoot } from '../../src/core/package-root.ts'
import { isBuilt } from '../support/product/built-product.ts'

const ASSETS = join(packageRoot(), 'dist/web/assets')

/** Milliseconds since the page was asked for. */
export interface PageTimes {
  /** When the first of the places that are watched showed what it has to. */
  readonly first: number
  /** When the last one did. */
  readonly last: number
  /** When nothing on the page changed any more. */
  readonly whole: number
}

/**
 * Takes the times within the page, from its next navigation on: what a browser tells through its debugger comes late on a busy machine.
 * `places` are watched until each has something of `shown` in it.
 */
export async function watchTimes(page: Page, places: string, shown: string): Promise<void> {
  await page.addInitScript({
    content: `(() => {
      const seen = new Map()
      window.plumblineTimes = { seen, whole: 0 }
      const look = () => {
        plumblineTimes.whole = performance.now()
        for (const [index, place] of document.querySelectorAll(${JSON.stringify(places)}).entries()) {
          if (seen.has(index) || place.querySelector(${JSON.stringify(shown)}) === null) continue
          seen.set(index, null)
          requestAnimationFrame(() => setTimeout(() => seen.set(index, performance.now())))
        }
      }
      new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
    })()`,
  })
}

/** The times of the last navigation, once everything is there. */
export async function timesOf(page: Page): Promise<PageTimes> {
  const script = '({ whole: plumblineTimes.whole, seen: [...plumblineTimes.seen.values()] })'
  const { whole, seen } = await page.evaluate<{ whole: number; seen: number[] }>(script)
  return { first: Math.min(...seen), last: Math.max(...seen), whole }
}

/** Scripts that the document itself asks for. */
export function initialScripts(): readonly string[] {
  const document = readFileSync(join(ASSETS, '..', 'index.html'), 'utf8')
  return [...new Set([...document.matchAll(/assets\/([\w.-]+\.js)/g)].map(([, name = '']) => name))]
}

/** Scripts that the page has loaded by now. */
export async function loadedScripts(page: Page): Promise<readonly string[]> {
  const addresses = await page.evaluate<string[]>("performance.getEntriesByType('resource').map(({ name }) => name)")
  return [...new Set(addresses.flatMap((address) => /\/assets\/([\w.-]+\.js)$/.exec(address)?.[1] ?? []))]
}

/** Kilobytes of scripts of the build as gzip. */
export function kilobytesOf(scripts: readonly string[]): number {
  const bytes = scripts.map((script) => {
    const file = join(ASSETS, script)
    return statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size
  })
  return Math.round(bytes.reduce((sum, size) => sum + size, 0) / 1024)
}

/** The machine and how busy it is, and what is measured, in a line. */
export async function circumstances(): Promise<string> {
  const load = loadavg().map((each) => each.toFixed(1))
  const product = (await isBuilt()) ? 'as it was built' : 'from its sources, as the build is not current'
  return `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model}), load ${load.join(', ')}; the product ${product}`
}

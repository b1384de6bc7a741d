import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { composeEngine, type Extensions, startService } from '../../../src/app/compose.ts'
import type { Config } from '../../../src/app/config/config.ts'
import { sampleConfig } from '../../../src/app/demo/sample-config.ts'
import { once } from '../../../src/core/async.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import type { Store } from '../../../src/ports/store.ts'
import { recordedSample } from '../data/recorded-sample.ts'
import { chromiumProgram } from './chromium.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PATIENCE_MS = 30_000
const HEIGHT = 900
/** An address that no page has. Every page starts fresh after it. */
const ELSEWHERE = '/nowhere'
const NOTHING = 'Page not found'

/** The dashboard over the sample data, in a browser. */
export interface ServedPage {
  readonly url: string
  readonly engine: Engine
  readonly store: Store
  /** Opens an address of the page and waits until everything on it is there. */
  visit(path: string, options?: VisitOptions): Promise<Visit>
  /**
   * Goes to a page in the window that all tests share, where the page is loaded already. Tests that change the browser open another window.
   * The page does not repeat recent requests, so tests of changes behind its back open another window, too.
   */
  show(path: string, options?: VisitOptions): Promise<Visit>
  /** The answer of the API. */
  ask(path: string): Promise<unknown>
  close(): Promise<void>
}

export interface VisitOptions {
  readonly width?: number
  readonly theme?: 'light' | 'dark'
}

export interface Visit {
  readonly page: Page
  /** Faults so far: messages of the console, refusals of the page's policy, answers that are errors, requests to other hosts. */
  readonly problems: readonly string[]
  /** Goes to another address of the page as its links do, and waits until everything there is to be seen. */
  go(path: string): Promise<void>
  /** The same where nothing is left of the page before, at the usual size or that of the options, with no problem so far. */
  beginAt(path: string, options?: VisitOptions): Promise<void>
  /** Waits until no request is on its way and nothing is announced as loading. */
  settled(): Promise<void>
  /** By how many pixels the page is wider than its window. */
  overflow(): Promise<number>
  /** The findings of axe, a line each. `colours` limits them to colours, if nothing else is new. */
  accessibility(of?: 'all' | 'colours'): Promise<readonly string[]>
}

/** Serves the sample data, or what is prepared in its place, and starts a browser. */
export async function servePage(
  auth: Partial<Config['auth']> = {},
  port = 0,
  extensions: Extensions = {},
  prepare = recordedSample,
): Promise<ServedPage> {
  const data = await prepare()
  return serveOver(sampleConfig(data, { port: String(port) }), { auth, extensions, dispose: data.dispose })
}

interface Around {
  readonly auth?: Partial<Config['auth']>
  readonly extensions?: Extensions
  /** Clears away what the configuration is about, once it is served no more. */
  dispose(): Promise<void>
}

/** Builds the page where a source has changed, serves what a configuration names and starts a browser. */
export async function serveOver(configured: Config, { auth = {}, extensions = {}, dispose }: Around): Promise<ServedPage> {
  const program = chromiumProgram()
  if (program === undefined) throw new Error('There is no Chromium.')
  buildPage()
  const log = { level: 'error' as const, format: 'json' as const }
  // Consent to a platform leaves tokens, which are sealed.
  const store = { ...configured.store, secret_key: Buffer.alloc(32, 7).toString('base64') }
  const config = { ...configured, log, store, auth: { ...configured.auth, ...auth } }
  const composed = composeEngine(config, extensions)
  const { url, stop } = await startService(config, composed, '0')
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
  const shared = once(() => visit(browser, url, ELSEWHERE))
  return {
    url,
    visit: (path, options) => visit(browser, url, path, options),
    show: async (path, options) => {
      const window = await shared()
      await window.beginAt(path, options)
      return window
    },
    engine: composed.engine,
    store: composed.store,
    ask: async (path) => (await fetch(url + path)).json(),
    close: async () => {
      await browser.close()
      await stop()
      await composed.engine.close()
      await dispose()
    },
  }
}

/** Once a process: it takes a child process to see that nothing has changed. */
const buildPage = once(() => {
  const built = spawnSync(process.execPath, ['test/config/build-web.js', '--if-changed'], { cwd: ROOT, encoding: 'utf8' })
  if (built.status !== 0) throw new Error(`The page was not built: ${built.stderr}`)
})

async function visit(browser: Browser, url: string, path: string, options: VisitOptions = {}): Promise<Visit> {
  const window = await openWindow(browser, url, options)
  await window.page.goto(url + path)
  await window.settled()
  return window
}

/** A new window for the page at `url`, with nothing in it yet. */
export async function openWindow(
  browser: Browser,
  url: string,
  { width = 1280, theme = 'light' }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width, height: HEIGHT },
    colorScheme: theme,
    locale: 'en-US',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`))
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== new URL(url).origin && protocol.startsWith('http')) problems.push(`request to ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`)
  })
  const settled = async () => {
    await page.waitForLoadState('networkidle')
    await page.locator('main h1').first().waitFor()
    await page.waitForSelector('main .skeleton, .panel .skeleton, [aria-busy="true"]', { state: 'detached' })
  }
  const go = async (path: string) => {
    await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`)
    await settled()
  }
  const beginAt = async (path: string, { width = 1280, theme = 'light' }: VisitOptions = {}) => {
    await page.unrouteAll()
    await page.mouse.move(0, 0)
    await page.setViewportSize({ width, height: HEIGHT })
    await page.emulateMedia({ colorScheme: theme })
    const nothing = page.getByRole('heading', { level: 1, name: NOTHING })
    await go(ELSEWHERE)
    await nothing.waitFor()
    problems.length = 0
    await go(path)
    if (path !== ELSEWHERE) await nothing.waitFor({ state: 'detached' })
    await settled()
  }
  const overflow = () => page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  return { page, problems, go, beginAt, settled, overflow, accessibility: (of = 'all') => accessibility(page, of) }
}

interface Finding {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

const RULES = {
  all: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
  colours: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
}

/** axe leaves this rule out unless it is named: targets of at least 24 × 24 px (WCAG 2.2, 2.5.8). */
const TARGETS = { 'target-size': { enabled: true } }

async function accessibility(page: Page, of: keyof typeof RULES): Promise<readonly string[]> {
  // Its half megabyte is sent once a document.
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(`(() => { ${AXE} })()`)
  const found = await page.evaluate<readonly Finding[]>(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES[of])}, rules: ${JSON.stringify(of === 'all' ? TARGETS : {})}, resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ html, failureSummary = '' }) =>
        `${id}: ${help}: ${html.slice(0, 160)} ${failureSummary.replaceAll(/\s+/g, ' ').slice(0, 260)}`,
    ),
  )
}

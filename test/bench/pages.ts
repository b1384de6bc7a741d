// The cost of each page of the dashboard in a real browser, in both themes, with a filled cache:
// `npm run build && npx tsx test/bench/pages.ts`, with paths for some of them, `--size 100000` and `--dialect mariadb`.
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { MENU } from '../../src/web/app/menu.ts'
import { openWindow } from '../support/product/served-page.ts'
import { eachServer, readSizes } from './each-server.ts'
import { median } from './measure.ts'
import { initialScripts, kilobytesOf, loadedScripts, type PageTimes, timesOf, watchTimes } from './page-times.ts'
import { serveBench } from './served-bench.ts'

const NUMBER = '.tile-value, .headline-value, td.is-number, .chart-place canvas, .problem'
const THEMES = ['light', 'dark'] as const
const RUNS = 3
const HEAD = [
  'Page',
  'Theme',
  'First number ms, cold',
  'First number ms',
  'Everything ms',
  'JavaScript KB',
  'Axe findings',
  'Console errors',
  'Requests to other hosts',
]

type Theme = (typeof THEMES)[number]

const row = (cells: readonly (string | number)[]) => void process.stdout.write(`| ${cells.join(' | ')} |\n`)
/** Pages such as a list of nothing show no number. */
const told = (time: number) => (Number.isFinite(time) ? Math.round(time) : 'none')
const middle = (runs: readonly PageTimes[], time: keyof PageTimes) => told(median(runs.map((run) => run[time])))

/** The page once in a new window, which has nothing of it, then as often as it is measured. */
async function measure(browser: Browser, url: string, path: string, theme: Theme): Promise<readonly (string | number)[]> {
  const { page, problems, settled, accessibility } = await openWindow(browser, url, { theme })
  await watchTimes(page, 'main', NUMBER)
  await page.goto(url + path)
  await settled()
  const cold = await timesOf(page)
  const warm: PageTimes[] = []
  for (let run = 0; run < RUNS; run++) {
    await page.reload()
    await settled()
    warm.push(await timesOf(page))
  }
  const size = kilobytesOf(await loadedScripts(page))
  const found = await accessibility()
  for (const told of new Set([...problems, ...found])) process.stderr.write(`${path} ${theme}: ${told}\n`)
  const elsewhere = problems.filter((problem) => problem.startsWith('request to')).length
  await page.context().close()
  return [
    path,
    theme,
    told(cold.first),
    middle(warm, 'first'),
    middle(warm, 'whole'),
    size,
    found.length,
    problems.length - elsewhere,
    elsewhere,
  ]
}

/** Puts a few documents into the store, as a user would: without books the page of expenses only says so. */
async function importBooks(url: string): Promise<void> {
  const books = `id,date,vendor,account,account_type,amount,currency
B-1,2026-03-02,Cloud Ltd.,Hosting,cogs,1200.00,USD
E-2,2026-05-12,Rail,Travel,expense,89.50,USD
B-3,2026-09-30,Cloud Ltd.,Hosting,cogs,1350.00,USD
`
  const form = new FormData()
  form.set('source', 'bench')
  form.set('file', new Blob([books]), 'books.csv')
  const response = await fetch(`${url}/api/expenses/import`, { method: 'POST', body: form })
  if (!response.ok) throw new Error(await response.text())
}

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { size: { type: 'string', default: '10000' }, dialect: { type: 'string', default: 'postgres' } },
})
await eachServer(values.dialect, async (server) => {
  for (const size of readSizes(values.size))
    await serveBench(server, size, async ({ url, browser }) => {
      await importBooks(url)
      process.stdout.write(`Initial JavaScript: ${kilobytesOf(initialScripts())} KB as gzip\n\n`)
      row(HEAD)
      row(HEAD.map(() => '---'))
      for (const { to } of MENU.filter((page) => wanted.length === 0 || wanted.includes(page.to)))
        for (const theme of THEMES) row(await measure(browser, url, to, theme))
    })
})

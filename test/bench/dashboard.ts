// How long a saved dashboard of twelve charts takes to open: `npm run build && npx tsx test/bench/dashboard.ts`.
import { parseArgs } from 'node:util'
import { chromium, type Page } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { serveReady } from '../support/product-process.ts'
import { openWindow } from '../support/served-page.ts'
import { benchDatabase, count } from './bench-data.ts'
import { createBenchStore, openBenchEngine } from './bench-engine.ts'
import { eachServer, readSizes } from './each-server.ts'
import { median, timed } from './measure.ts'
import { circumstances, type PageTimes, timesOf, watchTimes } from './page-times.ts'
import { BASE_CURRENCY, NOW } from './tasks.ts'
import { CHART_NAMES, makeDashboard } from './twelve-charts.ts'

const USAGE = `Opens a dashboard of twelve charts in Chromium, served with a filled cache, and asks its questions one by one.
  --size 100000        subscriptions (100000)
  --dialect mariadb    (postgres)
  --runs 5             (5)
`

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '100000' },
    dialect: { type: 'string', default: 'postgres' },
    runs: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
})

/** A call of the page, in milliseconds since the page was asked for. */
interface Call {
  readonly address: string
  readonly begun: number
  readonly sent: number
  readonly ended: number
}

const SHOWN = 'canvas, table, .headline-value, .problem, .empty'
const line = (text: string) => void process.stdout.write(`${text}\n`)
const whole = (milliseconds: number) => Math.round(milliseconds)

if (values.help) process.stdout.write(USAGE)
else
  await eachServer(values.dialect, async (server) => {
    for (const size of readSizes(values.size)) {
      const progress = (text: string) => void process.stderr.write(`${text}\n`)
      const database = await benchDatabase(server, size, { fresh: false, progress })
      const store = await createBenchStore()
      try {
        line(`\n${database.target}, ${await count(database, 'subscriptions')} subscriptions; ${await circumstances()}`)
        // Puts the rates into the store.
        await (await openBenchEngine(database.url, store, 30_000)).close()
        await measure({ PLUMBLINE_DATABASE_URL: database.url, PLUMBLINE_STORE_URL: store.url })
      } finally {
        await store.remove()
        await database.drop()
      }
    }
  })

async function measure(places: Record<string, string>): Promise<void> {
  const [filled, service] = await timed(() =>
    serveReady({
      ...places,
      PLUMBLINE_DEFINITIONS_BASE_CURRENCY: BASE_CURRENCY,
      PLUMBLINE_NOW: NOW,
      PLUMBLINE_CACHE_MODE: 'on',
    }),
  )
  line(`ready after ${whole(filled / 1000)} s`)
  const browser = await chromium.launch({ executablePath: chromiumProgram() ?? '', args: ['--no-sandbox'] })
  try {
    const path = await makeDashboard(service.url)
    const { page, problems, settled } = await openWindow(browser, service.url)
    await watchTimes(page, '[data-place]', SHOWN)
    await page.goto(service.url + path)
    await settled()
    tell('opened for the first time', await timesOf(page))
    const opened: PageTimes[] = []
    for (let run = 0; run < Number(values.runs); run++) {
      await page.reload()
      await settled()
      opened.push(await timesOf(page))
      tell('opened', opened.at(-1))
    }
    tell('median', medianOf(opened))
    const calls = await callsOf(page)
    await page.context().close()
    line(`\n| Call | Begun | Sent | Answered | Alone |\n|---|---|---|---|---|`)
    for (const call of calls) line(`| ${told(call)} | ${call.begun} | ${call.sent} | ${call.ended} | ${await alone(call)} |`)
    for (const problem of problems) line(problem)
  } finally {
    await browser.close()
    await service.stop()
  }
}

function tell(title: string, times: PageTimes | undefined): void {
  if (times === undefined) return
  line(`${title}: first of ${CHART_NAMES.length} charts after ${whole(times.first)} ms, last after ${whole(times.last)} ms`)
}

function medianOf(opened: readonly PageTimes[]): PageTimes {
  const of = (time: keyof PageTimes) => median(opened.map((times) => times[time]))
  return { first: of('first'), last: of('last'), whole: of('whole') }
}

/** What the page asked of the API, in its order. */
async function callsOf(page: Page): Promise<readonly Call[]> {
  return page.evaluate<Call[]>(`performance.getEntriesByType('resource')
    .filter(({ initiatorType }) => initiatorType === 'fetch')
    .map(({ name, startTime, requestStart, responseEnd }) =>
      ({ address: name, begun: Math.round(startTime), sent: Math.round(requestStart), ended: Math.round(responseEnd) }))`)
}

/** Milliseconds that the call takes with nothing beside it, the middle of three. */
async function alone({ address }: Call): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < 3; run++) {
    const [time] = await timed(async () => (await fetch(address)).arrayBuffer())
    times.push(time)
  }
  return whole(median(times))
}

function told({ address }: Call): string {
  const { pathname, search } = new URL(address)
  return decodeURIComponent(pathname + search)
}

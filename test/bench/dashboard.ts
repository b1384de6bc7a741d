// How long a saved dashboard of twelve charts takes to open: `npm run build && npx tsx test/bench/dashboard.ts`.
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { openWindow } from '../support/product/served-page.ts'
import { eachServer, readSizes } from './each-server.ts'
import { median, timed } from './measure.ts'
import { type PageTimes, timesOf, watchTimes } from './page-times.ts'
import { type ServedBench, serveBench } from './served-bench.ts'
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
  readonly sent: number
  readonly ended: number
}

const SHOWN = 'canvas, table, .headline-value, .problem, .empty'
const line = (text: string) => void process.stdout.write(`${text}\n`)
const whole = (milliseconds: number) => Math.round(milliseconds)

if (values.help) process.stdout.write(USAGE)
else
  await eachServer(values.dialect, async (server) => {
    for (const size of readSizes(values.size)) await serveBench(server, size, measure)
  })

async function measure({ url, browser }: ServedBench): Promise<void> {
  const path = await makeDashboard(url)
  const { page, problems, settled } = await openWindow(browser, url)
  await watchTimes(page, '[data-place]', SHOWN)
  await page.goto(url + path)
  await settled()
  tell('opened for the first time', await timesOf(page))
  const asked = await callsOf(page)
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
  line('\n| Call | First opening: sent | Answered | Last opening: sent | Answered | Alone |\n|---|---|---|---|---|---|')
  for (const call of calls) {
    const first = asked.find(({ address }) => address === call.address)
    line(`| ${told(call)} | ${first?.sent} | ${first?.ended} | ${call.sent} | ${call.ended} | ${await alone(call)} |`)
  }
  for (const problem of problems) line(problem)
}

function tell(title: string, times: PageTimes | undefined): void {
  if (times === undefined) return
  line(`${title}: first of ${CHART_NAMES.length} charts after ${whole(times.first)} ms, last after ${whole(times.last)} ms`)
}

function medianOf(opened: readonly PageTimes[]): PageTimes {
  const of = (time: keyof PageTimes) => median(opened.map((times) => times[time]))
  return { first: of('first'), last: of('last'), whole: of('whole') }
}

/** The calls of the page to the API, in its order. */
async function callsOf(page: Page): Promise<readonly Call[]> {
  return page.evaluate<Call[]>(`performance.getEntriesByType('resource')
    .filter(({ initiatorType }) => initiatorType === 'fetch')
    .map(({ name, requestStart, responseEnd }) =>
      ({ address: name, sent: Math.round(requestStart), ended: Math.round(responseEnd) }))`)
}

/** Milliseconds that the call takes alone, the middle of three. */
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

// Pictures of every page over the sample data, and of some pages over extreme data: wide and narrow, light and dark.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { prepareSampleData } from '../../src/app/demo/sample-data.ts'
import { MENU } from '../../src/web/app/menu.ts'
import { emptySample, hostileSample, manyPlansSample } from '../support/data/changed-sample.ts'
import { type ServedPage, servePage, type Visit } from '../support/product/served-page.ts'

interface Look {
  readonly name: string
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
}

interface Shown {
  readonly name: string
  readonly path: string
}

const FOLDER = join('coverage', 'screenshots')
const HEIGHT = 900
const WIDE = 1440
const NARROW = 390
const LIGHT: Look = { name: 'light', width: WIDE, colorScheme: 'light' }
const NARROW_DARK: Look = { name: 'narrow-dark', width: NARROW, colorScheme: 'dark' }
const ALL: readonly Look[] = [
  LIGHT,
  { name: 'dark', width: WIDE, colorScheme: 'dark' },
  { name: 'narrow', width: NARROW, colorScheme: 'light' },
  NARROW_DARK,
]
/** Pages over extreme data are pictured in the two most different looks. */
const EXTREMES = [LIGHT, NARROW_DARK]

async function pictures(served: ServedPage, { name, path }: Shown, looks: readonly Look[]): Promise<void> {
  const visit = await served.visit(path)
  for (const look of looks) await picture(visit, name, look)
  await visit.page.context().close()
}

async function picture({ page, settled }: Visit, shown: string, { name, width, colorScheme }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: HEIGHT })
  await settled()
  // Some elements are as high as the window, so the window gets the height of the page.
  const height = await page.evaluate<number>('document.documentElement.scrollHeight')
  await page.setViewportSize({ width, height })
  await settled()
  const file = join(FOLDER, `${shown}-${name}.png`)
  await page.screenshot({ path: file })
  process.stdout.write(`${file}\n`)
}

/** The address of the customer with the highest MRR, or of the first one in an order. */
async function customerOf(served: ServedPage, order = '-mrr_base_cents'): Promise<string> {
  const { rows } = (await served.ask(`/api/customers?order=${order}&limit=1`)) as { rows: { id: string }[] }
  return `/customers/${rows[0]?.id}`
}

async function over(prepare: Parameters<typeof servePage>[3], show: (served: ServedPage) => Promise<void>): Promise<void> {
  const served = await servePage({}, 0, {}, prepare)
  try {
    await show(served)
  } finally {
    await served.close()
  }
}

mkdirSync(FOLDER, { recursive: true })
await over(prepareSampleData, async (served) => {
  for (const { to } of MENU) await pictures(served, { name: to === '/' ? 'overview' : to.slice(1), path: to }, ALL)
  await pictures(served, { name: 'customers-one', path: await customerOf(served) }, ALL)
  await pictures(served, { name: 'segments-new', path: '/segments/new' }, EXTREMES)
})
await over(manyPlansSample, async (served) => {
  await pictures(served, { name: 'plans-overview', path: '/' }, EXTREMES)
  await pictures(served, { name: 'plans-mrr', path: '/mrr?dimensions=plan_name' }, EXTREMES)
  await pictures(served, { name: 'plans-trials', path: '/trials' }, EXTREMES)
  await pictures(served, { name: 'plans-explore', path: '/explore?metric=mrr&view=total&dimensions=plan_name' }, EXTREMES)
})
await over(hostileSample, async (served) => {
  await pictures(served, { name: 'names-overview', path: '/' }, EXTREMES)
  await pictures(served, { name: 'names-churn', path: '/churn?dimensions=customer_country' }, EXTREMES)
  await pictures(served, { name: 'names-customers', path: '/customers' }, EXTREMES)
  await pictures(served, { name: 'names-customers-one', path: await customerOf(served, 'name') }, EXTREMES)
})
await over(emptySample, async (served) => {
  for (const path of ['/', '/mrr', '/retention', '/customers'])
    await pictures(served, { name: `empty-${path === '/' ? 'overview' : path.slice(1)}`, path }, EXTREMES)
})

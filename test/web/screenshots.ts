// Pictures of every page of the dashboard over the sample data, for a look at them: wide and narrow, light and dark.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { MENU } from '../../src/web/app/menu.ts'
import { type ServedPage, servePage, type VisitOptions } from '../support/served-page.ts'

const FOLDER = join('coverage', 'screenshots')
const LOOKS: readonly (VisitOptions & { readonly name: string })[] = [
  { name: 'light', width: 1360, theme: 'light' },
  { name: 'dark', width: 1360, theme: 'dark' },
  { name: 'narrow', width: 360, theme: 'light' },
]

async function picture(served: ServedPage, path: string, { name, ...look }: (typeof LOOKS)[number]): Promise<void> {
  const { page } = await served.visit(path, look)
  const file = `${path === '/' ? 'overview' : path.slice(1).split('/')[0]}${path.split('/').length > 2 ? '-one' : ''}-${name}.png`
  await page.screenshot({ path: join(FOLDER, file), fullPage: true })
  process.stdout.write(`${join(FOLDER, file)}\n`)
  await page.context().close()
}

const served = await servePage()
try {
  mkdirSync(FOLDER, { recursive: true })
  const { rows } = (await served.ask('/api/customers?order=-mrr_base_cents&limit=1')) as { rows: { id: string }[] }
  for (const path of [...MENU.map(({ to }) => to), `/customers/${rows[0]?.id}`])
    for (const look of LOOKS) await picture(served, path, look)
} finally {
  await served.close()
}

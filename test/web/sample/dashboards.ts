import { describe, expect, it } from 'vitest'
import type { components } from '../../../src/client/index.ts'
import { readChartConfig } from '../../../src/web/dashboards/chart-config.ts'
import { formatValue } from '../../../src/web/format/numbers.ts'
import { JSON_BODY } from '../../support/product/json-body.ts'
import type { ServedPage } from '../../support/product/served-page.ts'

type Board = components['schemas']['DashboardWithCharts']

const NARROW = 360
const HEIGHT = 900

const NUMBER = { version: 1, path: '/api/metrics/mrr', query: {}, form: 'number', measure: 'mrr', groups: [], explore: {} }

export function keptCharts(): void {
  describe('what is kept of a chart', () => {
    it('is read as it was written', () => {
      expect(readChartConfig(NUMBER)).toMatchObject(NUMBER)
      expect(readChartConfig({ ...NUMBER, form: 'bars', step: 'month', query: { filter: ['currency=EUR'] } })?.step).toBe('month')
    })

    it.each([
      ['nothing', {}],
      ['of another version', { ...NUMBER, version: 2 }],
      ['with a path outside the metrics', { ...NUMBER, path: '/api/metrics/../keys' }],
      ['with a path to another host', { ...NUMBER, path: 'https://example.com/api/metrics/mrr' }],
      ['with a query of objects', { ...NUMBER, query: { filter: { a: 1 } } }],
      ['over time without a step', { ...NUMBER, form: 'line' }],
      ['with an unknown form', { ...NUMBER, form: 'pie' }],
    ])('is not read: %s', (_, config) => {
      expect(readChartConfig(config)).toBeUndefined()
    })
  })
}

export function dashboardPages(served: ServedPage): void {
  describe('dashboards', () => {
    const post = async (path: string, body: unknown) => {
      const response = await fetch(served.url + path, { method: 'POST', headers: JSON_BODY, body: JSON.stringify(body) })
      expect(response.ok).toBe(true)
      return (await response.json()) as { id: string }
    }
    const boardOf = async (id: string) => (await served.ask(`/api/dashboards/${id}`)) as Board
    const orderOf = async (id: string) =>
      (await boardOf(id)).sections.map(({ title, charts }) => `${title}: ${charts.map(({ chart }) => chart.name).join(', ')}`)

    /** A dashboard with the sections First (A, B) and Second (C). */
    const prepared = async () => {
      const { id } = await post('/api/dashboards', { name: 'Monday' })
      for (const [title, names] of [
        ['First', ['A', 'B']],
        ['Second', ['C']],
      ] as const) {
        const section = await post(`/api/dashboards/${id}/sections`, { title, position: title === 'First' ? 0 : 1 })
        for (const [position, name] of names.entries()) {
          const config = name === 'C' ? { other: 'program' } : NUMBER
          const chart = await post('/api/charts', { name, config })
          await post(`/api/dashboards/${id}/charts`, { saved_chart_id: chart.id, section_id: section.id, position })
        }
      }
      return id
    }

    it('a dashboard is made, a chart of Explore saved on it, shown with the same question, renamed, taken off and deleted', async () => {
      const { page, go, settled, problems, accessibility } = await served.show('/dashboards')
      const say = async (button: string, field: string, text: string, action: string) => {
        await page.getByRole('button', { name: button, exact: true }).first().click()
        await page.getByRole('dialog').getByLabel(field, { exact: true }).fill(text)
        await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()
        await page.getByRole('dialog').waitFor({ state: 'hidden' })
        await settled()
      }
      await say('New dashboard', 'Name', 'Board', 'Create')
      await page.getByRole('heading', { level: 1, name: 'Board' }).waitFor()
      const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''

      await go('/explore?range=last-6-months&metric=mrr&dimensions=currency&filter=currency=USD')
      await page.getByRole('heading', { level: 1, name: 'Explore' }).waitFor()
      await settled()
      await page.getByRole('button', { name: 'Save as chart' }).click()
      expect(await accessibility()).toEqual([])
      await page.getByRole('dialog').getByLabel('Name').fill('Dollars')
      await page.getByRole('dialog').getByLabel('Dashboard').selectOption('Board')
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await page.getByRole('link', { name: 'Saved to dashboard' }).click()
      await page.getByRole('heading', { level: 2, name: 'Dollars' }).waitFor()
      await settled()
      expect(await orderOf(id)).toEqual(['Charts: Dollars'])
      const config = readChartConfig((await boardOf(id)).sections[0]?.charts[0]?.chart.config ?? {})
      expect(config).toMatchObject({
        path: '/api/metrics/mrr',
        query: { range: 'last-6-months', dimensions: 'currency', filter: ['currency=USD'], interval: 'month' },
        groups: ['currency'],
        explore: { metric: 'mrr', range: 'last-6-months' },
      })
      const points = (await served.ask(
        '/api/metrics/mrr?range=last-6-months&interval=month&dimensions=currency&filter=currency%3DUSD',
      )) as { mrr: number }[]
      await page.getByRole('button', { name: 'Table', exact: true }).click()
      const value = formatValue(points.at(-1)?.mrr ?? 0, 'money', { currency: 'USD', precise: true })
      await page.getByRole('region', { name: 'Dollars' }).getByText(value, { exact: true }).first().waitFor()

      await page.getByRole('button', { name: 'Edit' }).click()
      await say('Rename', 'Name', 'US dollars', 'Rename')
      await say('Add section', 'Title', 'Later', 'Add')
      await say('Rename section', 'Title', 'Money', 'Rename')
      await say('Rename dashboard', 'Name', 'Board of mine', 'Rename')
      await page.getByRole('heading', { level: 1, name: 'Board of mine' }).waitFor()
      expect(await orderOf(id)).toEqual(['Money: US dollars', 'Later: '])
      await page.getByRole('button', { name: 'Move section Later up' }).click()
      await expect.poll(() => orderOf(id)).toEqual(['Later: ', 'Money: US dollars'])
      await page.getByRole('button', { name: 'Remove' }).click()
      await expect.poll(() => orderOf(id)).toEqual(['Later: ', 'Money: '])
      const later = page.getByRole('region', { name: 'Later' })
      await later.getByRole('button', { name: 'Add chart' }).click()
      await page.getByRole('menuitemradio', { name: 'US dollars' }).click()
      await expect.poll(() => orderOf(id)).toEqual(['Later: US dollars', 'Money: '])
      await page.getByRole('button', { name: 'Delete dashboard' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete dashboard' }).click()
      await page.getByRole('heading', { level: 1, name: 'Dashboards' }).waitFor()
      await settled()
      await page.getByRole('table', { name: 'Saved charts' }).getByText('US dollars').waitFor()
      expect(await accessibility()).toEqual([])
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await expect.poll(() => served.ask('/api/charts')).toEqual([])
      expect(await served.ask('/api/dashboards')).toEqual([])
      expect(problems).toEqual([])
    })

    it('charts are moved by keyboard and by dragging, and what cannot be read says so', async () => {
      const id = await prepared()
      const { page, settled, problems, accessibility, overflow } = await served.show(`/dashboards/${id}`)
      await page.getByText('This chart can’t be displayed').waitFor()
      await page.getByRole('button', { name: 'Edit' }).press('Enter')
      const handle = (name: string) => page.getByRole('button', { name: `Move ${name} with the arrow keys` })
      await handle('A').focus()
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => orderOf(id)).toEqual(['First: B, A', 'Second: C'])
      await expect.poll(() => handle('A').evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
      // Past the end of its section the chart is in the next one, and keeps the focus.
      await page.keyboard.press('ArrowDown')
      await expect.poll(() => orderOf(id)).toEqual(['First: B', 'Second: A, C'])
      await expect.poll(() => handle('A').evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
      await page.keyboard.press('ArrowDown')
      await expect.poll(() => orderOf(id)).toEqual(['First: B', 'Second: C, A'])

      await settled()
      const centre = async (name: string) => {
        const box = await handle(name).boundingBox()
        if (box === null) throw new Error(`${name} is not shown.`)
        return [box.x + box.width / 2, box.y + box.height / 2] as const
      }
      await page.mouse.move(...(await centre('A')))
      await page.mouse.down()
      await page.mouse.move(...(await centre('B')), { steps: 5 })
      await page.mouse.up()
      await expect.poll(() => orderOf(id)).toEqual(['First: A, B', 'Second: C'])
      await settled()
      expect(await accessibility()).toEqual([])

      // The focus stays on a button that moves with its section, that is at its end, or whose chart is gone.
      const press = async (name: string, place = 0) => {
        await page.getByRole('button', { name, exact: true }).nth(place).focus()
        await page.keyboard.press('Enter')
      }
      const isAt = async (name: string, place = 0) => {
        const one = page.getByRole('button', { name, exact: true }).nth(place)
        await expect.poll(() => one.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true)
      }
      await press('Move section Second up')
      await expect.poll(() => orderOf(id)).toEqual(['Second: C', 'First: A, B'])
      await isAt('Move section Second up')
      await page.keyboard.press('Enter')
      await isAt('Move section Second up')
      await page.getByRole('status').getByText('Second is section 1 of 2').waitFor()
      await press('Move section Second down')
      await isAt('Move section Second down')
      await expect.poll(() => orderOf(id)).toEqual(['First: A, B', 'Second: C'])
      await press('Rename section')
      await page.getByRole('dialog').getByLabel('Title').fill('Earlier')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Earlier' }).waitFor()
      await isAt('Rename section')
      await press('Remove')
      await expect.poll(() => orderOf(id)).toEqual(['Earlier: B', 'Second: C'])
      await isAt('Move B with the arrow keys')
      await page.setViewportSize({ width: NARROW, height: HEIGHT })
      expect(await overflow()).toBe(0)
      expect(problems).toEqual([])
    })

    it('a level that was saved follows the days that it was saved with', async () => {
      const { page, beginAt } = await served.show('/explore?range=last-3-months&metric=mrr&view=total')
      await page.getByRole('button', { name: 'Save as chart' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill('MRR at the end')
      await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('link', { name: 'Saved', exact: true }).waitFor()
      const shown = await page.locator('.headline-value').innerText()
      const charts = (await served.ask('/api/charts')) as components['schemas']['Chart'][]
      const chart = charts.find(({ name }) => name === 'MRR at the end')
      expect(chart?.config['query']).toEqual({})
      const { id } = await post('/api/dashboards', { name: 'Levels' })
      const section = await post(`/api/dashboards/${id}/sections`, { title: 'One' })
      await post(`/api/dashboards/${id}/charts`, { saved_chart_id: chart?.id, section_id: section.id })
      await beginAt(`/dashboards/${id}`)
      expect(await page.locator('.headline-value').innerText()).toBe(shown)
    })

    it('a number leads to what it is made of, also that of a group without a value, whose sum it is', async () => {
      const { id } = await post('/api/dashboards', { name: 'Made of' })
      const section = await post(`/api/dashboards/${id}/sections`, { title: 'One' })
      const explore = { metric: 'mrr', view: 'total', dimensions: 'attr.channel' }
      const query = { dimensions: 'attr.channel', order: '-mrr' }
      const config = { ...NUMBER, query, form: 'table', groups: ['attr.channel'], isLevel: true, explore }
      const chart = await post('/api/charts', { name: 'By channel', config })
      await post(`/api/dashboards/${id}/charts`, { saved_chart_id: chart.id, section_id: section.id })
      const { page, settled, problems } = await served.show(`/dashboards/${id}`)
      // Without a range, a level is the current one.
      const rows = (await served.ask('/api/metrics/mrr?dimensions=attr.channel')) as {
        'attr.channel': string | null
        mrr: number
      }[]
      const none = rows.find((row) => row['attr.channel'] === null)?.mrr ?? 0
      expect(none).toBeGreaterThan(0)
      const value = formatValue(none, 'money', { currency: 'USD', precise: true })
      await page.getByRole('region', { name: 'By channel', exact: true }).getByRole('button', { name: value }).click()
      await settled()
      const panel = page.getByRole('dialog', { name: 'MRR · Channel: No value' })
      expect(await panel.locator('.panel-total .figure').innerText()).toBe(value)
      // The side panel and the search return the focus.
      const number = page.getByRole('region', { name: 'By channel', exact: true }).getByRole('button', { name: value })
      const isBack = () => expect.poll(() => number.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
      await page.keyboard.press('Escape')
      await isBack()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search pages, metrics, customers and segments' }).waitFor()
      await page.keyboard.press('Escape')
      await isBack()
      expect(problems).toEqual([])
    })

    it('fills the screen without its menu, and the menu is back on another page', async () => {
      const { id } = await post('/api/dashboards', { name: 'Wall' })
      const { page } = await served.show(`/dashboards/${id}`)
      const menu = page.getByRole('navigation', { name: 'Pages' })
      await page.getByRole('button', { name: 'Full screen' }).click()
      await menu.waitFor({ state: 'hidden' })
      await page.getByRole('link', { name: 'Explore' }).click()
      await menu.waitFor()
    })
  })
}

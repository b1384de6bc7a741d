import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import jsonata from 'jsonata'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { packageRoot } from '../../src/core/package-root.ts'
import { type GuardedService, openGuardedService } from '../support/product/guarded-service.ts'

interface Target {
  readonly datasource: { readonly type: string; readonly uid: string }
  readonly parser: string
  readonly url: string
  readonly root_selector: string
  readonly columns: readonly { readonly selector: string; readonly text: string; readonly type: string }[]
}
interface Panel {
  readonly id: number
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets: readonly Target[]
}

const DAYS = { from: '2026-01-01', to: '2026-10-31' }
const read = (name: string) => readFileSync(join(packageRoot(), 'examples', 'grafana', name), 'utf8')
const board = JSON.parse(read('plumbline.json')) as {
  readonly panels: readonly Panel[]
  readonly annotations: { readonly list: readonly { readonly enable: boolean; readonly target: Target }[] }
}
const targets = board.panels.flatMap((panel) =>
  panel.targets.map((target, place) => ({ name: `${panel.title} ${place}`, target })),
)

let service: GuardedService
let secret: string
let writer: string
beforeAll(async () => {
  service = await openGuardedService()
  secret = (await service.makeKey(['read:aggregate'])).secret
  writer = (await service.makeKey(['write'])).secret
})
afterAll(() => service?.close())

/** The answer of the service to a reader of numbers. */
async function asked(path: string, key = secret): Promise<unknown> {
  const response = await service.app.request(path, { headers: { authorization: `Bearer ${key}` } })
  expect(response.status, await response.clone().text()).toBe(200)
  expect(response.headers.get('x-warnings') ?? '').not.toContain('unused_parameter')
  return response.json()
}

/** The rows that the plugin makes of an answer: the days of the panel in the address, and then the expression. */
async function rowsOf({ url, root_selector }: Target, key = secret): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const path = url.replace(/\$\{__(from|to):date:YYYY-MM-DD\}/g, (_, end: 'from' | 'to') => DAYS[end])
  expect(path).not.toContain('$')
  return (await jsonata(root_selector).evaluate(await asked(path, key))) as readonly Readonly<Record<string, unknown>>[]
}

const find = (title: string): readonly Target[] => board.panels.find((panel) => panel.title === title)?.targets ?? []

describe('the dashboard for Grafana', () => {
  it.each(targets)('$name has a value of the declared type in each column', async ({ target }) => {
    const rows = await rowsOf(target)
    expect(Array.isArray(rows)).toBe(true)
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) {
      expect(Object.keys(row).sort()).toEqual(target.columns.map(({ selector }) => selector).sort())
      for (const { selector, type } of target.columns)
        if (type === 'timestamp') expect(row[selector]).toMatch(/^\d{4}-\d{2}-\d{2}T00:00:00Z$/)
        else expect(row[selector] === null || Number.isFinite(row[selector]), `${selector}: ${String(row[selector])}`).toBe(true)
    }
    expect(
      rows.some((row) => target.columns.some(({ selector }) => typeof row[selector] === 'number' && row[selector] !== 0)),
    ).toBe(true)
  })

  it('shows the numbers of the service: amounts in units, one row a month', async () => {
    const summary = (await asked(`/api/metrics/summary?end=${DAYS.to}`)) as Readonly<Record<string, number>>
    const figure = async (title: string) => (await rowsOf(find(title)[0] as Target))[0]?.['value']
    expect(await figure('MRR')).toBe((summary['mrr'] ?? 0) / 100)
    expect(await figure('NRR, 12 months')).toBe(summary['nrr_12_months'])
    const [mrr] = board.panels.filter(({ targets: [one] }) => one?.url.startsWith('/api/metrics/mrr?'))
    const months = (await asked(`/api/metrics/mrr?start=${DAYS.from}&end=${DAYS.to}&interval=month`)) as {
      period: string
      mrr: number
    }[]
    expect(await rowsOf(mrr?.targets[0] as Target)).toEqual(
      months.map((month) => ({ time: `${month.period}T00:00:00Z`, mrr: month.mrr / 100 })),
    )
    const steps = await rowsOf(find('Movements of MRR')[0] as Target)
    const moved = steps.map(({ time: _, ...parts }) => Object.values(parts).reduce((sum: number, part) => sum + Number(part), 0))
    const net = (await asked(`/api/metrics/mrr/waterfall?start=${DAYS.from}&end=${DAYS.to}&interval=month`)) as {
      net_change: number
    }[]
    expect(moved.map((sum) => Math.round(sum * 100))).toEqual(net.map(({ net_change }) => net_change))
  })

  it('shows notes as annotations to a key that may read them', async () => {
    const [notes] = board.annotations.list
    const target = notes?.target as Target
    expect(await rowsOf(target, writer)).toEqual([])
    const sent = { day: '2026-05-04', text: 'New prices "from" <May>' }
    const response = await service.app.request('/api/notes', {
      ...{ method: 'POST', body: JSON.stringify(sent) },
      headers: { authorization: `Bearer ${writer}`, 'content-type': 'application/json' },
    })
    expect(response.status).toBe(201)
    expect(await rowsOf(target, writer)).toEqual([{ time: '2026-05-04T00:00:00Z', text: sent.text }])
    // It is off at first, because the key of the guide reads numbers only.
    expect(notes?.enable).toBe(false)
  })

  it('reads one data source, which the plugin evaluates in its backend, so that alerts can use it', () => {
    const source = parse(read('datasource.yaml')).datasources[0]
    expect(source).toMatchObject({
      jsonData: { auth_method: 'bearerToken' },
      secureJsonData: { bearerToken: expect.stringContaining('PLUMBLINE_KEY') },
    })
    for (const { target } of targets) {
      expect(target.datasource).toEqual({ type: source.type, uid: source.uid })
      expect(target.parser).toBe('backend')
    }
  })

  it('has panels that do not cover each other, each with an id of its own', () => {
    expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length)
    const cells = board.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, place) => `${x + (place % w)},${y + Math.floor(place / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(Math.max(...board.panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24)
  })
})

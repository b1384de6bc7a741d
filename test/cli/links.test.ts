import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProduct } from '../../src/app/bin/product.ts'
import type { Product } from '../../src/facades/cli/product.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { runOver } from './run-product.ts'

oneEngineInRotation('plumbline links', (target) => {
  let directory: string
  let product: Product
  let open: Product
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'plumbline-links-test-'))
    const { url } = await sharedReal(target)
    const settings = [
      ...['[database]', `url = ${JSON.stringify(url)}`, '[connector]', 'tenant = "alpha"'],
      ...['[definitions]', 'base_currency = "USD"', '[cache]', 'mode = "off"', '[clock]', 'now = "2026-11-21T00:00:00Z"'],
      ...['[server]', 'public_origin = "https://plumbline.example.com"', '[store]', 'workspace = "one"'],
    ]
    await writeFile(join(directory, 'plumbline.toml'), settings.join('\n'))
    product = createProduct({ environment: { AUTH_ENABLED: 'true' }, cwd: directory, home: undefined })
    open = createProduct({ environment: {}, cwd: directory, home: undefined })
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))
  const run = (...words: readonly string[]) => runOver(product, ['links', ...words])

  it('creates, lists and revokes links, which the service opens', async () => {
    const opened = await product.open({})
    try {
      const { engine } = opened
      const boards = engine.dashboards({ id: 'ann', name: 'Ann', sees: 'own', isAdministrator: false })
      const { id } = await boards.create({ name: 'Monday' })
      const section = await boards.addSection(id, { title: 'one' })
      const config = { version: 1, path: '/api/metrics/churn', query: { range: 'last-month', query_type: 'logo' }, form: 'table' }
      const chart = await engine
        .charts('ann')
        .create({ name: 'Churn', config: { ...config, measure: 'logo_churn_rate', groups: [], explore: {} } })
      await boards.place(id, { saved_chart_id: chart.id, section_id: section.id })
      expect((await run('list')).stdout).toBe('(no links)\n')

      const made = await run('create', 'Monday', '--expires-at', '2027-11-01')
      expect(made.code, made.stderr).toBe(0)
      const [, token = ''] =
        /^https:\/\/plumbline\.example\.com\/shared#(pll_[\w-]{43})\nMonday: live, ends at 2027-11-01T/.exec(made.stdout) ?? []
      expect(made.stderr).toContain('The link is shown only once.')
      const { link, shown } = await engine.links.open(token, 'page')
      expect([link.names, link.creator.kind, 'dashboard' in shown && shown.dashboard.name]).toEqual([
        false,
        'command_line',
        'Monday',
      ])

      const fixed = await run('create', id, '--fixed', '--json')
      const { token: kept, address, moment } = JSON.parse(fixed.stdout)
      expect([moment, address]).toEqual(['fixed', `https://plumbline.example.com/shared#${kept}`])
      const { shown: page } = await engine.links.open(kept, 'page')
      expect(page).toMatchObject({ kept: { briefing: { title: 'Monday', blocks: [{ title: 'Churn' }] } } })
      const feed = await run('create', '--chart', chart.id)
      expect(feed.stdout).toMatch(/^https:\/\/plumbline\.example\.com\/feed\/pll_[\w-]{43}\.csv\nChurn: live/)

      const listed = JSON.parse((await run('list', '--json')).stdout)
      expect(listed.map(({ name, kind, created_by }: Record<string, unknown>) => [name, kind, created_by])).toEqual([
        ['Churn', 'feed', 'command_line'],
        ['Monday', 'page', 'command_line'],
        ['Monday', 'page', 'command_line'],
      ])
      expect(JSON.stringify(listed)).not.toContain(token)
      expect((await run('revoke', link.id)).stdout).toBe('Revoked\n')
      await expect(engine.links.open(token, 'page')).rejects.toThrow('This link does not exist, has expired or was revoked.')
      const again = await run('revoke', link.id)
      expect([again.code, again.stderr]).toEqual([3, expect.stringContaining('No open link has this id.')])
    } finally {
      await opened.close()
    }
  })

  it.each([
    [['create'], 2, 'a link needs a dashboard, or --chart with the id of a saved chart'],
    [['create', 'Monday', '--chart', 'x'], 2, 'a link needs a dashboard, or --chart'],
    [['create', 'Tuesday'], 3, 'No dashboard has the name or id "Tuesday".'],
    [['create', 'Monday', '--expires-at', '2999-01-01'], 3, 'at most a year ahead'],
    [['create', 'Monday', '--fixed', '--names'], 3, 'A feed and a fixed page show no customers'],
  ])('refuses %s', async (words, exit, message) => {
    const { code, stdout, stderr } = await run(...words)
    expect([code, stdout]).toEqual([exit, ''])
    expect(stderr).toContain(message)
  })

  it('makes no link where nobody signs in, and says so', async () => {
    const { code, stderr } = await runOver(open, ['links', 'create', 'Monday'])
    expect([code, stderr]).toEqual([3, expect.stringContaining('Links need sign-in (auth.enabled = true).')])
  })
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProduct } from '../../src/app/bin/product.ts'
import { once } from '../../src/core/async.ts'
import type { OpenProduct, Product } from '../../src/facades/cli/product.ts'
import type { Briefing, Figure } from '../../src/facades/presentation/briefing/briefing.ts'
import { briefingHtml } from '../../src/facades/presentation/briefing/html.ts'
import { briefingSlack } from '../../src/facades/presentation/briefing/slack.ts'
import { briefingText } from '../../src/facades/presentation/briefing/text.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { type StorePlace, storePlace } from '../support/databases/store-places.ts'
import { runOver } from './run-product.ts'

const HOSTILE = ['"><script>alert(1)</script>', '=HYPERLINK("http://evil.example")', '<!channel> & <https://evil.example|free>']

oneEngineInRotation('notes and goals on the command line', (target) => {
  let folder: string
  let place: StorePlace
  let environment: Record<string, string>
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumbline-cli-'))
    place = await storePlace('sqlite')
    environment = {
      PLUMBLINE_DATABASE_URL: (await sharedReal(target)).url,
      PLUMBLINE_CONNECTOR_TENANT: 'alpha',
      PLUMBLINE_NOW: '2026-11-20T23:59:59Z',
      PLUMBLINE_STORE_URL: place.url,
      PLUMBLINE_DEFINITIONS_BASE_CURRENCY: 'USD',
      PLUMBLINE_CACHE_MODE: 'off',
    }
    await writeFile(
      join(folder, 'rates.csv'),
      'date,from,to,rate\n2020-01-01,EUR,USD,1.1\n2020-01-01,GBP,USD,1.2\n2020-01-01,JPY,USD,0.007\n',
    )
    await run('fx', 'import', join(folder, 'rates.csv'))
  })
  afterAll(async () => {
    await end()
    await place.remove()
    await rm(folder, { recursive: true, force: true })
  })
  /** Command lines with the same settings share one engine. */
  let shared: { readonly settings: object; readonly product: Product; readonly opened: () => Promise<OpenProduct> } | undefined
  const end = async () => {
    await (await shared?.opened())?.close()
    shared = undefined
  }
  const run = async (...argv: readonly string[]) => {
    if (shared?.settings !== environment) {
      await end()
      const real = createProduct({ environment, cwd: folder, home: undefined })
      const opened = once(() => real.open({}))
      shared = {
        settings: environment,
        opened,
        product: { ...real, open: async () => ({ ...(await opened()), close: async () => {} }) },
      }
    }
    return runOver(shared.product, argv)
  }
  const json = async (...argv: readonly string[]) => {
    const { code, stdout, stderr } = await run(...argv, '--format', 'json')
    return { code, body: JSON.parse(code === 0 ? stdout : stderr) }
  }

  it('notes are added to days in words, listed and removed', async () => {
    expect(await run('notes', 'list')).toMatchObject({ code: 0, stdout: '(no notes)\n' })
    const { body } = await json('notes', 'add', 'yesterday', 'New prices', '--metric', 'mrr')
    expect(body).toMatchObject({ day: '2026-11-19', text: 'New prices', metric: 'mrr', tenant: null, created_by: null })
    await json('notes', 'add', '2026-10-05', 'Fair', '--tenant', 'alpha')
    expect((await run('notes', 'list')).stdout).toMatch(/2026-10-05 +Fair .*alpha.*\n2026-11-19 +New prices +mrr/)
    expect((await json('notes', 'list', '--start', '2026-11', '--end', '2026-11')).body).toMatchObject([{ text: 'New prices' }])
    expect((await json('notes', 'list', '--metric', 'churn')).body).toMatchObject([{ text: 'Fair' }])
    const csv = (await run('notes', 'list', '--format', 'csv')).stdout
    expect(csv.split('\r\n')[0]).toBe('id,day,text,metric,tenant,created_by,created_at,updated_at,warnings')
    expect(await run('notes', 'remove', body.id)).toMatchObject({ code: 0, stdout: 'Removed\n' })
    expect(await json('notes', 'remove', body.id)).toMatchObject({ body: { code: 'not_found' } })
    expect(await json('notes', 'add', 'someday', 'x')).toMatchObject({ code: 3, body: { issues: [{ where: 'body.day' }] } })
    expect(await json('notes', 'add', '2026-10-05', 'x', '--metric', 'mr')).toMatchObject({
      body: { issues: [{ did_you_mean: ['mrr'] }] },
    })
  })

  it('a note cannot write to the terminal, and a formula stays text in a file', async () => {
    const { body } = await json('notes', 'add', '2026-01-05', HOSTILE[1] ?? '')
    const csv = (await run('notes', 'list', '--end', '2026-01-31', '--format', 'csv')).stdout
    expect(csv).not.toMatch(/(^|,)"?=HYPERLINK/m)
    expect(await json('notes', 'add', '2026-01-05', 'a\u001b[31mb')).toMatchObject({ code: 3 })
    await run('notes', 'remove', body.id)
  })

  it('goals are set as people write them, changed, listed and removed', async () => {
    expect(await run('goals', 'list')).toMatchObject({ code: 0, stdout: '(no goals)\n' })
    expect((await run('goals', 'set', 'mrr', '2026-12', '60000')).stdout).toMatch(
      /^MRR, 2026-12: 60,000\.00 USD {2}[0-9a-f-]{36}\n$/,
    )
    const { body } = await json('goals', 'set', 'mrr', '2026-12', '61000.5')
    expect(body).toMatchObject({ value: 6_100_050, currency: 'USD', period: '2026-12' })
    expect((await json('goals', 'set', 'logo_churn', '2026-Q4', '2.5%')).body).toMatchObject({
      value: 0.025,
      measure: 'logo_churn_rate',
    })
    expect((await json('goals', 'set', 'retention', '2026-10', '1.05', '--query-type', 'nrr')).body).toMatchObject({
      value: 1.05,
    })
    const narrowed = await json(
      'goals',
      'set',
      'customers',
      '2026-Q4',
      '12',
      '--filter',
      'tenant=alpha',
      '--filter',
      'customer_country=DE',
    )
    expect(narrowed.body.filter).toEqual(['customer_country=DE', 'tenant=alpha'])
    const { stdout } = await run('goals', 'list')
    expect(stdout).toMatch(/MRR +2026-12 +61,000\.50 USD/)
    expect(stdout).toMatch(/Logo churn +2026-Q4 +2\.50%/)
    expect(await json('goals', 'set', 'mrr', '2026-12', 'many')).toMatchObject({
      code: 3,
      body: { issues: [{ where: 'body.value' }] },
    })
    expect(await json('goals', 'set', 'mrr', 'soon', '1')).toMatchObject({
      code: 3,
      body: { issues: [{ where: 'body.period' }] },
    })
    expect(await json('goals', 'set', 'mrr', '2026-12', '1', '--query-type', 'breakdown')).toMatchObject({
      body: { detail: expect.stringContaining('Goals are for') },
    })
    for (const { id } of (await json('goals', 'list')).body) expect((await run('goals', 'remove', id)).code).toBe(0)
  })

  it('an import shows in a dry run what it would do', async () => {
    const file = join(folder, 'goals.csv')
    await writeFile(file, 'metric,period,value\nmrr,2026-12,60000\ncustomers,2026-Q4,120\n')
    expect((await run('goals', 'import', file, '--dry-run')).stdout).toMatch(
      /^Nothing is written\. The file would set 2 new, 0 changed, 0 unchanged\ngoal +period +value *\nMRR +2026-12 +60,000\.00 USD\nPaying customers +2026-Q4 +120\n/,
    )
    expect((await json('goals', 'list')).body).toEqual([])
    expect((await run('goals', 'import', file)).stdout).toBe('2 new, 0 changed, 0 unchanged, 2 rows read\n')
    await writeFile(file, 'metric,period,value\nmrr,2026-12,1\nwhat,2026-Q4,120\n')
    expect(await json('goals', 'import', file)).toMatchObject({
      code: 3,
      body: { code: 'invalid_csv', issues: [{ where: 'body.file[2].metric' }] },
    })
    for (const { id } of (await json('goals', 'list')).body) await run('goals', 'remove', id)
  })

  it('every form of a briefing has the notes of its days and the goals of its figures, as text', async () => {
    const before = (await json('report', 'weekly')).body as Briefing
    for (const text of HOSTILE) await run('notes', 'add', '2026-11-12', text)
    await run('notes', 'add', '2026-11-08', 'Before the week')
    const figures = (briefing: Briefing) => briefing.blocks.flatMap((block) => (block.kind === 'figures' ? block.figures : []))
    const mrr = figures(before).find(({ title }) => title === 'MRR')
    // 97.5 % is shown as 97 %, because a goal is reached at 100 %.
    const wanted = Math.round(Number(mrr?.value) / 0.975)
    await run('goals', 'set', 'mrr', '2026-11', String(wanted / 100))
    await run('goals', 'set', 'customers', '2026-Q4', '1')
    await run('goals', 'set', 'mrr', '2026-10', '1')
    // Retention of twelve months is not that of a month.
    await run('goals', 'set', 'retention', '2026-11', '1', '--query-type', 'nrr')
    const briefing = (await json('report', 'weekly')).body as Briefing
    const without = (figure: Figure) => ({ ...figure, goal: undefined })
    expect(figures(briefing).map(without)).toEqual(figures(before).map(without))
    const goalOf = (title: string) => figures(briefing).find((figure) => figure.title === title)?.goal
    expect(goalOf('MRR')).toMatchObject({ period: '2026-11', value: wanted, isRunning: true, share: expect.closeTo(0.975, 5) })
    expect(goalOf('Paying customers')).toMatchObject({ period: '2026-Q4', value: 1, isRunning: true })
    expect(figures(briefing).filter(({ goal }) => goal !== undefined)).toHaveLength(2)
    const notes = briefing.blocks.find(({ title }) => title === 'Notes')
    expect(notes).toMatchObject({
      kind: 'sentences',
      sentences: expect.arrayContaining(HOSTILE.map((text) => `2026-11-12: ${text}`)),
    })
    expect(notes?.kind === 'sentences' && notes.sentences).toHaveLength(HOSTILE.length)
    const others = ({ blocks }: Briefing) => blocks.filter(({ kind, title }) => kind !== 'figures' && title !== 'Notes')
    expect(others(briefing)).toEqual(others(before))

    const text = briefingText(briefing)
    for (const note of HOSTILE) expect(text).toContain(`2026-11-12: ${note}\n`)
    expect(text).not.toContain('Before the week')
    expect(text).toMatch(/^MRR .*97% of the goal of 2026-11 \(running\): [\d,.]+ USD$/m)
    const html = briefingHtml(briefing)
    expect(html).not.toContain('<script>alert')
    expect(html).toContain('2026-11-12: &quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).toMatch(/97% of the goal of 2026-11 \(running\): [\d,.]+ USD/)
    const slack = JSON.stringify(briefingSlack(briefing))
    expect(slack).not.toMatch(/<!channel>|<https:/)
    expect(slack).toMatch(/97% of the goal of 2026-11/)

    const board = (await json('report', 'board')).body as Briefing
    expect(board.blocks.find(({ title }) => title === 'Notes')).toMatchObject({ sentences: ['2026-10-05: Fair (alpha)'] })
    const met = figures(board).flatMap(({ title, goal }) => (goal === undefined ? [] : [[title, goal.period, goal.isRunning]]))
    expect(met).toEqual([
      ['MRR', '2026-10', false],
      ['Paying customers', '2026-Q4', true],
    ])
  })

  it('a goal in another currency is named in a briefing and not compared', async () => {
    environment = { ...environment, PLUMBLINE_DEFINITIONS_BASE_CURRENCY: 'EUR' }
    await writeFile(
      join(folder, 'rates.csv'),
      'date,from,to,rate\n2020-01-01,USD,EUR,0.9\n2020-01-01,GBP,EUR,1.1\n2020-01-01,JPY,EUR,0.006\n',
    )
    await run('fx', 'import', join(folder, 'rates.csv'))
    const { blocks, warnings } = (await json('report', 'weekly')).body as Briefing
    const [first] = blocks
    expect(first?.kind === 'figures' && first.figures[0]?.goal).toBeUndefined()
    expect(warnings).toContain(
      'MRR, 2026-11: The goal is in USD, and the base currency is EUR: it is not compared. Set it again.',
    )
  })

  it('without a store there are none, and a briefing does without', async () => {
    environment = { ...environment, PLUMBLINE_DEFINITIONS_BASE_CURRENCY: 'USD', PLUMBLINE_STORE_URL: 'none' }
    for (const words of [
      ['notes', 'list'],
      ['goals', 'list'],
      ['notes', 'add', 'today', 'x'],
      ['goals', 'set', 'mrr', '2026-10', '1'],
    ])
      expect((await json(...words)).body).toMatchObject({ code: 'unsupported_by_connector' })
    const { code, body } = await json('report', 'weekly')
    // Without a store there are no exchange rates either.
    if (code === 0) expect((body as Briefing).blocks.some(({ title }) => title === 'Notes')).toBe(false)
    else expect(body.code).toBe('missing_fx_rate')
  })
})

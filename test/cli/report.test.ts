import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProduct } from '../../src/app/bin/product.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Product } from '../../src/facades/cli/product.ts'
import type { Block, Briefing } from '../../src/facades/presentation/briefing/briefing.ts'
import { figureText, valueText } from '../../src/facades/presentation/briefing/values.ts'
import { loadReal } from '../support/data/killbill/load-killbill.ts'
import { literal } from '../support/data/killbill/sql-literals.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { mailServer } from '../support/product/mail-server.ts'
import { readPdf } from '../support/product/pdf-text.ts'
import { slackDouble } from '../support/product/slack-double.ts'
import { runOver } from './run-product.ts'

/** Names that are markup, a formula, a mention or a second header wherever they are not text. */
const HOSTILE = [
  '<!channel> & <https://evil.example|free>',
  '"><script>alert(1)</script>',
  '=HYPERLINK("http://evil.example")',
  'a\r\nBcc: all@evil.example',
  '```\n*bold*',
]

/** The texts of a document, as a reader sees them. */
function textOf(html: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" }
  return html
    .replace(/<style>.*?<\/style>/gs, '')
    .replace(/<[^>]*>/g, '\n')
    .replace(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => entities[name] ?? '')
}

/** Everything that a block says, in the words of every form. */
function saidBy(block: Block, currency: string): readonly string[] {
  switch (block.kind) {
    case 'sentences':
      return block.sentences
    case 'figures':
      return block.figures.flatMap((figure) => [figure.title, figureText(figure, currency)])
    case 'table':
      return block.rows.flatMap((row) => row.map((value, index) => valueText(value, block.columns[index]?.unit, currency)))
  }
}

oneEngineInRotation('plumbline report', (target) => {
  let directory: string
  let database: TestDatabase
  let product: Product
  let mail: Awaited<ReturnType<typeof mailServer>>
  let slack: Awaited<ReturnType<typeof slackDouble>>
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'plumbline-report-test-'))
    database = await target.createDatabase()
    await loadReal(database)
    ;[mail, slack] = [await mailServer(), await slackDouble()]
    const settings = [
      ...['[database]', `url = ${JSON.stringify(database.url)}`, '[connector]', 'tenant = "alpha"'],
      ...['[definitions]', 'base_currency = "USD"', '[cache]', 'mode = "off"', '[clock]', 'now = "2026-11-21T00:00:00Z"'],
      ...['[server]', 'public_origin = "https://plumbline.example.com"'],
      ...['[mail]', `url = ${JSON.stringify(mail.url)}`, 'from = "plumbline@example.com"', 'domains = ["example.com"]'],
      ...['[slack]', `webhook = ${JSON.stringify(slack.url)}`],
    ]
    await writeFile(join(directory, 'plumbline.toml'), settings.join('\n'))
    product = createProduct({ environment: {}, cwd: directory, home: undefined })
    const rates = await runOver(product, ['fx', 'import', join(packageRoot(), 'fixtures/killbill/real/expected/fx.csv')])
    expect(rates.code, rates.stderr).toBe(0)
  })
  afterAll(async () => {
    await Promise.all([mail.close(), slack.close(), rm(directory, { recursive: true, force: true })])
  })
  const report = (...words: readonly string[]) => runOver(product, ['report', ...words])
  const answered = async <T>(...words: readonly string[]) => {
    const { code, stdout, stderr } = await runOver(product, [...words, '--format', 'json'])
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout) as T
  }
  const briefingOf = (name: string) => answered<Briefing>('report', name)

  it('has the numbers of the commands, of the last week from Monday to Sunday', async () => {
    const { blocks, days, data_through, base_currency, left_out } = await briefingOf('weekly')
    expect([days, data_through, base_currency, left_out]).toEqual([
      { start: '2026-11-09', end: '2026-11-15' },
      '2026-11-21T00:00:00.000Z',
      'USD',
      [],
    ])
    const [week, before] = [
      await answered<Record<string, number>>('summary', '--end', '2026-11-15'),
      await answered<Record<string, number>>('summary', '--end', '2026-11-08'),
    ]
    const values = (place: number) => {
      const block = blocks[place]
      return block?.kind === 'figures' ? block.figures.map(({ value }) => value) : []
    }
    const names = ['mrr', 'net_new_mrr_so_far', 'nrr_12_months', 'active_customers']
    expect(values(0)).toEqual(names.map((name) => week[name]))
    const mrr = blocks[0]?.kind === 'figures' ? blocks[0].figures[0] : undefined
    expect(mrr?.change).toBe((week['mrr'] ?? 0) - (before['mrr'] ?? 0))
    const why = await answered<{ readonly sentences: readonly string[]; readonly movers: readonly { readonly text: string }[] }>(
      ...['why', '--start', '2026-11-09', '--end', '2026-11-15', '--limit', '5'],
    )
    expect(blocks[1]).toMatchObject({ sentences: [...why.sentences, ...why.movers.map(({ text }) => text)] })
    expect(blocks[2]).toMatchObject({ title: 'Trials that end by 2026-11-27', rows: expect.arrayContaining([expect.any(Array)]) })
    const renewals = await answered<{ readonly total: number; readonly rows: readonly Record<string, unknown>[] }>(
      ...['renewals', '--start', '2026-11-22', '--end', '2026-12-21', '--term', 'contract', '--limit', '10'],
    )
    expect(blocks[3]).toMatchObject({
      title: 'Contracts that renew by 2026-12-21',
      rows: renewals.rows.map((row) =>
        ['renews_on', 'customer_name', 'plan_id', 'quantity', 'mrr_base_cents'].map((name) => row[name]),
      ),
      more: renewals.total - 10,
    })
    const health = await answered<Record<string, number>>('billing-health')
    expect(values(4)).toEqual([health['monthly_unbilled_base_cents'], health['at_stake_base_cents']])
    expect(blocks).toHaveLength(5)
  })

  it('has the year of a board, each month and cohort once', async () => {
    const { blocks, days } = await briefingOf('board')
    expect(days).toEqual({ start: '2025-11-01', end: '2026-10-31' })
    const rowsOf = (title: string) =>
      blocks.flatMap((block) => (block.title === title && block.kind === 'table' ? block.rows : []))
    const series = await answered<readonly { readonly period: string; readonly mrr: number }[]>(
      ...['mrr', '--start', days.start, '--end', days.end, '--interval', 'month'],
    )
    expect(rowsOf('MRR by month')).toEqual(series.map(({ period, mrr }) => [period.slice(0, 7), mrr]))
    const steps = rowsOf('Movements of MRR')
    for (const [, ...moved] of steps)
      expect(moved.slice(0, -1).reduce((sum: number, one) => sum + Number(one), 0)).toBe(moved.at(-1))
    expect(steps).toHaveLength(12)
    const largest = rowsOf('The 10 largest customers').map(([, mrr]) => Number(mrr))
    expect(largest).toEqual(largest.toSorted((a, b) => b - a))
    expect(largest).toHaveLength(10)
    const [oldest] = rowsOf('Customers left of each cohort, by months since')
    expect([oldest?.[0], oldest?.[2]]).toEqual(['2025-11', 1])
  })

  it.each(['weekly', 'board'])('%s says the same in each form, and names of customers stay text in all', async (name) => {
    const named = await database.adminQuery(`select record_id, name from accounts order by record_id`)
    for (const [index, text] of HOSTILE.entries())
      await database.adminQuery(
        `update accounts set name = ${literal(text, 'text', target.dialect.name)} where record_id % ${HOSTILE.length} = ${index}`,
      )
    try {
      const briefing = await briefingOf(name)
      const said = briefing.blocks
        .flatMap((block) => saidBy(block, briefing.base_currency))
        .map((text) => text.replace(/\s+/g, ' ').trim())
      expect(said.length).toBeGreaterThan(40)
      expect(said.some((text) => text.includes('<script>'))).toBe(true)
      const flat = (text: string) => text.replace(/\s+/g, ' ')

      const text = flat((await report(name)).stdout)
      for (const one of said) expect(text).toContain(one)

      await report(name, '-o', join(directory, 'report.html'))
      const html = await readFile(join(directory, 'report.html'), 'utf8')
      const shown = flat(textOf(html))
      for (const one of said) expect(shown).toContain(one)
      expect(html).not.toContain('<script>')
      expect(html).not.toMatch(/(src|url\()\s*=?\s*["']?https?:/i)

      await report(name, '-o', join(directory, 'report.pdf'))
      const { pages } = await readPdf(await readFile(join(directory, 'report.pdf')))
      const printed = flat(pages.map((page) => page.text).join('\n')).replaceAll(' ', '')
      for (const one of said) expect(printed).toContain(one.replaceAll(' ', ''))

      const sent = await report(name, '--mail', 'a@example.com', '--mail', 'b@EXAMPLE.com', '--slack')
      expect([sent.code, sent.stdout], sent.stderr).toEqual([0, 'Mailed to a@example.com, b@EXAMPLE.com\nPosted to Slack\n'])
      const { to, mail: received } = mail.received.at(-1) ?? {}
      expect(to).toEqual(['a@example.com', 'b@example.com'])
      expect(received?.html?.trim()).toBe(html.trim())
      expect(flat(received?.text ?? '')).toContain(said[1])
      expect(received?.subject).toMatch(/^(The week from|Twelve months).*: MRR [\d,.]+ USD$/)
      expect([received?.from?.address, received?.bcc]).toEqual(['plumbline@example.com', undefined])
      expect(received?.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated')

      const post = slack.posts.at(-1)
      const posted = flat(JSON.stringify(post?.blocks))
      expect(posted).toContain(figureTextOf(briefing))
      expect(posted).not.toMatch(/<!channel>|<https:\/\/evil/)
      for (const block of post?.blocks ?? [])
        if (block.type === 'section') expect((block.text.text.match(/```/g) ?? []).length % 2, block.text.text).toBe(0)
    } finally {
      for (const row of named)
        await database.adminQuery(
          `update accounts set name = ${literal(row['name'] as string | null, 'text', target.dialect.name)} where record_id = ${row['record_id']}`,
        )
    }
  })

  it('makes one of a dashboard, by its name and by its id, in every form and to every channel', async () => {
    const opened = await product.open({})
    const viewer = { id: 'ann', name: 'Ann', sees: 'own', isAdministrator: false } as const
    const boards = opened.engine.dashboards(viewer)
    const name = 'Mon"><day\nBcc: all@evil.example <!channel>'
    const [board, same, weekly] = [
      await boards.create({ name }),
      await boards.create({ name: 'twice' }),
      await boards.create({ name: 'weekly' }),
    ]
    await boards.create({ name: 'twice' })
    try {
      const charts = opened.engine.charts('ann')
      const range = { range: 'last-month' }
      const kept = { version: 1, path: '/api/metrics/mrr', measure: 'mrr', groups: [], explore: range }
      const number = await charts.create({ name: 'MRR', config: { ...kept, query: {}, form: 'number', isLevel: true } })
      const series = {
        ...kept,
        path: '/api/metrics/mrr',
        query: { range: 'last-3-months', interval: 'month' },
        form: 'area',
        step: 'month',
      }
      const line = await charts.create({ name: 'by month', config: series })
      const gone = await charts.create({ name: 'gone', config: { other: 'program' } })
      for (const id of [board.id, weekly.id]) {
        const section = await boards.addSection(id, { title: 'one' })
        for (const [position, { id: chart }] of [number, line, gone].entries())
          await boards.place(id, { saved_chart_id: chart, section_id: section.id, position })
      }
      const briefing = await briefingOf(name)
      expect(briefing).toMatchObject({
        name: board.id,
        left_out: [{ title: 'gone', reason: 'Another program or another version of Plumbline has saved this chart.' }],
      })
      expect(await briefingOf(board.id)).toEqual(briefing)
      expect((await briefingOf('weekly')).name).toBe('weekly')
      expect((await briefingOf(weekly.id)).name).toBe(weekly.id)
      const level = await answered<number>('mrr', '--at', '2026-10-31')
      const months = await answered<readonly { readonly period: string; readonly mrr: number }[]>(
        ...['mrr', '--range', 'last-3-months', '--interval', 'month'],
      )
      expect(briefing.blocks).toMatchObject([
        { title: 'MRR', page: `dashboards/${board.id}`, figures: [{ value: level, days: 'at the end of 2026-10-31' }] },
        { title: 'by month', rows: months.map(({ period, mrr }) => [period, mrr]) },
      ])
      const said = briefing.blocks.flatMap((block) => saidBy(block, briefing.base_currency))
      const text = (await report(name)).stdout
      await report(name, '-o', join(directory, 'board.html'))
      const html = await readFile(join(directory, 'board.html'), 'utf8')
      for (const one of said) expect([text.includes(one), textOf(html).includes(one)], one).toEqual([true, true])
      expect(text).toContain('Without "gone": Another program')
      expect(html).not.toContain('"><day')
      const sent = await report(board.id, '--mail', 'a@example.com', '--slack')
      expect([sent.code, sent.stdout], sent.stderr).toEqual([0, 'Mailed to a@example.com\nPosted to Slack\n'])
      expect(mail.received.at(-1)?.to).toEqual(['a@example.com'])
      expect(JSON.stringify(slack.posts.at(-1)?.blocks)).not.toContain('<!channel>')
      const several = await report('twice')
      expect([several.code, several.stdout]).toEqual([3, ''])
      expect(several.stderr).toContain(`Several dashboards have the name "twice". Name one by its id:`)
      expect(several.stderr).toContain(same.id)
      const unknown = await report('monthly')
      expect([unknown.code, unknown.stdout]).toEqual([3, ''])
      expect(unknown.stderr).toContain('No dashboard has the name or id "monthly". The built-in briefings are weekly and board.')
    } finally {
      for (const { id } of await boards.list()) await boards.delete(id)
      await opened.close()
    }
  })

  it('sends the same briefing under the same id, and another one under another', async () => {
    const before = mail.received.length
    for (const name of ['weekly', 'weekly', 'board']) await report(name, '--mail', 'a@example.com')
    const [first, second, other] = mail.received.slice(before).map(({ mail: { messageId } }) => messageId)
    expect(first).toMatch(/^<weekly-2026-11-15\.[0-9a-f]{16}@example\.com>$/)
    expect([second, other === first]).toEqual([first, false])
  })

  it.each([
    [['weekly', '--mail', 'a@elsewhere.com'], 'a@elsewhere.com may not receive mails: mail.domains are example.com'],
    [['weekly', '--mail', 'a@example.com, b@elsewhere.com'], '--mail takes addresses such as finance@example.com'],
    [['weekly', '--format', 'csv'], '--format of a briefing is text, html, json, pdf, not "csv"'],
    [['weekly', '-o', 'week.csv'], '.csv is not a supported format; use .html, .htm, .json, .pdf or .txt'],
    [['weekly', '--mail', 'a@example.com', '-o', 'week.html'], '--mail and --slack have forms of their own: leave out --output'],
    [['weekly', '--slack', '--json'], '--mail and --slack have forms of their own: leave out --format and --json'],
    [['weekly', '--mail', 'a(b)@example.com'], '--mail takes addresses such as finance@example.com'],
  ])('refuses %s before anything is asked or sent', async (words, message) => {
    const before = mail.received.length
    const { code, stdout, stderr } = await report(...words)
    expect([code, stdout, mail.received.length]).toEqual([2, '', before])
    expect(stderr).toContain(message)
  })

  it('says why a mail was not taken, without the password', async () => {
    const { code, stderr } = await report('weekly', '--mail', 'gone@example.com')
    expect(code).not.toBe(0)
    expect(stderr).toContain(`The mail cannot be sent over ${mail.host}: it answers`)
    expect(stderr).toContain('No such mailbox')
    expect(stderr).not.toContain('hidden')
    const part = await report('weekly', '--mail', 'a@example.com', '--mail', 'gone@example.com')
    expect(part.stderr).toContain('it refuses gone@example.com; a@example.com received it')
  })

  it.each([
    ['another user', (url: string) => url.replace('plumbline:', 'nobody:'), 'it refuses the user or the password (535)'],
    ['nobody who listens', (url: string) => url.replace(/:\d+$/, ':9'), 'ECONNREFUSED'],
  ])('says why the server does not let it in: %s', async (_name, change, message) => {
    const environment = { PLUMBLINE_MAIL_URL: change(mail.url) }
    const other = createProduct({ environment, cwd: directory, home: undefined })
    const { code, stderr } = await runOver(other, ['report', 'weekly', '--mail', 'a@example.com'])
    expect(code).not.toBe(0)
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/hidden|cGx1bWJsaW5l/)
  })

  it.each([
    'smtp://u:100%@host',
    'smtps://u:pa#ss@host',
    'smtps://u:pa/ss@host',
    'smtp://host:99999',
    'smtp://host/path',
    'smtp://host?ignoreTLS=true',
    'http://mailer',
  ])('refuses the address %s of a mail server, and quotes no part of it', async (url) => {
    const other = createProduct({ environment: { PLUMBLINE_MAIL_URL: url }, cwd: directory, home: undefined })
    const { code, stderr } = await runOver(other, ['report', 'weekly'])
    expect(code).toBe(2)
    expect(stderr).toContain('mail.url')
    expect(stderr).not.toContain(url.replace(/^\w+:\/\//, ''))
  })

  it.each([
    [{ status: 404, body: 'no_service' }, 'it answers with status 404 (no_service)'],
    [{ status: 404, body: 'Cannot POST /services/T0/B0/hidden-secret' }, 'it answers with status 404.'],
    [{ status: 302, body: '', location: 'http://127.0.0.1:9/' }, 'it answers with status 302'],
  ])('says why Slack did not take it, without the address: %o', async (answer, message) => {
    slack.double.answer = answer
    try {
      const { code, stdout, stderr } = await report('weekly', '--slack')
      expect([code === 0, stdout]).toEqual([false, ''])
      expect(stderr).toContain(message)
      expect(stderr).not.toContain('hidden-secret')
    } finally {
      delete slack.double.answer
    }
  })

  it('sends nothing of the sample data', async () => {
    const { code, stderr } = await report('weekly', '--mail', 'a@example.com', '--demo')
    expect([code, stderr]).toEqual([2, expect.stringContaining('nothing is sent from the sample data')])
  })
})

function figureTextOf({ blocks, base_currency }: Briefing): string {
  const [first] = blocks
  return first?.kind === 'figures' && first.figures[0] !== undefined ? figureText(first.figures[0], base_currency) : 'no figure'
}

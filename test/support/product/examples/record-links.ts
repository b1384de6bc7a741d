import { prepareSampleData } from '../../../../src/app/demo/sample-data.ts'
import { AUTH_OFF } from '../../../../src/core/auth.ts'
import type { Examples } from '../../../../src/facades/http/openapi/show-examples.ts'
import { chartsOfAllFigures } from '../saved-charts.ts'
import { createRecorder } from './recorder.ts'
import { openSampleService } from './sample-service.ts'

/** An example of every operation of links. They need a service with sign-in. */
export async function recordLinks(): Promise<Examples> {
  const service = await openSampleService({ isCached: false, prepare: prepareSampleData, auth: { ...AUTH_OFF, enabled: true } })
  const { app, engine, now } = service
  try {
    const actor = { id: 'command_line', kind: 'command_line', name: null } as const
    const { key, id } = await engine.auth.keys.create({ name: 'Ann', scopes: ['write'] }, { actor })
    const headers = { authorization: `Bearer ${key}` }
    const viewer = { id: `key:${id}`, name: 'Ann', sees: 'own', isAdministrator: false } as const
    const board = await engine.dashboards(viewer).create({ name: 'Board of directors' })
    const section = await engine.dashboards(viewer).addSection(board.id, { title: 'Revenue' })
    const charts = chartsOfAllFigures()
    const saved = async (form: string) => engine.charts(viewer.id).create(charts.find(({ config }) => config.form === form))
    const [number, series] = [await saved('number'), await saved('area')]
    await engine.dashboards(viewer).place(board.id, { saved_chart_id: number.id, section_id: section.id })
    const { ask, call, examples } = createRecorder(app, JSON.parse(await (await app.request('/openapi.json')).text()), now)
    call(board.id, '5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c009')
    call(series.id, '5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c010')
    const { body: feed } = await ask('create_link', { name: 'feed', headers, body: { kind: 'feed', chart_id: series.id } })
    call(feed.token, 'pll_…')
    call(feed.id, '5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c011')
    await ask('feed', { path: { file: `${feed.token}.json` } })
    const { body: link } = await ask('create_link', { headers, body: { dashboard_id: board.id } })
    call(link.token, 'pll_…')
    call(link.id, '5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c012')
    await ask('shared_page', { headers: { authorization: `Bearer ${link.token}` } })
    await ask('revoke_link', { path: { id: feed.id }, headers })
    await ask('revoke_link', { path: { id: link.id }, headers })
    await ask('links', { headers })
    return examples()
  } finally {
    await service.close()
  }
}

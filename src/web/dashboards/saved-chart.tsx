import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { client } from '../api/client.ts'
import { filtersOf } from '../api/question.ts'
import type { Row } from '../api/use-answer.ts'
import { useHasScope } from '../auth/who.ts'
import { seriesSpec } from '../charts/series.ts'
import { levelQuery } from '../controls/ranges.ts'
import { pageOf, usePage, withTenant } from '../controls/use-page.ts'
import { ShareDialog, useMayShare } from '../links/share-dialog.tsx'
import { drillOf, keysOf } from '../pages/explore-drill.ts'
import { type ExploredFigure, FIGURES } from '../pages/explore-figures.ts'
import { Card } from '../parts/card.tsx'
import { CardMenu } from '../parts/card-menu.tsx'
import { useDrill } from '../parts/drill.tsx'
import { Headline } from '../parts/headline.tsx'
import { NameDialog } from '../parts/name-dialog.tsx'
import { Empty } from '../parts/states.tsx'
import { columnsOf, drillable } from '../parts/table.tsx'
import { type ChartConfig, readChartConfig } from './chart-config.ts'
import { useChange, useDashboards } from './resources.ts'

/** A row without groups, for the metric as a whole. */
const WHOLE: Row = {}

interface SavedChartProps {
  /** Id of the chart, if it is the user's. */
  readonly own: string | undefined
  readonly name: string
  readonly config: Readonly<Record<string, unknown>>
}

/** A saved chart with the form for a link to its rows. */
export function SavedChart(props: SavedChartProps) {
  const { own, name } = props
  const mayShare = useMayShare()
  const [isShared, setShared] = useState(false)
  const onShare = own !== undefined && mayShare ? () => setShared(true) : undefined
  return (
    <>
      <ChartCard {...props} onShare={onShare} />
      {isShared && own !== undefined && <ShareDialog name={name} target={{ chart_id: own }} onClose={() => setShared(false)} />}
    </>
  )
}

/** The same card as in Explore, with current data. */
function ChartCard({ name: saved, config: raw, onShare }: SavedChartProps & { readonly onShare: (() => void) | undefined }) {
  const { today, currency, search } = usePage()
  const { open } = useDrill()
  const { config, own } = ofTenant(readChartConfig(raw), search.tenant)
  const name = own === undefined ? saved : `${saved} · ${own}`
  if (config === undefined)
    return (
      <section className="card" aria-label={name}>
        <header className="card-head">
          <h2>{name}</h2>
        </header>
        <Empty>This chart can’t be displayed: another program or another version of Plumbline saved it.</Empty>
      </section>
    )
  const { path, query, form, measure, groups, step, isLevel, explore } = config
  const then = pageOf(explore, today, currency)
  const question = { path, query: isLevel === true ? { ...query, ...levelQuery(explore, today) } : query }
  const figure = figureOf(config)
  const drill = (row: Row, period?: string) =>
    figure && drillOf(figure, then, row === WHOLE ? [] : keysOf(figure, explore), row, period)
  const controls = (
    <Link to="/explore" search={explore} className="button is-quiet" aria-label={`Explore ${name}`}>
      Explore
    </Link>
  )
  if (form === 'number')
    return (
      <div className="card placed-number">
        <Headline label={name} question={question} field={measure} drill={drill(WHOLE)} />
        <div className="placed-tools">
          {controls}
          <CardMenu title={name} question={question} png={undefined} onShare={onShare} />
        </div>
      </div>
    )
  const columns = (rows: readonly Row[]) => drillable(columnsOf(rows), [measure], (row) => drill(row))
  if (form === 'table' || step === undefined)
    return (
      <Card
        title={name}
        question={question}
        controls={controls}
        columns={columns}
        compareTo={explore.compare_to ?? null}
        onShare={onShare}
      />
    )
  const pick = (period: string, row = WHOLE) => {
    const made = drill(row, period)
    if (made !== undefined) open(made)
  }
  return (
    <Card
      title={name}
      question={question}
      measure={measure}
      step={step}
      controls={controls}
      onShare={onShare}
      compareTo={explore.compare_to ?? null}
      draw={(rows, context) => seriesSpec(rows, { name, measure, groups, kind: form, step, onPick: pick }, context)}
      columns={columns}
    />
  )
}

/**
 * A chart that was saved for one tenant keeps this tenant, and its title names it. Other charts follow the tenant of the page. Books
 * have no tenants.
 */
function ofTenant(
  config: ChartConfig | undefined,
  tenant: string | undefined,
): { readonly config: ChartConfig | undefined; readonly own?: string } {
  if (config === undefined || config.path.startsWith('/api/metrics/expenses')) return { config }
  const own = config.explore.tenant
  if (own !== undefined || tenant === undefined) return { config, ...(own === undefined ? {} : { own }) }
  const query = { ...config.query, filter: withTenant(filtersOf(config.query), tenant) }
  return { config: { ...config, query, explore: { ...config.explore, tenant } } }
}

/** The metric that Explore showed when the chart was saved. Undefined if Explore's question for it has changed since. */
function figureOf({ path, measure, explore, step }: ChartConfig): ExploredFigure | undefined {
  const pathOf = ({ total, series }: ExploredFigure) => (step === undefined ? [total.path, total.alone] : [series?.path])
  return FIGURES.find(
    (figure) => figure.id === (explore.metric ?? FIGURES[0]?.id) && pathOf(figure).includes(path) && figure.measure === measure,
  )
}

const FIRST_SECTION = 'Charts'

/** Saves what Explore shows as a chart, and puts it on a dashboard if one is chosen. */
export function SaveChart({ name, config }: { name: string; config: ChartConfig }) {
  const id = useId()
  const mayWrite = useHasScope('write')
  const { data: all = [] } = useDashboards(mayWrite)
  const dashboards = all.filter(({ is_own }) => is_own)
  const [dashboard, setDashboard] = useState('')
  const [saved, setSaved] = useState<{ readonly dashboard: string }>()
  const save = useChange(async (title: string) => {
    // Drops undefined properties.
    const stored = JSON.parse(JSON.stringify(config)) as Record<string, unknown>
    const { data } = await client.post('/api/charts', { body: { name: title, config: stored } })
    if (dashboard !== '')
      await putOn(dashboard, data.id).catch(async (refusal: unknown) => {
        // Save both or neither: a retry must not create a second chart.
        await client.delete('/api/charts/{id}', { path: { id: data.id } })
        throw refusal
      })
    setSaved({ dashboard })
  })
  if (!mayWrite) return null
  return (
    <>
      <span role="status">
        {saved !== undefined &&
          (saved.dashboard === '' ? (
            <Link to="/dashboards">Saved</Link>
          ) : (
            <Link to="/dashboards/$id" params={{ id: saved.dashboard }}>
              Saved to dashboard
            </Link>
          ))}
      </span>
      <NameDialog
        label="Save as chart"
        title="Save as chart"
        action="Save"
        value={name}
        onSave={(title) => save.mutateAsync(title)}
      >
        {dashboards.length > 0 && (
          <div className="field">
            <label htmlFor={id}>Dashboard</label>
            <select id={id} className="input" value={dashboard} onChange={(event) => setDashboard(event.target.value)}>
              <option value="">None</option>
              {dashboards.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
                </option>
              ))}
            </select>
          </div>
        )}
      </NameDialog>
    </>
  )
}

/** Appends a chart to the last section. Creates a section if the dashboard has no section. */
async function putOn(id: string, chart: string): Promise<void> {
  const { sections } = (await client.get('/api/dashboards/{id}', { path: { id } })).data
  const last = sections.at(-1)
  const section =
    last?.id ?? (await client.post('/api/dashboards/{id}/sections', { path: { id }, body: { title: FIRST_SECTION } })).data.id
  const body = { saved_chart_id: chart, section_id: section, position: endOf(last?.charts ?? []) }
  await client.post('/api/dashboards/{id}/charts', { path: { id }, body })
}

function endOf(placed: readonly { readonly position: number }[]): number {
  return Math.max(-1, ...placed.map(({ position }) => position)) + 1
}

import { Link, useNavigate } from '@tanstack/react-router'
import { client } from '../api/client.ts'
import { useMay } from '../auth/who.ts'
import { DeleteChart, RenameChart } from '../dashboards/chart-buttons.tsx'
import { useChange, useDashboards, useSavedCharts } from '../dashboards/resources.ts'
import { formatDay } from '../format/days.ts'
import { NameDialog } from '../parts/name-dialog.tsx'
import { Page } from '../parts/page.tsx'
import { Problem } from '../parts/problem.tsx'
import { Empty, Skeleton } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'

const HEIGHT = 160

/** Pages of charts of the user's own, and the charts. */
export function Dashboards() {
  const asked = useDashboards()
  const mayWrite = useMay('write')
  const navigate = useNavigate()
  const create = useChange(async (name: string) => {
    const { data } = await client.post('/api/dashboards', { body: { name } })
    await navigate({ to: '/dashboards/$id', params: { id: data.id } })
  })
  return (
    <Page
      title="Dashboards"
      lead="Your saved charts, arranged on pages. Only you can see them."
      actions={
        mayWrite && (
          <NameDialog
            label="New dashboard"
            title="New dashboard"
            action="Create"
            isMain
            onSave={(name) => create.mutateAsync(name)}
          />
        )
      }
    >
      {asked.error !== null && <Problem error={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.isPending && <Skeleton height={HEIGHT} />}
      {asked.data !== undefined && (
        <section className="card" aria-label="Your dashboards">
          {asked.data.length === 0 ? (
            <Empty>No dashboards yet. A dashboard is a page of charts that you saved in Explore.</Empty>
          ) : (
            <Table
              caption="Your dashboards"
              columns={[
                {
                  key: 'title',
                  label: 'Dashboard',
                  render: (row) => (
                    <Link to="/dashboards/$id" params={{ id: String(row['id']) }} className="name">
                      {String(row['title'])}
                    </Link>
                  ),
                },
                { key: 'updated_at', label: 'Updated', render: (row) => formatDay(String(row['updated_at'])) },
              ]}
              rows={asked.data.map(({ id, name, updated_at }) => ({ id, title: name, updated_at }))}
              currency=""
            />
          )}
        </section>
      )}
      <SavedCharts />
    </Page>
  )
}

function SavedCharts() {
  const asked = useSavedCharts()
  const mayWrite = useMay('write')
  if (asked.error !== null) return <Problem error={asked.error} onRetry={() => void asked.refetch()} />
  if (asked.data === undefined) return <Skeleton height={HEIGHT} />
  const buttons = {
    key: 'buttons',
    label: 'Actions',
    render: (row: Readonly<Record<string, unknown>>) => {
      const chart = { id: String(row['id']), name: String(row['title']) }
      return (
        <fieldset className="form-buttons is-bare" aria-label={`Edit ${chart.name}`}>
          <RenameChart chart={chart} />
          <DeleteChart chart={chart} />
        </fieldset>
      )
    },
  }
  return (
    <section className="card" aria-label="Saved charts">
      <header className="card-head">
        <h2>Saved charts</h2>
      </header>
      {asked.data.length === 0 ? (
        <Empty>
          No saved charts yet. <Link to="/explore">Explore</Link> a metric and choose “Save as chart”.
        </Empty>
      ) : (
        <Table
          caption="Saved charts"
          stacks
          columns={[
            { key: 'title', label: 'Chart', render: (row) => String(row['title']) },
            { key: 'updated_at', label: 'Updated', render: (row) => formatDay(String(row['updated_at'])) },
            ...(mayWrite ? [buttons] : []),
          ]}
          rows={asked.data.map(({ id, name, updated_at }) => ({ id, title: name, updated_at }))}
          currency=""
        />
      )}
    </section>
  )
}

import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { client } from '../api/client.ts'
import { useHasScope, useSignInConfig } from '../auth/who.ts'
import { ChoiceMenu } from '../controls/choice-menu.tsx'
import { DashboardGrid } from '../dashboards/dashboard-grid.tsx'
import { DeleteChart, RenameChart } from '../dashboards/edit-tools.tsx'
import { type Dashboard as Shown, useChange, useDashboard, useDashboards, useSavedCharts } from '../dashboards/resources.ts'
import { formatDay } from '../format/days.ts'
import { ShareButton, useMayShare } from '../links/share-dialog.tsx'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { NameDialog } from '../parts/name-dialog.tsx'
import { Page } from '../parts/page.tsx'
import { Problem } from '../parts/problem.tsx'
import { Empty, Skeleton } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'

const HEIGHT = 160
const VISIBLE_TO = { private: 'Only its owner', workspace: 'The workspace' } as const

/** The dashboards that the user sees, and the user's saved charts. */
export function Dashboards() {
  const answer = useDashboards()
  const mayWrite = useHasScope('write')
  const { data: signIn } = useSignInConfig()
  const isShared = signIn?.auth_enabled === true
  const seenBy = isShared
    ? 'Only you see yours, unless you show them to the workspace.'
    : 'Everyone who opens this page sees and changes them.'
  const navigate = useNavigate()
  const create = useChange(async (name: string) => {
    const { data } = await client.post('/api/dashboards', { body: { name } })
    await navigate({ to: '/dashboards/$id', params: { id: data.id } })
  })
  return (
    <Page
      title="Dashboards"
      lead={`Your saved charts, arranged on pages. ${seenBy}`}
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
      {answer.error !== null && <Problem error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.isPending && <Skeleton height={HEIGHT} />}
      {answer.data !== undefined && (
        <section className="card" aria-label="Your dashboards">
          {answer.data.length === 0 ? (
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
                ...(isShared
                  ? [
                      { key: 'owner', label: 'Owner' },
                      { key: 'visibility', label: 'Visible to' },
                    ]
                  : []),
                { key: 'updated_at', label: 'Updated', render: (row) => formatDay(String(row['updated_at'])) },
              ]}
              rows={answer.data.map(({ id, name, updated_at, visibility, owner, is_own }) => ({
                ...{ id, title: name, updated_at, visibility: VISIBLE_TO[visibility] },
                owner: is_own ? 'You' : (owner ?? 'Somebody else'),
              }))}
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
  const answer = useSavedCharts()
  const mayWrite = useHasScope('write')
  if (answer.error !== null) return <Problem error={answer.error} onRetry={() => void answer.refetch()} />
  if (answer.data === undefined) return <Skeleton height={HEIGHT} />
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
      {answer.data.length === 0 ? (
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
          rows={answer.data.map(({ id, name, updated_at }) => ({ id, title: name, updated_at }))}
          currency=""
        />
      )}
    </section>
  )
}

const route = getRouteApi('/dashboards/$id')
const GRID_HEIGHT = 480

/** One dashboard. */
export function Dashboard() {
  const { id } = route.useParams()
  const answer = useDashboard(id)
  const isWriter = useHasScope('write')
  const isAdmin = useHasScope('admin')
  const mayShare = useMayShare()
  const [isArranged, setArranged] = useState(false)
  const dashboard = answer.data
  const mayWrite = isWriter && (isAdmin || dashboard?.is_own === true)
  return (
    <Page
      title={dashboard?.name ?? 'Dashboard'}
      lead={dashboard === undefined ? undefined : leadOf(dashboard)}
      actions={
        dashboard !== undefined && (
          <>
            <FullScreenButton />
            {mayShare && <ShareButton name={dashboard.name} target={{ dashboard_id: dashboard.id }} />}
            {mayWrite && (
              <button type="button" className="button" aria-pressed={isArranged} onClick={() => setArranged(!isArranged)}>
                {isArranged ? 'Done' : 'Edit'}
              </button>
            )}
          </>
        )
      }
    >
      {answer.error !== null && <Problem error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.error === null && dashboard === undefined && <Skeleton height={GRID_HEIGHT} />}
      {dashboard !== undefined && (
        <>
          {mayWrite && isArranged && <DashboardTools dashboard={dashboard} />}
          {dashboard.sections.length === 0 && (
            <Empty>
              <span>
                This dashboard is empty. Save a chart in <Link to="/explore">Explore</Link>, or choose “Edit” and add a section.
              </span>
            </Empty>
          )}
          <DashboardGrid dashboard={dashboard} isArranged={mayWrite && isArranged} />
        </>
      )}
    </Page>
  )
}

/** The description, and whose dashboard it is if it is not the user's own. */
function leadOf({ description, is_own, owner }: Shown): string | undefined {
  const whose = is_own ? undefined : `By ${owner ?? 'somebody else'}.`
  return [description ?? undefined, whose].filter((text) => text !== undefined).join(' ') || undefined
}

/** Adds a section; renames, shows and deletes the dashboard. */
function DashboardTools({ dashboard }: { dashboard: Shown }) {
  const navigate = useNavigate()
  const path = { id: dashboard.id }
  const add = useChange((title: string) => {
    const position = Math.max(-1, ...dashboard.sections.map((section) => section.position)) + 1
    return client.post('/api/dashboards/{id}/sections', { path, body: { title, position } })
  })
  const rename = useChange((name: string) => client.put('/api/dashboards/{id}', { path, body: { name } }))
  const { data: signIn } = useSignInConfig()
  const show = useChange((visibility: string) => {
    return client.put('/api/dashboards/{id}', { path, body: { visibility: visibility === 'workspace' ? visibility : 'private' } })
  })
  const remove = useChange(async () => {
    await client.delete('/api/dashboards/{id}', { path })
    await navigate({ to: '/dashboards' })
  })
  const failed = show.error ?? remove.error
  return (
    <>
      <div className="form-buttons">
        <NameDialog
          label="Add section"
          title="New section"
          action="Add"
          field="Title"
          isMain
          onSave={(title) => add.mutateAsync(title)}
        />
        <NameDialog
          label="Rename dashboard"
          title="Rename dashboard"
          action="Rename"
          value={dashboard.name}
          onSave={(name) => rename.mutateAsync(name)}
        />
        {signIn?.auth_enabled === true && (
          <ChoiceMenu
            label="Visible to"
            value={dashboard.visibility}
            choices={Object.entries(VISIBLE_TO).map(([value, label]) => ({ value, label }))}
            onChoose={(visibility) => show.mutate(visibility)}
          />
        )}
        <ConfirmButton
          label="Delete dashboard"
          title={`Delete “${dashboard.name}”?`}
          consequence="This also deletes its sections. You can’t undo this. Its charts stay saved."
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
        />
      </div>
      {failed !== null && <Problem error={failed} />}
    </>
  )
}

/** Shows the page on the full screen. The style sheet hides the menu. */
function FullScreenButton() {
  // End full screen when the user leaves the page, so that other pages show the menu.
  useEffect(
    () => () => {
      if (document.fullscreenElement !== null) void document.exitFullscreen()
    },
    [],
  )
  if (!document.fullscreenEnabled) return null
  const toggle = () =>
    document.fullscreenElement === null ? document.documentElement.requestFullscreen() : document.exitFullscreen()
  return (
    <button type="button" className="button" onClick={() => void toggle()}>
      Full screen
    </button>
  )
}

import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { useMay } from '../auth/who.ts'
import { Board } from '../dashboards/board.tsx'
import { FullScreenButton } from '../dashboards/full-screen.tsx'
import { type Dashboard as Shown, useChange, useDashboard } from '../dashboards/resources.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { NameDialog } from '../parts/name-dialog.tsx'
import { Page } from '../parts/page.tsx'
import { Problem } from '../parts/problem.tsx'
import { Empty, Skeleton } from '../parts/states.tsx'

const route = getRouteApi('/dashboards/$id')
const HEIGHT = 480

/** The user's own page of saved charts. */
export function Dashboard() {
  const { id } = route.useParams()
  const asked = useDashboard(id)
  const mayWrite = useMay('write')
  const [isArranged, setArranged] = useState(false)
  const board = asked.data
  return (
    <Page
      title={board?.name ?? 'Dashboard'}
      lead={board?.description ?? undefined}
      actions={
        board !== undefined && (
          <>
            <FullScreenButton />
            {mayWrite && (
              <button type="button" className="button" aria-pressed={isArranged} onClick={() => setArranged(!isArranged)}>
                {isArranged ? 'Done' : 'Edit'}
              </button>
            )}
          </>
        )
      }
    >
      {asked.error !== null && <Problem error={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.error === null && board === undefined && <Skeleton height={HEIGHT} />}
      {board !== undefined && (
        <>
          {mayWrite && isArranged && <DashboardTools board={board} />}
          {board.sections.length === 0 && (
            <Empty>
              <span>
                This dashboard is empty. Save a chart in <Link to="/explore">Explore</Link>, or choose “Edit” and add a section.
              </span>
            </Empty>
          )}
          <Board board={board} isArranged={mayWrite && isArranged} />
        </>
      )}
    </Page>
  )
}

/** Adds a section, renames the dashboard and deletes it. */
function DashboardTools({ board }: { board: Shown }) {
  const navigate = useNavigate()
  const path = { id: board.id }
  const add = useChange((title: string) => {
    const position = Math.max(-1, ...board.sections.map((section) => section.position)) + 1
    return client.post('/api/dashboards/{id}/sections', { path, body: { title, position } })
  })
  const rename = useChange((name: string) => client.put('/api/dashboards/{id}', { path, body: { name } }))
  const remove = useChange(async () => {
    await client.delete('/api/dashboards/{id}', { path })
    await navigate({ to: '/dashboards' })
  })
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
          value={board.name}
          onSave={(name) => rename.mutateAsync(name)}
        />
        <ConfirmButton
          label="Delete dashboard"
          title={`Delete “${board.name}”?`}
          consequence="This also deletes its sections. You can’t undo this. Its charts stay saved."
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
        />
      </div>
      {remove.error !== null && <Problem error={remove.error} />}
    </>
  )
}

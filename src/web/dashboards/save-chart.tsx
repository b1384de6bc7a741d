import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { client } from '../api/client.ts'
import { useMay } from '../auth/who.ts'
import { NameDialog } from '../parts/name-dialog.tsx'
import type { ChartConfig } from './chart-config.ts'
import { useChange, useDashboards } from './resources.ts'

const FIRST_SECTION = 'Charts'

/** Keeps what is shown as a chart of the user's own, on a dashboard where one is chosen. */
export function SaveChart({ name, config }: { name: string; config: ChartConfig }) {
  const id = useId()
  const mayWrite = useMay('write')
  const { data: dashboards = [] } = useDashboards(mayWrite)
  const [board, setBoard] = useState('')
  const [saved, setSaved] = useState<{ readonly board: string }>()
  const save = useChange(async (title: string) => {
    // What is absent is not part of JSON.
    const kept = JSON.parse(JSON.stringify(config)) as Record<string, unknown>
    const { data } = await client.post('/api/charts', { body: { name: title, config: kept } })
    if (board !== '')
      await putOn(board, data.id).catch(async (refusal: unknown) => {
        // Saved and placed, or neither: who tries again must not get it twice.
        await client.delete('/api/charts/{id}', { path: { id: data.id } })
        throw refusal
      })
    setSaved({ board })
  })
  if (!mayWrite) return null
  return (
    <>
      <span role="status">
        {saved !== undefined &&
          (saved.board === '' ? (
            <Link to="/dashboards">Saved</Link>
          ) : (
            <Link to="/dashboards/$id" params={{ id: saved.board }}>
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
            <select id={id} className="input" value={board} onChange={(event) => setBoard(event.target.value)}>
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

/** At the end of the last section, which is made where there is none. */
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

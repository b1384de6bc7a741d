import { randomUUID } from 'node:crypto'
import { digestOf, isSameDigest } from '../../auth/api-key.ts'
import { instantNow } from '../../auth/deps.ts'
import { createLinkToken, isLinkToken } from '../../auth/link-token.ts'
import type { ChangeRecorder, Initiator } from '../../auth/recorder.ts'
import { AppError } from '../../core/errors.ts'
import type { SavedChart, Viewer } from '../../core/workspace.ts'
import type { DashboardStore } from '../../ports/dashboard-store.ts'
import type { LinkStore, StoredLink } from '../../ports/link-store.ts'
import type { Dashboard, DashboardResource } from '../dashboards/resource.ts'
import { NEW_LINK } from '../records/link.ts'
import { checkTarget, isOpen, linkGone, signInOff, tooLargeToKeep, viewerOfLink } from './rules.ts'

/** Most open links of a workspace. */
const MOST_LINKS = 1_000
const DEFAULT_MS = 30 * 86_400_000
/** Most bytes of a kept briefing. */
const MOST_KEPT = 65_536
/** Shortest time between two recorded openings of a link. */
const NOTE_EVERY_MS = 60_000

/** A link in an answer. */
export interface Link extends Omit<StoredLink, 'creator'> {
  readonly name: string | null
  readonly created_by: string
  readonly is_own: boolean
}

/** A link that was just created, with its token. */
export type NewLink = Link & { readonly token: string }

/** The numbers of new links, which facades ask. */
export interface LinkNumbers {
  /** The briefing of a dashboard, to keep it. */
  keep(dashboard: Dashboard): Promise<object>
  /** Rejects if a chart cannot be a feed. */
  check(chart: SavedChart): Promise<unknown>
}

/** An open link, and the dashboard or chart behind it. */
export interface OpenedLink {
  readonly link: StoredLink
  readonly shown: { readonly dashboard: Dashboard } | { readonly kept: unknown } | { readonly chart: SavedChart }
}

/** The links of a workspace (http-api.md 17). */
export interface LinkResource {
  /** Newest first: the viewer's own, and for administrators all. */
  list(viewer: Viewer): Promise<readonly Link[]>
  /**
   * AppError `validation_failed`, `not_found` for a dashboard or chart that the viewer does not see, `conflict`
   * if the service needs no sign-in.
   */
  create(body: unknown, by: Initiator, viewer: Viewer, numbers: LinkNumbers): Promise<NewLink>
  /** AppError `not_found`, also for a link that is already revoked, and for links of others unless the viewer is an administrator. */
  revoke(id: string, by: Initiator, viewer: Viewer): Promise<void>
  /** Opens a link of a kind. AppError `not_found` if it does not exist, has expired or was revoked, or if its dashboard or chart is gone. */
  open(token: string, kind: StoredLink['kind']): Promise<OpenedLink>
}

/** The parts of the engine that links need. */
export interface LinkParts {
  /** False if the service needs no sign-in. */
  readonly isSignInOn: boolean
  readonly store: () => Promise<LinkStore>
  readonly dashboards: (viewer: Viewer) => DashboardResource
  readonly charts: (viewer: Viewer) => Promise<Pick<DashboardStore, 'charts' | 'chart'>>
  readonly changes: ChangeRecorder
  readonly onFailure: (error: unknown) => void
}

const EVERYBODY: Viewer = { id: '', name: null, sees: 'all', isAdministrator: false }

/** Links in the side store. */
export function createLinkResource({ isSignInOn, store, dashboards, charts, changes, onFailure }: LinkParts): LinkResource {
  const notedAt = new Map<string, number>()
  const noteOpening = ({ id }: StoredLink): void => {
    const now = Date.now()
    if (now - (notedAt.get(id) ?? 0) < NOTE_EVERY_MS) return
    if (notedAt.size >= MOST_LINKS) notedAt.clear()
    notedAt.set(id, now)
    // No answer waits for it. A store that is down is reported elsewhere.
    store()
      .then((links) => links.noteOpened(id, new Date(now).toISOString()))
      .catch((error: unknown) => void (error instanceof AppError || onFailure(error)))
  }
  const nameOf = async () => {
    const shown = [await dashboards(EVERYBODY).list(), await (await charts(EVERYBODY)).charts()].flat()
    const names = new Map(shown.map(({ id, name }) => [id, name]))
    return ({ dashboard_id, chart_id }: StoredLink) => names.get(dashboard_id ?? chart_id ?? '') ?? null
  }
  return {
    async list(viewer) {
      const links = await (await store()).list()
      const seen = viewer.isAdministrator ? links : links.filter(({ creator }) => creator.id === viewer.id)
      if (seen.length === 0) return []
      const name = await nameOf()
      return seen.map((link) => answerOf(link, name(link), viewer))
    },
    create: (body, by, viewer, numbers) => changes.refusal('link.create', null, by, create(body, by, viewer, numbers)),
    revoke: (id, by, viewer) => changes.refusal('link.revoke', id, by, revoke(id, by, viewer)),
    async open(token, kind) {
      if (!isSignInOn || !isLinkToken(token)) throw linkGone()
      const digest = digestOf(token)
      const found = await (await store()).find(digest)
      if (found === undefined || !isSameDigest(found.digest, digest) || !isOpen(found.link, kind)) throw linkGone()
      const { link } = found
      const shown = await shownBy(link, found.kept)
      noteOpening(link)
      return { link, shown }
    },
  }

  async function create(...[body, by, viewer, numbers]: Parameters<LinkResource['create']>): Promise<NewLink> {
    const { kind = 'page', moment = 'live', names = false, expires_at, ...target } = NEW_LINK.parse(body)
    const { dashboard_id = null, chart_id = null } = target
    checkTarget({ kind, moment, names, dashboard_id, chart_id })
    if (!isSignInOn) throw signInOff()
    const created_at = instantNow()
    const link: StoredLink = {
      ...{ id: randomUUID(), kind, dashboard_id, chart_id, moment, names, creator: by.actor, created_at },
      expires_at: new Date(expires_at === undefined ? Date.parse(created_at) + DEFAULT_MS : expires_at).toISOString(),
      ...{ revoked_at: null, opened_at: null },
    }
    const dashboard = dashboard_id === null ? undefined : await dashboards(viewer).get(dashboard_id)
    const chart = chart_id === null ? undefined : await (await charts(viewer)).chart(chart_id)
    if (chart !== undefined) await numbers.check(chart)
    const kept = moment === 'fixed' && dashboard !== undefined ? JSON.stringify(await numbers.keep(dashboard)) : null
    if (kept !== null && Buffer.byteLength(kept) > MOST_KEPT) throw tooLargeToKeep(MOST_KEPT)
    const token = createLinkToken()
    await (await store()).create(link, { digest: digestOf(token), kept }, MOST_LINKS)
    changes.change('link.create', link.id, by, 201)
    return { ...answerOf(link, dashboard?.name ?? chart?.name ?? null, viewer), token }
  }

  async function revoke(id: string, by: Initiator, viewer: Viewer): Promise<void> {
    const links = await store()
    const link = (await links.list()).find((one) => one.id === id)
    const isSeen = link !== undefined && (viewer.isAdministrator || link.creator.id === viewer.id)
    if (!isSeen || !(await links.revoke(id, instantNow()))) throw new AppError('not_found', 'No open link has this id.')
    changes.change('link.revoke', id, by, 200)
  }

  /** The dashboard as its creator sees it: a dashboard that others have withdrawn is gone for the link too. */
  async function shownBy(link: StoredLink, kept: string | null): Promise<OpenedLink['shown']> {
    const viewer = viewerOfLink(link)
    try {
      if (link.chart_id !== null) return { chart: await (await charts(viewer)).chart(link.chart_id) }
      const dashboard = await dashboards(viewer).get(link.dashboard_id ?? '')
      return kept === null ? { dashboard } : { kept: JSON.parse(kept) }
    } catch (error) {
      throw error instanceof AppError && error.code === 'not_found' ? linkGone() : error
    }
  }
}

function answerOf({ creator, ...link }: StoredLink, name: string | null, viewer: Viewer): Link {
  return { ...link, name, created_by: creator.name ?? creator.id, is_own: creator.id === viewer.id }
}

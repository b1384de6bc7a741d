import type { Actor } from './auth-store.ts'

export const LINK_KINDS = ['page', 'feed'] as const
export const LINK_MOMENTS = ['live', 'fixed'] as const

/** A link without its token. Instants are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface StoredLink {
  readonly id: string
  /** `page`: a dashboard for people. `feed`: the rows of a chart for a spreadsheet. */
  readonly kind: (typeof LINK_KINDS)[number]
  readonly dashboard_id: string | null
  readonly chart_id: string | null
  /** `live`: the numbers of the moment in which it is opened. `fixed`: those of its creation. */
  readonly moment: (typeof LINK_MOMENTS)[number]
  /** True if it shows customers. */
  readonly names: boolean
  readonly creator: Actor
  readonly created_at: string
  readonly expires_at: string
  readonly revoked_at: string | null
  readonly opened_at: string | null
}

/** The parts of a link that nobody sees: the digest of its token, and the kept briefing of a fixed one as JSON. */
export interface LinkSecrets {
  readonly digest: string
  readonly kept: string | null
}

/** The links of a workspace. The store holds only the digest of each token. */
export interface LinkStore {
  /** Newest first, including revoked and expired ones. */
  list(): Promise<readonly StoredLink[]>
  /** AppError `conflict` if the workspace already has `most` links that are open at `created_at`. */
  create(link: StoredLink, secrets: LinkSecrets, most: number): Promise<void>
  /** The link with this digest, even if it is revoked or expired. */
  find(digest: string): Promise<(LinkSecrets & { readonly link: StoredLink }) | undefined>
  /** False if no link has this id, or it is already revoked. A revoked link keeps no briefing. */
  revoke(id: string, at: string): Promise<boolean>
  /** Records an opening. An opening before the stored one changes nothing. */
  noteOpened(id: string, at: string): Promise<void>
}

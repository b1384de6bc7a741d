import type { Fragment } from '../compiler/fragment.ts'
import type { InlineRelation } from '../compiler/inline.ts'
import { BEGINNING } from '../core/periods.ts'
import type { Audience } from '../query/audience.ts'
import type { JoinName } from '../query/joins.ts'
import type { AudienceContext, CompiledAudience } from '../query/segment-compile.ts'
import { compileAudience } from '../query/segment-compile.ts'
import type { KnownAttributes } from './known-attributes.ts'

/** What a statement needs beside its template to keep to the customers that count. */
export interface AudienceRelations {
  readonly built: ReadonlyMap<string, Fragment>
  readonly inline: readonly InlineRelation[]
  /** Instants that the relations must cover, the last exclusive; undefined where no relation with a window is read. */
  readonly window: { readonly from: Date; readonly to: Date } | undefined
}

/** Joined relations that are right only over the whole history. */
const OF_WHOLE_HISTORY: readonly JoinName[] = ['cohort', 'life', 'trial', 'reason']

/** The relations of an audience: its members, and the values of the attributes that decide who they are. */
export async function audienceRelations(
  audience: Audience,
  context: AudienceContext & { readonly afterNow: Date },
  attributes: KnownAttributes,
): Promise<AudienceRelations> {
  const compiled = compileAudience(audience, context)
  const built = new Map([['segment_member', compiled.member]])
  const inline: InlineRelation[] = compiled.branches === undefined ? [] : [compiled.branches]
  for (const use of compiled.attributes) {
    const values = await attributes.relation(use)
    if ('rows' in values) inline.push(values)
    else built.set(use.relation, values)
  }
  return { built, inline, window: windowOf(compiled, audience, context.afterNow) }
}

// The customer and what belongs to a subscription are judged as now, its stretches at the reference instant (D62).
function windowOf({ joins, readsSpans }: CompiledAudience, { before }: Audience, afterNow: Date): AudienceRelations['window'] {
  if (OF_WHOLE_HISTORY.some((name) => joins.has(name))) return { from: BEGINNING, to: afterNow }
  return readsSpans ? { from: before, to: before } : undefined
}

/** The window that covers both. */
export function widen(
  window: { readonly from: Date; readonly to: Date },
  other: AudienceRelations['window'],
): { readonly from: Date; readonly to: Date } {
  if (other === undefined) return window
  return { from: other.from < window.from ? other.from : window.from, to: other.to > window.to ? other.to : window.to }
}

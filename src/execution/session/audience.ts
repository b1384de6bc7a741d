import type { Fragment } from '../../compiler/fragment.ts'
import type { InlineRelation } from '../../compiler/inline.ts'
import { BEGINNING } from '../../core/periods.ts'
import { type AttributeUse, compileAttributeValues } from '../../query/attributes.ts'
import type { Audience } from '../../query/audience.ts'
import type { JoinName } from '../../query/joins.ts'
import type { QueryRequest } from '../../query/request.ts'
import type { AudienceContext, CompiledAudience } from '../../query/segment-compile.ts'
import { compileAudience } from '../../query/segment-compile.ts'
import type { ValueRelation } from './attributes/value-relation.ts'

/** Relations that limit a statement to the selected customers, or that group the customers. */
export interface AudienceRelations {
  readonly built: ReadonlyMap<string, Fragment>
  readonly inline: readonly InlineRelation[]
  /** Time that the relations must cover, `to` exclusive. Undefined: they read no relation with a window. */
  readonly window: { readonly from: Date; readonly to: Date } | undefined
}

/** Joined relations that need the whole history. */
const OF_WHOLE_HISTORY: readonly JoinName[] = ['cohort', 'life', 'trial', 'reason']

/** The relations of an audience: its members, and the attribute values that decide membership. */
export async function audienceRelations(
  audience: Audience,
  context: AudienceContext & { readonly afterNow: Date },
  values: ReadValues,
): Promise<AudienceRelations> {
  const compiled = compileAudience(audience, context)
  const { built, inline } = await relationsOf(compiled.attributes, values)
  return {
    built: new Map([...built, ['segment_member', compiled.member]]),
    inline: compiled.branches === undefined ? inline : [...inline, compiled.branches],
    window: windowOf(compiled, audience, context.afterNow),
  }
}

/** The relations of the attributes in the request's dimensions. Undefined if no dimension is an attribute. */
export async function groupingRelations(
  { dimensions, audience }: Pick<QueryRequest, 'dimensions' | 'audience'>,
  { hasManySources }: Pick<AudienceContext, 'hasManySources'>,
  values: ReadValues,
): Promise<AudienceRelations | undefined> {
  const compiled = compileAttributeValues(dimensions, audience, hasManySources)
  if (compiled === undefined) return undefined
  const { built, inline } = await relationsOf(compiled.attributes, values)
  return { built: new Map([...built, ['attribute_value', compiled.values]]), inline, window: undefined }
}

/** Finds the values of an attribute. */
export type ReadValues = (use: AttributeUse) => Promise<ValueRelation>

async function relationsOf(
  uses: readonly AttributeUse[],
  values: ReadValues,
): Promise<Pick<AudienceRelations, 'built' | 'inline'>> {
  const built = new Map<string, Fragment>()
  const inline: InlineRelation[] = []
  for (const use of uses) {
    const held = await values(use)
    if ('rows' in held) inline.push(held)
    else built.set(use.relation, held)
  }
  return { built, inline }
}

// Conditions on customers and subscriptions apply as of now, conditions on spans at the reference instant (D62).
function windowOf({ joins, readsSpans }: CompiledAudience, { before }: Audience, afterNow: Date): AudienceRelations['window'] {
  if (OF_WHOLE_HISTORY.some((name) => joins.has(name))) return { from: BEGINNING, to: afterNow }
  return readsSpans ? { from: before, to: before } : undefined
}

/** The smallest window that covers both windows. */
export function widen(
  window: { readonly from: Date; readonly to: Date },
  other: AudienceRelations['window'],
): { readonly from: Date; readonly to: Date } {
  if (other === undefined) return window
  return { from: other.from < window.from ? other.from : window.from, to: other.to > window.to ? other.to : window.to }
}

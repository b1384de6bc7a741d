/** What the tab remembers while the browser is at the issuer. */
export interface Pending {
  readonly verifier: string
  readonly state: string
  /** Address to come back to. */
  readonly back: string
  /** Whether the issuer was told to ask nothing. */
  readonly isSilent: boolean
}

const KEY = 'plumbline.signin'

export function writePending(pending: Pending): void {
  sessionStorage.setItem(KEY, JSON.stringify(pending))
}

/** What was remembered, which serves once; undefined where no sign-in was begun in this tab. */
export function takePending(): Pending | undefined {
  const text = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  const read: unknown = text === null ? undefined : JSON.parse(text)
  return isPending(read) ? read : undefined
}

function isPending(value: unknown): value is Pending {
  if (typeof value !== 'object' || value === null) return false
  const { verifier, state, back, isSilent }: { [Name in keyof Pending]?: unknown } = value
  return [verifier, state, back].every((text) => typeof text === 'string') && typeof isSilent === 'boolean'
}

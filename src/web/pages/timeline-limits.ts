interface Listed {
  readonly listed: number
  /** Total number, if known. */
  readonly total?: number | undefined
}

/**
 * Says which events a timeline leaves out. It requests at most `most` movements and invoices. Undefined if it shows all events.
 */
export function leftOutOf(most: number, movements: Listed, invoices: Listed): string | undefined {
  const limits = [
    ...(movements.listed < most ? [] : [`the ${movements.listed} largest movements`]),
    ...(invoices.listed >= (invoices.total ?? 0) ? [] : [`the ${invoices.listed} newest of ${invoices.total} invoices`]),
  ]
  return limits.length === 0 ? undefined : `Showing only ${limits.join(' and ')}.`
}

interface Listed {
  readonly listed: number
  /** How many there are, where that is known. */
  readonly total?: number | undefined
}

/** What a timeline that asked for at most so many movements and invoices may lack, in words; undefined where it has all. */
export function leftOutOf(most: number, movements: Listed, invoices: Listed): string | undefined {
  const limits = [
    ...(movements.listed < most ? [] : [`the ${movements.listed} largest movements`]),
    ...(invoices.listed >= (invoices.total ?? 0) ? [] : [`the ${invoices.listed} newest of ${invoices.total} invoices`]),
  ]
  return limits.length === 0 ? undefined : `Showing only ${limits.join(' and ')}.`
}

/** What machines ask every few seconds, by the address that they find in their directory. */
export const PROBES: readonly string[] = ['/healthz', '/readyz', '/metrics']

import type { Service } from './server.ts'

/** What machines ask every few seconds, by the address that they find in their directory. */
export const PROBES: readonly string[] = ['/healthz', '/readyz', '/metrics']

/** The service as far as machines probe it: nothing else is found. */
export function probesOf(service: Service): Service {
  return {
    fetch: (request, around) => {
      if (PROBES.includes(new URL(request.url).pathname)) return service.fetch(request, around)
      return new Response(null, { status: 404 })
    },
  }
}

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Deployment } from 'kubernetes-models/apps/v1'
import { ConfigMap, PersistentVolumeClaim, Service } from 'kubernetes-models/v1'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { loadConfig } from '../../src/app/config/config.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { PROBES } from '../../src/facades/http/paths.ts'
import { stagesOf } from './image/dockerfile-stages.ts'

const text = readFileSync(join(packageRoot(), 'examples', 'kubernetes', 'plumbline.yaml'), 'utf8')
const documents = parseAllDocuments(text).map((document) => document.toJS())
const of = (kind: string) => documents.find((document) => document.kind === kind)
const config = new ConfigMap(of('ConfigMap'))
const claim = new PersistentVolumeClaim(of('PersistentVolumeClaim'))
const deployment = new Deployment(of('Deployment'))
const service = new Service(of('Service'))
const pod = deployment.spec?.template.spec
const container = pod?.containers[0]

describe('the manifests for Kubernetes', () => {
  it('follow its schemas, by a check that can fail', () => {
    expect(documents.map(({ kind }) => kind)).toEqual(['ConfigMap', 'PersistentVolumeClaim', 'Deployment', 'Service'])
    for (const model of [config, claim, deployment, service]) expect(() => model.validate(), model.kind).not.toThrow()
    const { selector, ...rest } = of('Deployment').spec
    expect(selector).toBeDefined()
    expect(() => new Deployment({ spec: { ...rest, replicas: 'two' } } as never).validate()).toThrow(/selector|replicas/)
  })

  it('belong together', () => {
    const labels = deployment.spec?.template.metadata?.labels
    expect([deployment.spec?.selector.matchLabels, service.spec?.selector]).toEqual([labels, labels])
    expect(service.spec?.ports?.[0]?.targetPort).toBe(container?.ports?.[0]?.name)
    const mounted = container?.volumeMounts?.map(({ name }) => name).sort()
    expect(mounted).toEqual(pod?.volumes?.map(({ name }) => name).sort())
    expect(pod?.volumes).toEqual(
      expect.arrayContaining([
        { name: 'config', configMap: { name: config.metadata?.name } },
        { name: 'store', persistentVolumeClaim: { claimName: claim.metadata?.name } },
      ]),
    )
    // A store in a file has one process.
    expect([deployment.spec?.replicas, deployment.spec?.strategy?.type]).toEqual([1, 'Recreate'])
  })

  it('ask the probes that there are, and let the program do no more than it needs', () => {
    const probes = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe]
    const paths = probes.map((probe) => probe?.httpGet?.path)
    expect(paths).toEqual(['/healthz', '/healthz', '/readyz'])
    for (const path of paths) expect(PROBES).toContain(path)
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    const stages = stagesOf(readFileSync(join(packageRoot(), 'Dockerfile'), 'utf8'))
    const user = stages.flatMap(({ steps }) => steps).find(({ keyword }) => keyword === 'USER')?.text
    const { runAsNonRoot, runAsUser, runAsGroup } = pod?.securityContext ?? {}
    expect([runAsNonRoot, `${runAsUser}:${runAsGroup}`]).toEqual([true, user])
    const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'))
    expect(container?.image).toBe(`plumbline:${version}`)
  })

  it('configure the service with the address from the secret', () => {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-manifest-'))
    try {
      const path = join(folder, 'plumbline.toml')
      writeFileSync(path, config.data?.['plumbline.toml'] ?? '')
      const named = Object.fromEntries((container?.env ?? []).map(({ name, value }) => [name, value]))
      const environment = { ...named, PLUMBLINE_DATABASE_URL: 'postgres://plumbline_reader:x@replica:5432/killbill' }
      const loaded = loadConfig({ environment, cwd: '/data', home: undefined, config: path })
      expect([loaded.connector['tenant'], loaded.store.url]).toEqual([['acme'], 'sqlite:/data/store.db'])
      expect(container?.envFrom).toEqual([{ secretRef: { name: 'plumbline' } }])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

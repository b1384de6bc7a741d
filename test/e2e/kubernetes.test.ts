import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
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

const documentsOf = (name: string) =>
  parseAllDocuments(readFileSync(join(packageRoot(), 'examples', 'kubernetes', name), 'utf8')).map((document) => document.toJS())
const documents = documentsOf('plumbline.yaml')
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
    expect(deployment.spec?.selector.matchLabels).toEqual(labels)
    expect(labels).toMatchObject(service.spec?.selector ?? { none: true })
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

describe('the readers with a copied cache', () => {
  const [seedDocument, readerDocument, ...others] = documentsOf('readers.yaml')
  const seed = new PersistentVolumeClaim(seedDocument)
  const reader = new Deployment(readerDocument)
  const readerPod = reader.spec?.template.spec
  const [copying, ...otherSteps] = readerPod?.initContainers ?? []
  const [served, ...otherContainers] = readerPod?.containers ?? []

  it('follow the schemas, and belong to the service of the other manifest', () => {
    expect([others, otherSteps, otherContainers]).toEqual([[], [], []])
    for (const model of [seed, reader]) expect(() => model.validate(), model.kind).not.toThrow()
    const { labels } = reader.spec?.template.metadata ?? {}
    expect(labels).toMatchObject(service.spec?.selector ?? { none: true })
    expect(reader.spec?.selector.matchLabels).toEqual(labels)
    // The other deployment must not take these pods for its own.
    expect(labels).not.toMatchObject(deployment.spec?.selector.matchLabels ?? {})
    expect([served?.image, served?.args, served?.envFrom, served?.ports]).toEqual([
      container?.image,
      container?.args,
      container?.envFrom,
      container?.ports,
    ])
    expect([served?.startupProbe, served?.livenessProbe, served?.readinessProbe]).toEqual([
      container?.startupProbe,
      container?.livenessProbe,
      container?.readinessProbe,
    ])
    expect([served?.securityContext, copying?.securityContext]).toEqual([container?.securityContext, container?.securityContext])
    expect(readerPod?.securityContext).toEqual(pod?.securityContext)
    const names = readerPod?.volumes?.map(({ name }) => name).sort()
    const mounted = [...(served?.volumeMounts ?? []), ...(copying?.volumeMounts ?? [])].map(({ name }) => name)
    expect([...new Set(mounted)].sort()).toEqual(names)
    expect(readerPod?.volumes).toContainEqual({
      name: 'seed',
      persistentVolumeClaim: { claimName: seed.metadata?.name, readOnly: true },
    })
  })

  it('get the copy as a cache that only their user can reach, in the directory of the cache', () => {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-readers-'))
    try {
      const own = join(folder, 'seed', 'cache', '0123456789abcdef')
      mkdirSync(own, { recursive: true, mode: 0o775 })
      writeFileSync(join(own, 'mirror-1.duckdb'), 'rows', { mode: 0o664 })
      mkdirSync(join(folder, 'cache'))
      const [shell = '', ...words] = copying?.command ?? []
      const script = words.map((word) =>
        word.replaceAll(/\/(seed|cache)(?=\/| |$)/g, (path, name, at) => (word[at - 1] === ' ' ? join(folder, name) : path)),
      )
      expect(spawnSync(shell, script).status).toBe(0)
      const copied = join(folder, 'cache', '0123456789abcdef')
      expect(statSync(copied).mode & 0o777).toBe(0o700)
      expect(statSync(join(copied, 'mirror-1.duckdb')).mode & 0o777).toBe(0o600)
      expect(readFileSync(join(copied, 'mirror-1.duckdb'), 'utf8')).toBe('rows')
      const named = Object.fromEntries((served?.env ?? []).map(({ name, value }) => [name, value]))
      expect(named['PLUMBLINE_CACHE_DIRECTORY']).toBe(copying?.volumeMounts?.find(({ name }) => name === 'cache')?.mountPath)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

import { statfs } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { networkFileSystem } from '../../src/workspace/store/open/network-file-system.ts'

it.each([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  // As a signed number of 32 bits, as some systems return it.
  [0xff534d42 | 0, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9p'],
])('%i is the network file system %s', (type, name) => {
  expect(networkFileSystem(type)).toBe(name)
})

it.each([
  ['ext4', 0xef53],
  ['overlayfs', 0x794c7630],
  ['tmpfs', 0x01021994],
])('%s is none', (_name, type) => {
  expect(networkFileSystem(type)).toBeUndefined()
})

it('the temporary directory is on none', async () => {
  expect(networkFileSystem((await statfs('/tmp')).type)).toBeUndefined()
})

import { open } from 'node:fs/promises'
import { processIo } from '../../src/facades/cli/io.ts'

// A process with a thread that waits for a pipe without a writer, as it would wait for a disk that does not answer.

const { stop, stderr } = processIo({})
void open(process.argv[2] ?? '')
stop.addEventListener('abort', () => stderr.write('asked to stop\n'))
stderr.write('stuck\n')

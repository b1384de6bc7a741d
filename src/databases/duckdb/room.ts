import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { freeDiskBytes, machineMemory } from '../../core/machine-room.ts'
import type { CacheRoom, CacheWriter } from '../../ports/cache-database.ts'

/** DuckDB fills this share of the free disk with data beyond its memory. */
const SPILL_SHARE = 0.9

/** The room of a file with its log. A disk of unknown size is endless. */
export async function fileRoom(file: string): Promise<CacheRoom> {
  const directory = dirname(file)
  const [own, log, free] = await Promise.all([sizeOf(file), sizeOf(`${file}.wal`), freeDiskBytes(directory)])
  return { place: 'file', directory, taken: own + log, free: free ?? Number.POSITIVE_INFINITY }
}

/** The size of a file. DuckDB removes its log when it has written everything into the file. */
async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0
}

const TABLES = `select
  sum(case when tag = 'IN_MEMORY_TABLE' then memory_usage_bytes else 0 end)::double as memory,
  sum(temporary_storage_bytes)::double as spilled
from duckdb_memory()`

/** The room of tables in memory. Pages of the file that DuckDB keeps in memory do not count, because it can drop them. */
export async function memoryRoom(writer: CacheWriter, limit: number, directory: string): Promise<CacheRoom> {
  const [[row], freeDisk] = await Promise.all([
    writer.query({ text: TABLES, values: [], label: 'mirror.room' }),
    freeDiskBytes(directory),
  ])
  const figures = {
    memory: Number(row?.['memory'] ?? 0),
    spilled: Number(row?.['spilled'] ?? 0),
    limit,
    machine: machineMemory().bytes,
    resident: process.memoryUsage.rss(),
    freeDisk: freeDisk ?? Number.POSITIVE_INFINITY,
  }
  return { ...memoryRoomOf(figures), directory }
}

interface MemoryFigures {
  /** Tables in memory, and the data that has gone to disk. */
  readonly memory: number
  readonly spilled: number
  /** The memory that DuckDB may take before data goes to disk. */
  readonly limit: number
  /** The memory of the machine, and what this process takes of it, with the tables. */
  readonly machine: number
  readonly resident: number
  readonly freeDisk: number
}

/** The room of tables in memory, from figures in bytes. */
export function memoryRoomOf(figures: MemoryFigures): Omit<CacheRoom, 'directory'> {
  const { memory, spilled, limit, machine, resident, freeDisk } = figures
  const taken = memory + spilled
  const most = machine - Math.max(0, resident - memory)
  if (most < limit) return { place: 'machine', taken, free: Math.max(0, most - memory) }
  return { place: 'memory', taken, free: Math.max(0, limit - memory) + SPILL_SHARE * freeDisk }
}

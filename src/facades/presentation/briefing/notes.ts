import { noteText, remarksOn } from '../remarks.ts'
import type { Part } from './briefing.ts'

/** The notes on the days of the briefing. */
export const NOTES: Part = {
  title: 'Notes',
  async ask({ engine, days }) {
    const { notes } = await remarksOn(engine, days)
    const page = `mrr?start=${days.start}&end=${days.end}`
    return notes.length === 0 ? undefined : { kind: 'sentences', title: 'Notes', page, sentences: notes.map(noteText) }
  },
}

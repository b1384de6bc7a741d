import type { ReactNode } from 'react'
import type { Question } from '../api/question.ts'
import type { Asked } from '../api/use-answer.ts'
import { CardMenu } from './card-menu.tsx'
import { Answered, Warnings } from './states.tsx'

interface AnsweredCardProps {
  readonly title: string
  readonly question: Question
  readonly asked: Asked
  readonly height: number
  readonly children: ReactNode
}

/** A card about one answer that is neither chart nor table, with its menu; it keeps `height` until the answer is there. */
export function AnsweredCard({ title, question, asked, height, children }: AnsweredCardProps) {
  return (
    <section className="card" aria-label={title}>
      <header className="card-head">
        <h2>{title}</h2>
        <div className="card-tools">
          <CardMenu title={title} question={question} png={undefined} />
        </div>
      </header>
      <Warnings asked={asked} />
      <Answered asked={asked} height={height}>
        {children}
      </Answered>
    </section>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Problem } from '../parts/problem.tsx'
import { Skeleton } from '../parts/states.tsx'
import { useSession } from './session.ts'
import { SignIn } from './sign-in.tsx'
import { useSignInConfig } from './who.ts'

const HEIGHT = 480

/** Lets the page through once the service knows who asks, where it wants to know. */
export function Gate({ children }: { children: ReactNode }) {
  const { data: config, error, refetch } = useSignInConfig()
  const { isSignedIn, isRefused } = useSession()
  const queries = useQueryClient()
  const [wasSignedIn, setWasSignedIn] = useState(isSignedIn)
  useEffect(() => {
    // What one user was shown is not for the next.
    if (wasSignedIn && !isSignedIn) queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'auth-config' })
    setWasSignedIn(isSignedIn)
  }, [isSignedIn, wasSignedIn, queries])
  if (error !== null)
    return (
      <main className="sign-in">
        <Problem error={error} onRetry={() => void refetch()} />
      </main>
    )
  if (config === undefined) return <Skeleton height={HEIGHT} />
  if (!config.auth_enabled || isSignedIn) return children
  return <SignIn config={config} isRefused={isRefused} />
}

import { AppError } from './errors.ts'

/** The platform no longer accepts what a source was connected with: only a new consent helps. */
export function reconnectNeeded(detail: string, cause?: unknown): AppError {
  return new AppError('connector_unavailable', detail, { context: { needs_reconnect: true }, cause })
}

/** Whether an error says that a source has to be connected anew. */
export function isReconnectNeeded(error: unknown): boolean {
  return error instanceof AppError && error.context['needs_reconnect'] === true
}

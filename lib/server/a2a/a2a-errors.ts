import { A2AError, RequestMalformedError, TaskNotFoundError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { AppError } from '@/lib/base/app-error';
import { createLog } from '@/lib/server/log';
import { unavailable } from '@/lib/server/outage';

const log = createLog('web');

/** Runs work and turns what it throws into errors of A2A. A bug is logged, and the error says nothing about it. */
export async function asA2aErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toA2aError(error);
  }
}

export async function* streamAsA2aErrors<T>(
  work: () => AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  try {
    yield* work();
  } catch (error) {
    throw toA2aError(error);
  }
}

function toA2aError(error: unknown): A2AError {
  if (error instanceof A2AError) return error;
  const expected = error instanceof AppError ? error : unavailable(error);
  if (expected === undefined) {
    log.error({ err: error }, 'A2A request failed');
    return new A2AError('Something went wrong on our side. The log of the server has the details.');
  }
  switch (expected.code) {
    case 'not_found':
      return new TaskNotFoundError(expected.message);
    case 'bad_request':
    case 'too_large':
      return new RequestMalformedError(expected.message);
    case 'not_trusted':
    case 'not_approved':
    case 'not_allowed':
      return new UnsupportedOperationError(expected.message);
    default:
      return new A2AError(expected.message);
  }
}

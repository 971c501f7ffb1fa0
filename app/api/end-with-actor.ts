import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { whoStillAsks } from '@/lib/server/accounts/who-asks';

/**
 * A stream ends within ten seconds after its token was revoked, its person signed out, or a right changed. The check itself may wait for the
 * database, and a page first has to learn that its stream ended.
 */
const checkMs = 5_000;

/**
 * Ends a stream of events once the request would be decided otherwise: a token was revoked, a session has ended, a person has another role. The
 * client connects again, and is then decided on anew. The limits on requests have no say in this. Other responses are returned as they are.
 */
export function endWithActor(response: Response, request: Request, actor: Actor): Response {
  const { body } = response;
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (body === null || !isStream) return response;
  return new Response(
    endingWhen(body, checkMs, () => isOther(request, actor)),
    response,
  );
}

async function isOther(request: Request, actor: Actor): Promise<boolean> {
  try {
    return !isDeepStrictEqual(await whoStillAsks(request), actor);
  } catch (error) {
    // While the database cannot be asked, streams stay.
    return error instanceof AppError && error.code === 'not_signed_in';
  }
}

/** Passes a stream on as its reader takes it, and ends it when a regular check says so. */
function endingWhen(
  body: ReadableStream<Uint8Array>,
  everyMs: number,
  isOver: () => Promise<boolean>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let isOpen = true;
  let timer: ReturnType<typeof setInterval>;
  const shut = () => {
    isOpen = false;
    clearInterval(timer);
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        timer = setInterval(async () => {
          if (!(await isOver()) || !isOpen) return;
          shut();
          controller.close();
          await reader.cancel().catch(() => undefined);
        }, everyMs);
        timer.unref();
      },
      async pull(controller) {
        const { done, value } = await reader.read();
        // The check may have ended it during the wait.
        if (!isOpen) return;
        if (!done) {
          controller.enqueue(value);
          return;
        }
        shut();
        controller.close();
      },
      async cancel(reason) {
        shut();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

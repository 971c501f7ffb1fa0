import { randomUUID } from 'node:crypto';
import { hideValues } from '@/lib/base/hide-values';
import { parseJson } from '@/lib/base/json';
import type { SignInCodeRequest, SignInRequest, SignOutRequest, TaskAnswer } from '@/lib/base/task';
import type { RunContext } from '@/lib/jobs/run-context';
import { insertAttempt, putSignIn, signInLabel, takeAttempt } from '@/lib/store/mcp-sign-ins';
import { sealNamed, typedLabel, unsealNamed } from '@/lib/store/sealing';
import type { TakenTask, TaskFiles } from '@/lib/store/tasks';
import { begunSignIn, keptSignIn, secretsOfSignIn } from '@/lib/tools/mcp/kept-sign-in';
import { createOAuthFetch, type OAuthFetch, SignInFault } from '@/lib/tools/mcp/oauth-fetch';
import type { ServerSpec } from '@/lib/tools/mcp/server-spec';
import { beginSignIn, finishSignIn, revokeSignIn } from '@/lib/tools/mcp/sign-in-flow';
import { expiryOf } from './sign-in-book';

type Context = Pick<RunContext, 'store' | 'clock' | 'log' | 'guard' | 'keys' | 'signIns'>;

/** Finds out where people sign in at a server, and keeps what is needed to finish. The address for the browser has no `state` yet. */
export async function beginTask(
  context: Context,
  files: TaskFiles,
  { spec, request }: { readonly spec: ServerSpec | string; readonly request: SignInRequest },
  signal: AbortSignal,
): Promise<TaskAnswer> {
  const { server, redirectUrl, by } = request;
  if (typeof spec === 'string') return refused(`Server '${server}' cannot be used: ${spec}`);
  if (spec.transport === 'stdio') return refused(`Server '${server}' is started by a command. Nobody signs in there.`);
  const { auth, url: address, transport, headers } = spec;
  if (auth === undefined) {
    return refused(`The settings of server '${server}' have a token of their own, or 'auth: {oauth: false}'.`);
  }
  return await withFetch(context, signal, async ({ fetch }) => {
    const { scope, clientMetadataUrl } = auth;
    const { url, begun } = await beginSignIn(
      { address, transport, headers, scope, clientMetadataUrl },
      redirectUrl,
      fetch,
    );
    const id = randomUUID();
    const secret = begun.client.client_secret;
    if (secret !== undefined) context.signIns.hide([secret]);
    const sealed = sealedFor(context, id, begun);
    const { projectId } = files;
    await insertAttempt(context.store, { id, projectId, server, address, url: url.href, sealed, by });
    return { ok: true, kind: 'sign-in', attempt: id, host: url.host };
  });
}

/** Exchanges the code that the browser brought for tokens, and keeps them. */
export async function finishTask(
  context: Context,
  task: Pick<TakenTask, 'id'>,
  request: SignInCodeRequest,
  signal: AbortSignal,
): Promise<TaskAnswer> {
  const attempt = await takeAttempt(context.store, request.attempt);
  if (attempt === undefined) return refused('This sign-in has been used or has expired. Begin again.');
  const { id, server, address } = attempt;
  const begun = begunSignIn.parse(parseJson(unsealNamed(attempt.sealed, signInLabel(id), context.keys)));
  const { code, issuer } = codeShape(unsealNamed(request.sealed, typedLabel(task.id), context.keys));
  context.signIns.hide([code]);
  return await withFetch(context, signal, async ({ fetch }) => {
    const { kept, expiresInSeconds } = await finishSignIn(begun, { code, issuer }, fetch);
    context.signIns.hide(secretsOfSignIn(kept));
    const own = randomUUID();
    const sealed = sealedFor(context, own, kept);
    const provider = new URL(kept.authorizationServer).host;
    const expiresAt = expiryOf(context.clock, expiresInSeconds);
    await putSignIn(context.store, { ...attempt, id: own, sealed, provider, expiresAt });
    return { ok: true, kind: 'signed-in', server, host: new URL(address).host };
  });
}

/** Tells the authorization server that a sign-in that was forgotten is not used any more. */
export async function revokeTask(
  context: Context,
  { signIn, sealed }: SignOutRequest,
  signal: AbortSignal,
): Promise<TaskAnswer> {
  const kept = keptSignIn.parse(parseJson(unsealNamed(sealed, signInLabel(signIn), context.keys)));
  context.signIns.hide(secretsOfSignIn(kept));
  return await withFetch(context, signal, async ({ fetch }) => {
    return { ok: true, kind: 'signed-out', isRevoked: await revokeSignIn(kept, fetch) };
  });
}

async function withFetch(
  context: Context,
  signal: AbortSignal,
  work: (http: OAuthFetch) => Promise<TaskAnswer>,
): Promise<TaskAnswer> {
  const http = createOAuthFetch(context.guard, signal);
  try {
    return hideValues(await work(http), context.signIns.hidden.current());
  } catch (error) {
    if (!(error instanceof SignInFault)) throw error;
    return hideValues(refused(error.message), context.signIns.hidden.current());
  } finally {
    http.close();
  }
}

function sealedFor({ keys: [newest] }: Context, id: string, value: object): string {
  if (newest === undefined)
    throw new SignInFault('This worker has no key for secrets. Start Callboard with npm start.');
  return sealNamed(JSON.stringify(value), signInLabel(id), newest);
}

/** The web process wrote it: the code and, if the callback had one, the issuer, as a JSON list. */
function codeShape(text: string): { readonly code: string; readonly issuer: string | undefined } {
  const value = parseJson(text);
  const [code, issuer] = Array.isArray(value) ? value : [];
  if (typeof code !== 'string') throw new Error('Bug: a code of another form');
  return { code, issuer: typeof issuer === 'string' ? issuer : undefined };
}

function refused(message: string): TaskAnswer {
  return { ok: false, code: 'sign_in', message };
}

import { z } from 'zod';
import { noQuery } from '@/app/api/query';
import { readJson } from '@/app/api/read-body';
import { respondToAnyone } from '@/app/api/respond';
import { scopes } from '@/lib/base/rights';
import { beginLogin } from '@/lib/server/accounts/cli-login';

/** Hidden characters are refused, because a person reads the name to judge who asks. */
const machine = z
  .string()
  .trim()
  .min(1, 'Give the name of the machine.')
  .max(100)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, 'The name of the machine has a hidden character.');
/** Nobody is signed in, so no more than a name and the scopes is read. */
const longestBody = 1024;
const body = z.strictObject({ machine, scopes: z.array(z.enum(scopes)).min(1).max(scopes.length) });

/**
 * Begins `callboard login`. The command shows the link and the code to its person, and fetches the token with the secret. Nobody is signed in
 * yet; nothing is given before a person allows it.
 */
export const POST = respondToAnyone(async (request) => {
  return Response.json(await beginLogin(request, () => readJson(request, body, longestBody)), { status: 201 });
}, noQuery);

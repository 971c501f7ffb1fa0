import { z } from 'zod';
import { noQuery } from '@/app/api/query';
import { readJson } from '@/app/api/read-body';
import { respondToAnyone } from '@/app/api/respond';
import { fetchLogin } from '@/lib/server/accounts/cli-login';

/** Nobody is signed in, so no more than a secret is read. */
const longestBody = 1024;
const body = z.strictObject({ secret: z.string().min(1).max(100) });

/** Answers the command that has begun a login: it waits, was refused, or gets its token, once. The secret is what it proves itself with. */
export const POST = respondToAnyone(
  async (request) => await fetchLogin(request, async () => (await readJson(request, body, longestBody)).secret),
  noQuery,
);

import { readBytes } from '@/app/api/read-body';
import { respondToAnyone } from '@/app/api/respond';
import { serveSignIn } from './sign-in';

const longestForm = 16 * 1024;

/** Takes the form of the sign-in page: `token`, and `to`, the page to continue with. */
export const POST = respondToAnyone(async (request) => {
  const form = new URLSearchParams(new TextDecoder().decode(await readBytes(request, longestForm)));
  return serveSignIn(request, form.get('token') ?? '', form.get('to') ?? '/', performance.now());
});

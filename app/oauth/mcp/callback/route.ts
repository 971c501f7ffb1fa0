import { anyQuery } from '@/app/api/query';
import { respond } from '@/app/api/respond';
import { escaped, plainResponse } from '@/app/plain-page';
import { AppError } from '@/lib/base/app-error';
import { comeBack } from '@/lib/server/sign-ins';

/** Where the browser comes back to after a sign-in at an MCP server (RFC 6749, section 4.1.2; RFC 9207). */
export const GET = respond(anyQuery, async (request, _params, actor, asked) => {
  const given = (name: string) => asked.get(name)?.slice(0, 8_000) || undefined;
  const cookies = new Map(
    (request.headers.get('cookie') ?? '').split(';').map((pair): [string, string] => {
      const [name = '', value = ''] = pair.trim().split('=', 2);
      return [name, value];
    }),
  );
  try {
    const arrival = { state: given('state') ?? '', code: given('code'), error: given('error'), issuer: given('iss') };
    const { server, host } = await comeBack(actor, { ...arrival, cookie: (name) => cookies.get(name) }, request.signal);
    const text = `Runs of the project now use your sign-in at the server ${server} (${host}). You can close this tab.`;
    return page('Signed in', text, 200);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return page('Not signed in', error.message, error.code === 'unavailable' ? 503 : 400);
  }
});

function page(title: string, text: string, status: number): Response {
  const main = `<h1>${title}</h1>\n<p role="status">${escaped(text)}</p>\n<p><a href="/settings/servers">Open Settings</a></p>`;
  return plainResponse({ title, main }, status, { 'Referrer-Policy': 'no-referrer' });
}

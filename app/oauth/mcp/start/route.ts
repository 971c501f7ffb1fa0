import { anyQuery } from '@/app/api/query';
import { respond } from '@/app/api/respond';
import { AppError } from '@/lib/base/app-error';
import { isBehindTls } from '@/lib/server/client-address';
import { leave } from '@/lib/server/sign-ins';

/** Sends the browser to the provider of an MCP server. Only a page of this app may, so that nobody is lured into another's sign-in. */
export const GET = respond(anyQuery, async (request, _params, actor, asked) => {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') {
    throw new AppError('not_allowed', 'Begin the sign-in on the Settings page.');
  }
  const attempt = asked.get('attempt') ?? '';
  const { url, cookie } = await leave(actor, attempt);
  const secure = isBehindTls(request) ? '; Secure' : '';
  const flags = `Path=/oauth/mcp; HttpOnly; SameSite=Lax; Max-Age=600${secure}`;
  const headers = { Location: url.href, 'Set-Cookie': `${cookie.name}=${cookie.value}; ${flags}` };
  return new Response(null, {
    status: 303,
    headers: { ...headers, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
  });
});

import { respondToAnyone } from '@/app/api/respond';
import { GET as event } from '@/app/api/v1/runs/[run]/events/[seq]/route';
import { GET as events } from '@/app/api/v1/runs/[run]/events/route';
import { GET as graph } from '@/app/api/v1/runs/[run]/graph/route';
import { GET as modelCall } from '@/app/api/v1/runs/[run]/model-calls/[seq]/route';
import { GET as run } from '@/app/api/v1/runs/[run]/route';
import { GET as search } from '@/app/api/v1/runs/[run]/search/route';
import { GET as timeline } from '@/app/api/v1/runs/[run]/timeline/route';
import { GET as versions } from '@/app/api/v1/runs/[run]/versions/route';
import { shareTokenOf } from '@/app/share/share-gate';
import { AppError } from '@/lib/base/app-error';
import { whoAsks } from '@/lib/server/accounts/who-asks';
import { notSignedIn } from '@/lib/server/request-guard';

interface Params {
  readonly link: string;
  readonly rest?: readonly string[];
}

/**
 * What the page of a share link reads: some routes of the HTTP API, for the run of the link. The cookie of the link decides, whoever else
 * is signed in in this browser.
 */
export const GET = respondToAnyone<Params>(async (request, { link, rest = [] }) => {
  const token = shareTokenOf(request.headers, link);
  if (token === undefined) return notSignedIn();
  const headers = new Headers(request.headers);
  headers.set('Authorization', `Bearer ${token}`);
  const asked = new Request(request.url, { headers, signal: request.signal });
  const reach = (await whoAsks(asked))?.reach;
  if (reach === undefined || reach === 'all' || reach.kind !== 'share') return notSignedIn();
  return await answer(asked, reach.run, rest);
});

async function answer(request: Request, id: string, [name, seq, ...more]: readonly string[]): Promise<Response> {
  const whole = { params: Promise.resolve({ run: id }) };
  const one = { params: Promise.resolve({ run: id, seq: seq ?? '' }) };
  if (more.length > 0) throw nothingThere();
  if (seq !== undefined) {
    if (name === 'events') return await event(request, one);
    if (name === 'model-calls') return await modelCall(request, one);
    throw nothingThere();
  }
  switch (name) {
    case undefined:
      return await run(request, whole);
    case 'timeline':
      return await timeline(request, whole);
    case 'events':
      return await events(request, whole);
    case 'versions':
      return await versions(request, whole);
    case 'search':
      return await search(request, whole);
    case 'graph':
      return await graph(request, whole);
    default:
      throw nothingThere();
  }
}

function nothingThere(): AppError {
  return new AppError('not_found', 'A share link has nothing at this address.');
}

import { readBytes } from '@/app/api/read-body';
import { respondToAnyone } from '@/app/api/respond';
import { plainResponse } from '@/app/plain-page';
import { AppError } from '@/lib/base/app-error';
import { answerByLink, type LinkDecision, type LinkedQuestion, readLinkedQuestion } from '@/lib/server/answer-links';
import { longestForm } from '@/lib/server/front/page-bodies';
import { endedPage, questionPage, refusedPage } from './answer-page';

/*
 * The page that a link in mail opens. The link itself is the right to answer, so nobody signs in. Mail programs and scanners open links:
 * a GET shows the question and changes nothing, however often it comes. Only a POST from this page answers.
 */

const headers = { 'X-Robots-Tag': 'noindex' };

interface Params {
  readonly link: string;
}

export const GET = respondToAnyone<Params>(async (_request, { link }) => {
  return await shown(link, () => readLinkedQuestion(link));
});

/** Takes the form of the page: `decision`, `approve` or `deny`, and `note`. */
export const POST = respondToAnyone<Params>(async (request, { link }) => {
  if (!isFromOurPage(request)) return refused('Open the link and press a button on its page.', 403);
  const form = new URLSearchParams(new TextDecoder().decode(await readBytes(request, longestForm)));
  const decision = decisionOf(form.get('decision'));
  const note = (form.get('note') ?? '').slice(0, 2_000);
  const problem = 'Choose one of the buttons.';
  if (decision === undefined) return await shown(link, () => readLinkedQuestion(link), { problem, status: 400 });
  try {
    return await shown(link, () => answerByLink(link, decision, note));
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'conflict' && error.code !== 'bad_request')) throw error;
    const status = error.code === 'conflict' ? 409 : 400;
    return await shown(link, () => readLinkedQuestion(link), { problem: error.message, status });
  }
});

async function shown(
  link: string,
  read: () => Promise<LinkedQuestion>,
  { problem, status = 200 }: { readonly problem?: string; readonly status?: number } = {},
): Promise<Response> {
  try {
    const found = await read();
    const isOpen = found.item.status === 'open';
    const page = isOpen ? questionPage(found, `/answer/${link}`, problem) : endedPage(found, problem);
    return plainResponse(page, status, headers);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'not_found') return refused(error.message, 404);
    if (error.code === 'not_allowed') return refused(error.message, 410);
    throw error;
  }
}

function refused(message: string, status: number): Response {
  return plainResponse(refusedPage(message), status, headers);
}

/** Browsers send `Origin` with every POST, and the guard of all routes has checked that it is ours. */
function isFromOurPage(request: Request): boolean {
  return request.headers.get('origin') !== null;
}

function decisionOf(text: string | null): LinkDecision | undefined {
  return text === 'approve' || text === 'deny' ? text : undefined;
}

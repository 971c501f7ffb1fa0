import type { InstancePath } from '@/lib/base/ids';
import { err, ok, type Result } from '@/lib/base/result';
import type { Card } from '@/lib/cards/card';
import { reachableFrom } from '@/lib/cards/project/reachable';
import { urlsOf } from '@/lib/cards/url-placeholder';
import type { Run } from '@/lib/runtime/instance/run';
import { notWaitedFor } from '@/lib/runtime/instance/setups';
import type { RunError } from '@/lib/runtime/record/events';
import { thrownMessage } from '@/lib/runtime/record/tool-error';
import { expandIncludes, maxIncludeDepth, tooDeep } from './url-includes';

/** Limits the texts of one run, because a text may include many others. */
const maxTexts = 100;

interface Wanted {
  readonly url: string;
  /** The agent whose instruction includes the text. */
  readonly card: Card;
  /** The address of the text that names this one; `undefined` if the card does. */
  readonly namedBy: string | undefined;
}

/**
 * Returns the texts of `{{url:…}}` in the instructions of every agent the entry can reach. A text comes from the log, or is
 * fetched once before the first model call. If one cannot be fetched, the run ends. If the run is stopped meanwhile,
 * no text is recorded. The instance `root` waits meanwhile.
 */
export async function fetchIncludes(
  run: Run,
  entry: Card,
  root: InstancePath,
): Promise<Result<ReadonlyMap<string, string>, RunError>> {
  const cards = [...reachableFrom(entry, run.cards, run.parsed.settings).values()];
  const texts = new Map(run.journal.fetched);
  const open: ((error?: RunError) => void)[] = [];
  const begin = (url: string) => {
    const end = run.setups.begin(root, 'text', url);
    open.push(end);
    return end;
  };
  const seen = new Map<string, Wanted>();
  let level = cards.flatMap((card) => wantedIn(card.instruction ?? '', card, undefined));
  for (let depth = 1; level.length > 0; depth += 1) {
    const fresh: Wanted[] = [];
    for (const wanted of level) {
      if (seen.has(wanted.url)) continue;
      if (depth > maxIncludeDepth) return err(unavailable(wanted, tooDeep));
      if (seen.size >= maxTexts) return err(unavailable(wanted, `a run reads at most ${maxTexts} addresses`));
      seen.set(wanted.url, wanted);
      fresh.push(wanted);
    }
    const missing = fresh.filter(({ url }) => !texts.has(url));
    const problems = await run.scope.race(
      Promise.all(missing.map((wanted) => fetchOne(run, begin, wanted, texts))),
      () => [],
    );
    if (run.scope.reason) {
      // A fetch may go on after the run has ended, and nothing is recorded then.
      for (const end of open) end(notWaitedFor);
      return ok(new Map());
    }
    const problem = problems.find((each) => each !== undefined);
    if (problem) return err(problem);
    level = fresh.flatMap(({ url, card }) => wantedIn(texts.get(url) ?? '', card, url));
  }
  const needed = new Map([...texts].filter(([url]) => seen.has(url)));
  const expanded = expandIncludes(needed);
  if (expanded.ok) return expanded;
  const { url, reason } = expanded.error;
  const wanted = seen.get(url);
  return err(wanted ? unavailable(wanted, reason) : { code: 'url_unavailable', message: `${url}: ${reason}.` });
}

function wantedIn(text: string, card: Card, namedBy: string | undefined): Wanted[] {
  return urlsOf(text).map((url) => ({ url, card, namedBy }));
}

/** Keeps the text and records it, or returns why it could not be fetched. `begin` records that the root waits for it. */
async function fetchOne(
  run: Run,
  begin: (url: string) => (error?: RunError) => void,
  wanted: Wanted,
  texts: Map<string, string>,
): Promise<RunError | undefined> {
  const { urls, events } = run.ports;
  const { url, namedBy } = wanted;
  if (!urls) return unavailable(wanted, 'nothing can be fetched here');
  const { signal } = run.scope;
  const ended = begin(url);
  const answer = await urls.read(url, { signal, namedBy }).catch((error: unknown) => err(thrownMessage(error)));
  if (run.scope.reason) return undefined;
  if (!answer.ok) {
    const fault = unavailable(wanted, answer.error);
    ended(fault);
    return fault;
  }
  texts.set(url, answer.value);
  events.append({ kind: 'url.fetched', url, text: answer.value });
  ended();
  return undefined;
}

function unavailable({ url, card, namedBy }: Wanted, reason: string): RunError {
  const place = namedBy === undefined ? '' : ` in the text of ${namedBy}`;
  return {
    code: 'url_unavailable',
    message: `Agent '${card.name}' (${card.file}): {{url:${url}}}${place} cannot be filled in: ${reason}. Correct the address, or remove the placeholder.`,
  };
}

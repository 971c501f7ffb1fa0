import { AppError } from '@/lib/base/app-error';
import { escapeHidden, escapeHiddenLines } from '@/lib/base/escape-hidden';
import { type GitHash, readHash } from './git-object';
import { bandLines, flushLine, joined, pktLine, readPkts, textOfPkt } from './pkt-line';

/** A change of one ref that a push asks for. `noObject` stands for a ref that is not there, before or after. */
export interface RefChange {
  readonly name: string;
  readonly before: GitHash;
  readonly after: GitHash;
}

export interface PushRequest {
  readonly changes: readonly RefChange[];
  readonly abilities: ReadonlySet<string>;
  /** The texts of `git push -o`, in their order. */
  readonly options: readonly string[];
  /** The bytes of the pack. Empty if every change removes a ref. */
  readonly pack: Uint8Array;
}

const mostChanges = 50;

/** Reads a request to `git-receive-pack` (gitprotocol-pack: reference update request). Throws AppError `bad_request`. */
export function readPushRequest(bytes: Uint8Array): PushRequest {
  const { lines, end } = readPkts(bytes, () => true);
  const texts = lines.flatMap((line) => (line === 'flush' ? [] : [textOfPkt(line)]));
  if (texts.length > mostChanges) {
    throw new AppError('bad_request', `A push changes at most ${mostChanges} branches. Push fewer at once.`);
  }
  const [first = ''] = texts;
  const abilities = new Set((first.split('\0')[1] ?? '').split(' '));
  const changes = texts.map((text) => readChange(text.split('\0')[0] ?? ''));
  const rest = bytes.subarray(end);
  if (!abilities.has('push-options') || changes.length === 0) return { changes, abilities, options: [], pack: rest };
  const given = readPkts(rest, () => true);
  const options = given.lines.flatMap((line) => (line === 'flush' ? [] : [textOfPkt(line)]));
  return { changes, abilities, options, pack: rest.subarray(given.end) };
}

function readChange(text: string): RefChange {
  const found = /^([0-9a-f]{40}) ([0-9a-f]{40}) (.{1,300})$/s.exec(text);
  const [before, after] = [readHash(found?.[1] ?? ''), readHash(found?.[2] ?? '')];
  const name = found?.[3];
  if (before === undefined || after === undefined || name === undefined) {
    throw new AppError('bad_request', 'The push has a line that is no change of a branch. Update git.');
  }
  return { name, before, after };
}

/** What became of a change: nothing is said if it was made, else why it was refused. */
export interface RefResult {
  readonly name: string;
  readonly refused: string | undefined;
}

/**
 * Writes the answer to a push (gitprotocol-pack: report status). `fault` says why the pack could not be read; then nothing was changed.
 * `message` is shown to the person, with `remote:` before each line.
 */
export function pushAnswer(
  { abilities }: Pick<PushRequest, 'abilities'>,
  results: readonly RefResult[],
  { fault, message }: { readonly fault?: string | undefined; readonly message?: string | undefined } = {},
): Uint8Array {
  const isBand = abilities.has('side-band-64k');
  const report = joined([
    pktLine(`unpack ${oneLine(fault ?? 'ok')}\n`),
    ...results.map(({ name, refused }) =>
      pktLine(refused === undefined ? `ok ${name}\n` : `ng ${name} ${oneLine(refused)}\n`),
    ),
    flushLine,
  ]);
  const said =
    message !== undefined && isBand
      ? [...bandLines('message', new TextEncoder().encode(escapeHiddenLines(message)))]
      : [];
  const told = abilities.has('report-status') ? (isBand ? [...bandLines('data', report)] : [report]) : [];
  return joined([...said, ...told, ...(isBand ? [flushLine] : [])]);
}

function oneLine(text: string): string {
  return escapeHidden(text.replace(/\s+/g, ' ').slice(0, 1_000));
}

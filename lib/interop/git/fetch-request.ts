import { AppError } from '@/lib/base/app-error';
import { type GitHash, readHash } from './git-object';
import { type Pkt, readPkts, textOfPkt } from './pkt-line';

/** What a client asks of `git-upload-pack` in one request (gitprotocol-pack: packfile negotiation). */
export interface FetchRequest {
  readonly wants: readonly GitHash[];
  readonly abilities: ReadonlySet<string>;
  /** What the client has, in lists that end with a flush or with `done`. */
  readonly rounds: readonly (readonly GitHash[])[];
  readonly isDone: boolean;
}

const mostLines = 20_000;

/** Reads a request. Throws AppError `bad_request`. */
export function readFetchRequest(bytes: Uint8Array): FetchRequest {
  const { lines } = readPkts(bytes);
  if (lines.length > mostLines) throw new AppError('bad_request', 'The request names too many commits. Clone again.');
  const split = lines.indexOf('flush');
  const asked = (split === -1 ? lines : lines.slice(0, split)).map((line) => (line === 'flush' ? '' : textOfPkt(line)));
  const wants: GitHash[] = [];
  let abilities: readonly string[] = [];
  for (const [at, line] of asked.entries()) {
    const [word, hash = '', ...rest] = line.split(' ');
    if (word === 'deepen' || word === 'deepen-since' || word === 'deepen-not' || word === 'shallow') throw noShallow();
    const want = word === 'want' ? readHash(hash) : undefined;
    if (want === undefined) throw wrongLine();
    wants.push(want);
    if (at === 0) abilities = rest;
  }
  return { wants, abilities: new Set(abilities), ...readHaves(split === -1 ? [] : lines.slice(split + 1)) };
}

function readHaves(lines: readonly Pkt[]): Pick<FetchRequest, 'rounds' | 'isDone'> {
  const rounds: GitHash[][] = [];
  let round: GitHash[] = [];
  for (const line of lines) {
    if (line === 'flush') {
      rounds.push(round);
      round = [];
      continue;
    }
    const text = textOfPkt(line);
    if (text === 'done') return { rounds: [...rounds, round], isDone: true };
    const have = text.startsWith('have ') ? readHash(text.slice('have '.length)) : undefined;
    if (have === undefined) throw wrongLine();
    round.push(have);
  }
  return { rounds, isDone: false };
}

function wrongLine(): AppError {
  return new AppError('bad_request', 'The git client asks for something that Callboard does not know. Update git.');
}

function noShallow(): AppError {
  return new AppError('bad_request', 'A shallow clone is not supported. Clone the whole history; it is small.');
}

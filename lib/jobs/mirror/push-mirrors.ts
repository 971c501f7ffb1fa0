import type { Logger } from 'pino';
import { hiderOf } from '@/lib/base/hider';
import { joined } from '@/lib/interop/git/pkt-line';
import { type GitRef, mainRef } from '@/lib/interop/git/refs';
import { type History, readHistory } from '@/lib/store/git/history';
import { packObjects, planPack, readBlobs } from '@/lib/store/git/pack-plan';
import { writePack } from '@/lib/store/git/write-pack';
import { claimMirrors, type DueMirror, followReleases, type MirrorEnd, settleMirror } from '@/lib/store/mirrors';
import type { AddressGuard } from '@/lib/tools/mcp/address-guard';
import { createGuardedFetch, type GuardedFetch } from '@/lib/tools/mcp/guarded-fetch';
import { problemOfMirror } from './mirror-address';
import { openToken, type TokenSource } from './mirror-token';
import { type PushPlan, planPush } from './plan-push';
import { type Remote, RemoteProblem, readRemote, sendPush } from './remote';

/** After a failed attempt the next one waits for so long, in seconds, more or less by a fifth. */
const waitSeconds = [5, 60, 300, 1_800, 7_200, 18_000, 36_000] as const;
/** A worker pushes for so many projects at the same time. */
const atOnce = 4;
const timeoutMs = 150_000;
const mostPackBytes = 256 * 1024 * 1024;

export interface MirrorPusherOptions extends TokenSource {
  readonly log: Logger;
  /** Decides which addresses may be called. */
  readonly guard: AddressGuard;
  /** Aborts when the worker stops. */
  readonly signal: AbortSignal;
  /** From 0 up to 1. */
  readonly random?: () => number;
}

export interface MirrorPusher {
  /** Pushes for the projects whose labels have moved, and what is due again. Returns the number of pushes. */
  pushDue(): Promise<number>;
  close(): void;
}

/**
 * Pushes what is live to the mirrors of projects. Each push is made by one worker. One that fails because the remote is away is tried
 * again, at most 8 times in 17 hours; the next publication, or a person, begins anew.
 */
export function createMirrorPusher(options: MirrorPusherOptions): MirrorPusher {
  const { store, guard, signal, log, random = Math.random } = options;
  const guarded = createGuardedFetch(guard);

  async function pushOne(due: DueMirror): Promise<void> {
    const end = await push(options, guarded, due).catch((error: unknown): MirrorEnd => {
      if (signal.aborted) return { state: 'stopped' };
      if (error instanceof RemoteProblem) {
        if (!error.isPassing) return { state: 'failed', error: error.message };
        return again(due, error.message, random());
      }
      log.error({ err: error, project: due.project }, 'a push to a mirror failed because of a bug');
      return again(due, 'An error of Callboard, which its log explains.', random());
    });
    await settleMirror(store, due, end);
  }

  return {
    async pushDue() {
      await followReleases(store);
      const due = await claimMirrors(store, atOnce);
      await Promise.all(due.map(pushOne));
      return due.length;
    },
    close: () => guarded.close(),
  };
}

function again({ attempt }: DueMirror, error: string, random: number): MirrorEnd {
  const seconds = waitSeconds[attempt - 1];
  if (seconds === undefined) return { state: 'failed', error: `Given up after ${attempt} attempts. ${error}` };
  return { state: 'again', afterMs: seconds * 1_000 * (0.8 + 0.4 * random), error };
}

async function push(
  options: MirrorPusherOptions,
  guarded: Pick<GuardedFetch, 'fetch'>,
  due: DueMirror,
): Promise<MirrorEnd> {
  const { store } = options;
  const { project, url, user } = due;
  const problem = problemOfMirror(url);
  if (problem !== undefined) return { state: 'failed', error: `The address of the mirror ${problem}` };
  const opened = await openToken(options, project, due);
  if ('problem' in opened) return { state: 'failed', error: opened.problem };
  const { token } = opened;
  const history = await readHistory(store, project);
  if (!history.refs.some(({ name }) => name === mainRef)) return { state: 'nothing' };
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)]);
  const remote: Remote = { url, user, token, signal };
  const refs = await readRemote(guarded, remote);
  const plan = planPush(history, refs.refs);
  if (plan.kind === 'nothing') return { state: 'nothing' };
  if (plan.kind === 'diverged') return { state: 'diverged', error: divergedWords(plan.refs) };
  const { changes, main } = plan;
  if (changes.length === 0) return { state: 'pushed', hash: main };
  const report = await sendPush(guarded, remote, {
    changes,
    refs,
    pack: await packOf(options, due, { history, plan }),
  });
  const [refused] = report.refused;
  if (report.fault === undefined && refused === undefined) return { state: 'pushed', hash: main };
  const said = refused === undefined ? report.fault : `${shortName(refused.name)}: ${refused.why}`;
  const words = `The remote refused ${hidden(said ?? '', remote)}. See its rules for branches, then push now.`;
  return { state: 'failed', error: words };
}

async function packOf(
  { store }: MirrorPusherOptions,
  { project }: DueMirror,
  { history, plan }: { readonly history: History; readonly plan: Extract<PushPlan, { kind: 'push' }> },
): Promise<Uint8Array> {
  const wants = plan.changes.map(({ after }) => after);
  const planned = await planPack(store.prisma, project, history, { wants, haves: plan.haves });
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of writePack(
    planned.count,
    packObjects(planned, (hashes) => readBlobs(store.prisma, hashes)),
  )) {
    size += part.length;
    if (size > mostPackBytes) {
      throw new RemoteProblem(
        'What is new has more than 256 MB. Push it once by hand: clone from Callboard, then push main to the remote.',
        false,
      );
    }
    parts.push(part);
  }
  return joined(parts);
}

const shownRefs = 3;

function divergedWords(refs: readonly GitRef[]): string {
  const names = refs.slice(0, shownRefs).map(({ name, hash }) => `${shortName(name)} (${hash.slice(0, 7)})`);
  const more = refs.length > shownRefs ? ` and ${refs.length - shownRefs} others` : '';
  return `The remote has commits that are not from here: ${names.join(', ')}${more}. Nothing was pushed, and they stay as they are. To keep them, pull them into a clone of this project, push that to a draft here and publish it. Otherwise set the remote back. Then push now.`;
}

function shortName(ref: string): string {
  return ref.replace(/^refs\/(?:heads|tags)\//, '');
}

const longestSaid = 300;

/** Returns what a remote says on one line, without the token, which it knows and might repeat. */
function hidden(text: string, { user, token }: Pick<Remote, 'user' | 'token'>): string {
  return hiderOf([token, Buffer.from(`${user}:${token}`).toString('base64')])
    .hide(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, longestSaid);
}

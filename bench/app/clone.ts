import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { localActor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { openStore } from '@/lib/store/database';
import { findProject, insertProject, saveDraft } from '@/lib/store/projects';
import { moveLabel } from '@/lib/store/releases';
import { median } from '../figures';
import { startBenchServer } from './server';

const revisions = 200;
const cards = 20;
const rounds = 7;

/** Measures `git clone` of a project with many published revisions, each of which changes one card. */
export async function benchClone(): Promise<void> {
  const server = await startBenchServer({ workers: 1, modelUrl: 'http://127.0.0.1:9/v1' });
  const folder = mkdtempSync(path.join(tmpdir(), 'callboard-clone-'));
  try {
    const id = await published(server.databaseUrl);
    const token = server.headers.authorization?.replace(/^Bearer /, '') ?? '';
    const address = `${server.url}/git/${id}.git`.replace('://', `://git:${token}@`);
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(clone(address, path.join(folder, `${round}`)));
    const [first = Number.NaN, ...others] = times;
    console.log(
      `  the first clone, which makes the commits ${first.toFixed(0)} ms; then ${median(others).toFixed(0)} ms (median of ${rounds - 1})`,
    );
    const counted = git(['-C', path.join(folder, '0'), 'rev-list', '--count', '--all']);
    const checked = git(['-C', path.join(folder, '0'), 'fsck', '--strict', '--full']);
    console.log(`  ${counted.trim()} commits, fsck --strict ${checked.includes('error') ? 'FAILED' : 'clean'}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await server.stop();
  }
}

/** Publishes every revision, as people do, but without reading the folders again each time. */
async function published(databaseUrl: string): Promise<ProjectId> {
  const store = openStore(databaseUrl);
  try {
    const files = Object.fromEntries(Array.from({ length: cards }, (_, at) => [`agent-cards/a${at}.md`, card(at, 0)]));
    const id = await insertProject(store, 'Cloned', folderOf(files), { origin: 'blank' });
    const limits = { files: 1_000, totalBytes: 50_000_000 };
    const actor = localActor('api');
    for (let at = 0; at < revisions; at += 1) {
      const text = card(at % cards, at + 1);
      const changes = [{ path: `agent-cards/a${at % cards}.md`, file: { kind: 'text', text } as const }];
      await saveDraft(store, id, { baseVersion: at + 1, changes, limits });
      const { treeHash } = await findProject(store, id);
      const snapshot = { treeHash, closure: { hash: treeHash, parts: [] }, listed: {} };
      const to = { draft: 'main', snapshot, message: `Change ${at}` };
      await moveLabel(store, id, { label: 'live', kind: 'publish', to, reason: '', overrode: [] }, actor);
    }
    return id;
  } finally {
    await store.close();
  }
}

function clone(address: string, to: string): number {
  const start = performance.now();
  git(['clone', '-q', address, to]);
  return performance.now() - start;
}

function git(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
  return `${stdout}${stderr}`;
}

function card(at: number, change: number): string {
  const lines = Array.from({ length: 40 }, (_, line) => `Rule ${line} of agent ${at}, after change ${change}.`);
  return `---\nname: a${at}\nmodel: passthrough\n---\n${lines.join('\n')}\n`;
}

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { decide } from '@/lib/base/rights';
import type { Folder } from '@/lib/cards/folder';
import { noProject } from '@/lib/store/not-found';
import { folderFromFiles } from './folders/import-folder';
import { appFolder } from './settings/app-folder';

export interface Sample {
  readonly id: string;
  readonly title: string;
  /** The first sentence of its README. */
  readonly description: string;
  /**
   * What the sample needs that is not here: Python allowed by the operator, the key of a model, or a remote agent that a
   * person starts.
   */
  readonly needs: readonly SampleNeed[];
}
export type SampleNeed = 'python' | 'key' | 'remote';

const examples = path.join(appFolder, 'examples');

/** What the installation offers already. */
export interface OfferedHere {
  readonly python: boolean;
}

/** Lists the sample folders in `examples/`, by name. Titles and descriptions come from their READMEs. */
export async function listSamples({ python }: OfferedHere = { python: false }): Promise<Sample[]> {
  const found = await readdir(examples, { withFileTypes: true }).catch(() => []);
  const ids = found.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    ids.sort().map(async (id) => {
      const needs = (await needsOf(id)).filter((need) => need !== 'python' || !python);
      return { id, ...introduce(id, await textOf(id, 'README.md')), needs };
    }),
  );
}

/** Works like `listSamples`, for an actor: a share link shows a run and nothing that the installation offers. */
export async function offeredSamples(actor: Actor, here: OfferedHere): Promise<Sample[]> {
  if (decide(actor.reach, 'installation.use', null) !== 'allowed') throw noProject();
  return await listSamples(here);
}

/** Returns the files of a sample, byte for byte. Throws AppError `not_found`. */
export async function readSample(id: string): Promise<{ readonly title: string; readonly folder: Folder }> {
  const sample = (await listSamples()).find((each) => each.id === id);
  if (!sample) throw new AppError('not_found', `There is no sample "${id}".`);
  const root = path.join(examples, sample.id);
  const entries = await readdir(root, { withFileTypes: true, recursive: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((file) => !file.split('/').includes('node_modules'))
    .sort();
  const files = await Promise.all(paths.map(async (file) => [file, await readFile(path.join(root, file))] as const));
  return { title: sample.title, folder: folderFromFiles(files.map(([file, bytes]) => [file, new Uint8Array(bytes)])) };
}

async function textOf(id: string, file: string): Promise<string> {
  return readFile(path.join(examples, id, file), 'utf8').catch(() => '');
}

/**
 * Finds out what a sample needs: Python if there are `.py` files, a key if it has no scripted answers, and a remote agent if
 * one is in its folder `remote`.
 */
async function needsOf(id: string): Promise<readonly SampleNeed[]> {
  const files = await readdir(path.join(examples, id));
  const scripted = /^scripts:/m.test(await textOf(id, 'callboard.yaml'));
  return [
    ...(files.some((file) => file.endsWith('.py')) ? ['python' as const] : []),
    ...(scripted ? [] : ['key' as const]),
    ...(files.includes('remote') ? ['remote' as const] : []),
  ];
}

function introduce(id: string, readme: string): { readonly title: string; readonly description: string } {
  const title = /^# (.+)$/m.exec(readme)?.[1]?.trim() ?? id;
  const paragraph = readme.split(/\n\s*\n/).find((block) => block.trim() !== '' && !block.startsWith('#')) ?? '';
  const text = paragraph.replace(/\s+/g, ' ').replaceAll('`', '').trim();
  return { title, description: /^.*?[.!?](?= |$)/.exec(text)?.[0] ?? text };
}

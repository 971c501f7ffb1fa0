import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** The remote agent of examples/workflow-a2a, running. */
export interface ExampleRemote {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the remote agent of a copy of the example on a free port. */
export async function startExampleRemote(folder: string): Promise<ExampleRemote> {
  const child = spawn(process.execPath, [path.join(folder, 'remote/rates.mjs'), '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { url: await firstAddress(child), stop: () => stop(child) };
}

/** The text of the example's card with another address. */
export function cardAt(url: string, card: string): string {
  const moved = card.replace(/^url: .*$/m, `url: ${url}`);
  if (moved === card) throw new Error('The card of the example names no other address.');
  return moved;
}

/** Makes a copy of the example call that address. */
export async function callAt(url: string, folder: string): Promise<void> {
  const file = path.join(folder, 'agent-cards/rates.md');
  await writeFile(file, cardAt(url, await readFile(file, 'utf8')));
}

async function firstAddress({ stdout }: { readonly stdout: NodeJS.ReadableStream }): Promise<string> {
  for await (const line of createInterface({ input: stdout })) {
    const address = /http:\S+/.exec(line)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error('The remote agent of the example did not start.');
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface GitResult {
  readonly code: number;
  readonly out: string;
  /** What git says to the person. */
  readonly said: string;
}

/** The real git client in a folder of its own, without the settings of this machine. */
export interface GitClient {
  readonly folder: string;
  /** Runs git in the folder, or in one below it. Never rejects because of git. */
  run(args: readonly string[], options?: { readonly input?: Uint8Array; readonly in?: string }): Promise<GitResult>;
  /** Runs git and returns what it prints. Rejects with what it says if it fails. */
  ok(args: readonly string[], options?: { readonly input?: Uint8Array; readonly in?: string }): Promise<string>;
  remove(): void;
}

/** Without maintenance, for which git starts a process after each commit, fetch and merge. */
const settings = [
  'init.defaultBranch=main',
  'advice.detachedHead=false',
  'maintenance.auto=false',
  'gc.auto=0',
].flatMap((setting) => ['-c', setting]);

export function gitClient(): GitClient {
  const folder = mkdtempSync(path.join(tmpdir(), 'callboard-git-'));
  const env = {
    NODE_ENV: 'test' as const,
    PATH: process.env.PATH,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'Cy',
    GIT_AUTHOR_EMAIL: 'cy@example.org',
    GIT_COMMITTER_NAME: 'Cy',
    GIT_COMMITTER_EMAIL: 'cy@example.org',
    LC_ALL: 'C',
    // A clone gets no examples of hooks.
    GIT_TEMPLATE_DIR: '',
  };
  const run: GitClient['run'] = (args, { input, in: below = '.' } = {}) =>
    new Promise((resolve, reject) => {
      const child = spawn('git', [...settings, ...args], {
        cwd: path.join(folder, below),
        env,
      });
      const [out, said]: [Buffer[], Buffer[]] = [[], []];
      child.stdout.on('data', (part: Buffer) => out.push(part));
      child.stderr.on('data', (part: Buffer) => said.push(part));
      child.stdin.on('error', () => undefined);
      child.on('error', reject);
      child.on('close', (code) =>
        resolve({
          code: code ?? -1,
          out: Buffer.concat(out).toString(),
          said: Buffer.concat(said).toString(),
        }),
      );
      child.stdin.end(input ?? new Uint8Array());
    });
  return {
    folder,
    run,
    async ok(args, options) {
      const { code, out, said } = await run(args, options);
      if (code !== 0) throw new Error(`git ${args.join(' ')} failed: ${said}${out}`);
      return out.trim();
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

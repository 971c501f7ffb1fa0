import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const launcher = path.resolve(import.meta.dirname, '../../bin/callboard.mjs');
const evil = '\u001b]0;owned\u0007\u009b31m\u202ered';
const escaped = '\\u001b]0;owned\\u0007\\u009b31m\\u202ered';
let root = '';

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-terminal-'));
  await writeFile(path.join(root, 'lead.md'), `---\nname: lead\nmodel: script\ntools: {nowhere: ['*']}\n---\nHi.\n`);
  await writeFile(path.join(root, `bad${evil}.md`), `---\nname: lead\n`);
  const answer = JSON.stringify(`Answer ${evil}`);
  await writeFile(path.join(root, 'callboard.yaml'), `version: 1\nscripts:\n  lead: [{turns: [{text: ${answer}}]}]\n`);
});
afterAll(() => rm(root, { recursive: true, force: true }));

function callboard(...args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [launcher, ...args], (_, stdout, stderr) => resolve({ stdout, stderr }));
  });
}

/** `script` of util-linux runs a command in a terminal. */
const hasTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;

describe('what others wrote does not drive the terminal', () => {
  it('JSON has escapes, and its value is the same', async () => {
    const { stdout } = await callboard('run', root, '--agent', 'lead', '--message', 'go', '--json');
    expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
    expect(stdout).toContain('\\u001b]0;owned');
  });

  it('names of files and faults on stderr, and a report for a file as it is', async () => {
    const { stderr } = await callboard('run', path.join(root, `none${evil}`), '--message', 'go');
    expect(stderr).toContain(escaped);
    expect((await callboard('check', root)).stdout).toContain(evil);
  });

  it.skipIf(!hasTerminal)('the report of a check on a terminal', () => {
    const command = `'${process.execPath}' '${launcher}' check '${root}'`;
    const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], { encoding: 'utf8' });
    expect(stdout).toContain(escaped);
    expect(stdout).not.toContain('\u001b]0;owned');
  });
});

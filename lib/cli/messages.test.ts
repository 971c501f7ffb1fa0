import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callCallboard } from '@/lib/testing/callboard';

const place = mkdtempSync(path.join(tmpdir(), 'callboard-messages-'));
const inPlace = (name: string) => path.join(place, name);
const env = { CALLBOARD_DATA: inPlace('data') };
beforeAll(() => {
  mkdirSync(inPlace('cards'));
  writeFileSync(inPlace('cards/lead.md'), '---\nname: lead\ndefault: true\nmodel: passthrough\n---\nLead.\n');
  writeFileSync(inPlace('text.json'), 'not JSON');
  writeFileSync(inPlace('broken.json'), '{"format":');
});
afterAll(() => rmSync(place, { recursive: true }));

/** Words of Node, zod and JSON-RPC. */
const raw =
  /\bE(?:NOENT|ACCES|PERM|ISDIR|NOTDIR|NAMETOOLONG|ROFS|NOSPC|PIPE|CONN\w+)\b|ERR_|ZodError|Invalid input|invalid_type|-32\d{3}|\n\s+at |syscall|undefined/;

/** Commands that cannot do it, and what they say. `@` is the folder of the test. */
const cases: readonly (readonly [command: string, sentence: string])[] = [
  ['check', 'Name at least one card folder or card: callboard check PATH…'],
  ['check @/gone', "There is no file or folder '@/gone'. Check the name."],
  ['check @/gone/card.md', 'its folder does not exist. Make it first, or check the name.'],
  ['check @/text.json/card.md', "'@/text.json/card.md' is not in a folder: a part of this path is a file."],
  ['check @/cards --yaml', "There is no option '--yaml' here. 'callboard --help' lists the options of each command."],
  ['check @/cards --model', "'--model' needs a value. Write --model=VALUE"],
  ['check @/cards --json=1', "'--json' takes no value."],
  [`check @/${'x'.repeat(300)}`, 'is too long for a file.'],
  ['check --card @/cards', "There is no option '--card' here. Name the folder, the card or its address itself"],
  ['run', 'Name one folder: callboard run FOLDER --message TEXT'],
  ['run @/cards', 'Give a message: callboard run FOLDER --message TEXT'],
  ['run @/cards @/cards --message go', 'Name one folder: callboard run FOLDER --message TEXT'],
  ['run @/gone --message go', "There is no file or folder '@/gone'. Check the name."],
  ['run @/text.json --message go', '@/text.json is not a folder.'],
  ['run @/cards --message', "'--message' needs a value."],
  ['run @/cards --message --json', "'--message' needs a value. Write --message=VALUE, also for a value that begins"],
  ['run @/cards --message go --approve maybe', '--approve takes all, none or ask.'],
  ['run @/cards --message go --agent nobody', 'nobody'],
  ['run @/cards --agent-cards @/cards', "There is no option '--agent-cards' here. Name the folder, the card"],
  ['call', 'Name one folder and a state file: callboard call FOLDER --state FILE --message TEXT'],
  ['call @/cards', 'Name one folder and a state file:'],
  ['call @/gone --state @/s', "There is no file or folder '@/gone'. Check the name."],
  ['call @/text.json --state @/s', '@/text.json is not a folder.'],
  ['call @/cards --state @/s', 'Give a message: callboard call FOLDER --state FILE --message TEXT'],
  ['call @/cards --state @/gone/s --message go', 'its folder does not exist. Make it first, or check the name.'],
  ['call @/cards --state @/broken.json --message go', "@/broken.json is no state file of 'callboard call'."],
  ['call @/cards --state @/cards --message go', "'@/cards' is a folder. Name a file."],
  ['call @/cards --state @/s --submit @/text.json --message go', "'@/text.json' is not JSON"],
  ['call @/cards --state @/s --submit @/gone --message go', "There is no file or folder '@/gone'. Check the name."],
  ['call @/cards --state @/s --resume', "There is no option '--resume' here."],
  ['pending --all', "There is no option '--all' here."],
  ['pending now', "Unexpected 'now'. Usage: callboard pending"],
  ['pending', 'No Callboard runs on the data folder @/data. Start it,'],
  ['answer', 'Usage: callboard answer ID approve|deny|edit|answer|cancel'],
  ['answer x maybe', 'Usage: callboard answer ID approve|deny|edit|answer|cancel'],
  ['answer x edit --args @/text.json', "'@/text.json' is not JSON"],
  ['answer x edit --args @/gone', "There is no file or folder '@/gone'. Check the name."],
  ['answer x edit --args @/cards', "'@/cards' is a folder. Name a file."],
  ['answer x approve --remember always', '--remember always: give'],
  ['answer x approve', 'No Callboard runs on the data folder'],
  ['test @/gone', "There is no file or folder '@/gone'. Check the name."],
  ['chat @/gone', "There is no file or folder '@/gone'. Check the name."],
  ['trust @/gone', "There is no file or folder '@/gone'. Check the name."],
  ['export @/gone', "There is no file or folder '@/gone'. Check the name."],
  ['diff @/gone @/cards', "There is no file or folder '@/gone'. Check the name."],
  ['audit --check @/gone', "There is no file or folder '@/gone'. Check the name."],
  ['nonsense', "Unknown command 'nonsense'."],
];

describe('a command that cannot do it', () => {
  it.each(cases)('%s', async (command, sentence) => {
    const args = command.split(' ').map((word) => word.replace(/^@/, place));
    const { code, stdout, stderr } = await callCallboard(args, env);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence.replaceAll('@', place));
    expect(stderr).not.toMatch(raw);
  });
});

describe('a command whose output nobody reads', () => {
  const inShell = (script: string) =>
    new Promise<{ code: number; stderr: string }>((resolve) => {
      const child = execFile('bash', ['-c', script, 'bash', process.execPath, 'bin/callboard.mjs', inPlace('cards')], {
        env: { ...process.env, ...env },
      });
      let stderr = '';
      child.stderr?.on('data', (text) => {
        stderr += text;
      });
      child.on('close', (code) => resolve({ code: code ?? -1, stderr }));
    });

  // The pipe is closed before the command writes.
  const closed = 'exec 3> >(exec true); wait $!; ';

  it('ends without a stack', async () => {
    expect(await inShell(`${closed} "$1" "$2" check "$3" >&3`)).toEqual({ code: 141, stderr: '' });
  });

  it.skipIf(process.platform !== 'linux')('says that the disk is full', async () => {
    expect(await inShell('"$1" "$2" check "$3" > /dev/full')).toEqual({
      code: 2,
      stderr: 'The output cannot be written. The disk is full. Free some space on it, then try again.\n',
    });
  });
});

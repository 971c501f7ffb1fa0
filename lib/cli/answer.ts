import { parseArgs } from 'node:util';
import { type Decision, decisions, type GrantScope, grantScopes } from '@/lib/base/pending';
import { AppRefusal, appClient } from './app-client';
import { faultOf } from './fault-of';
import { printNote, printResult } from './print';
import { readJsonFile } from './read-text';

const usage =
  'callboard answer ID approve|deny|edit|answer|cancel [--note TEXT] [--args FILE] [--text TEXT] [--remember run|session|agent|project]';

/**
 * `answer ID approve|deny|edit|answer|cancel [--note TEXT] [--args FILE] [--text TEXT] [--remember SCOPE]`: answers an open question of a
 * run of the app. `--args` names a JSON file (`-` for stdin): with `edit` the arguments, with `answer` what was asked for; `--text`
 * is an answer that is a text. `cancel` dismisses a question of a server. `--remember` keeps an approval for calls with equal arguments.
 * Exit code 0: answered, 1: the answer was refused, because somebody was first or it does not fit, 2: nothing was sent.
 */
export async function answer(args: readonly string[]): Promise<number> {
  try {
    const { item, body } = await readAnswer(args);
    await appClient().send(`/api/v1/pending/${encodeURIComponent(item)}/answer`, { body });
    printResult(`${item}: ${body.decision}\n`);
    return 0;
  } catch (error) {
    printNote(`${faultOf(error)}\n`);
    return error instanceof AppRefusal ? 1 : 2;
  }
}

/** Reads the command line, and the file that it names. Throws an Error for users. */
export async function readAnswer(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      note: { type: 'string' },
      args: { type: 'string' },
      text: { type: 'string' },
      remember: { type: 'string' },
    },
  });
  const [item, word, ...others] = positionals;
  const decision = decisions.find((each): each is Decision => each === word);
  if (item === undefined || decision === undefined || others.length > 0) throw new Error(`Usage: ${usage}`);
  const { note, remember } = values;
  const scope = grantScopes.find((each): each is GrantScope => each === remember);
  if (remember !== undefined && scope === undefined) {
    throw new Error(`--remember ${remember}: give ${grantScopes.join(', ')}.`);
  }
  if (values.text !== undefined && values.args !== undefined) throw new Error('Give --args or --text, not both.');
  const given = values.args === undefined ? values.text : await readJsonFile(values.args);
  return {
    item,
    body: {
      decision,
      ...(given !== undefined && (decision === 'answer' ? { content: given } : { arguments: given })),
      ...(note !== undefined && { note }),
      ...(scope !== undefined && { remember: { scope } }),
    },
  };
}

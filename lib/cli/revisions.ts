import { parseArgs } from 'node:util';
import { z } from 'zod';
import { terminalText } from '@/lib/base/terminal-text';
import { projectAddress } from '@/lib/client/project-address';
import { type AppClient, appClient } from './app-client';
import { faultOf } from './fault-of';
import { printJson, printNote, printResult } from './print';

const usages = {
  revisions: 'callboard revisions PROJECT [--json]',
  publish: 'callboard publish PROJECT [--draft NAME | --revision N] [--label NAME] [--note TEXT] [--override REASON]',
  rollback: 'callboard rollback PROJECT [--to N] [--label NAME] [--note TEXT]',
} as const;

const revision = z.object({
  number: z.number(),
  author: z.string(),
  message: z.string(),
  createdAt: z.string(),
  labels: z.array(z.string()),
});
const page = z.object({ revisions: z.array(revision) });
const released = z.object({ revision: z.object({ number: z.number() }), isNew: z.boolean() });
const wentBack = z.object({
  revision: z.object({ number: z.number() }),
  before: z.number().nullable(),
  warnings: z.array(z.string()).default([]),
});

/**
 * `revisions PROJECT`: lists the revisions of a project of the app, newest first, with their labels.
 * Exit code of these commands: 0: done, 2: the app refused it or does not run, or the arguments are wrong.
 */
export async function revisions(args: readonly string[]): Promise<number> {
  return await command(args, 'revisions', { json: { type: 'boolean' } }, async (client, project, { json }) => {
    const found = page.parse(await ask(client, `${projectAddress(project)}/revisions?limit=200`));
    for (const each of found.revisions) {
      if (json === true) printJson(each);
      else printResult(`${lineOf(each)}\n`);
    }
    if (found.revisions.length === 0 && json !== true) printNote('The project has no revision yet.\n');
  });
}

/** `publish PROJECT`: makes a draft (by default `main`) or a revision live, or gives it another label. */
export async function publish(args: readonly string[]): Promise<number> {
  const options = { ...text('draft'), ...text('revision'), ...text('label'), ...text('note'), ...text('override') };
  return await command(args, 'publish', options, async (client, project, values) => {
    const { draft, revision: number, label = 'live', note, override } = values;
    const body = { draft, revision: numberOf(number), label, note, override };
    const done = released.parse(await ask(client, `${projectAddress(project)}/releases`, body));
    const was = done.isNew ? 'is' : 'was already';
    printResult(`Revision ${done.revision.number} ${was} ${terminalText(`${label}`)}.\n`);
  });
}

/** `rollback PROJECT`: makes the revision live that was live before. */
export async function rollback(args: readonly string[]): Promise<number> {
  const options = { ...text('to'), ...text('label'), ...text('note') };
  return await command(args, 'rollback', options, async (client, project, { to, label = 'live', note }) => {
    const body = { to: numberOf(to), label, note };
    const done = wentBack.parse(await ask(client, `${projectAddress(project)}/rollback`, body));
    printResult(`Revision ${done.revision.number} is ${terminalText(`${label}`)} again, in place of ${done.before}.\n`);
    for (const warning of done.warnings) printNote(`Its runs are refused: ${terminalText(warning)}\n`);
  });
}

type Values = Readonly<Record<string, string | boolean | undefined>>;

async function command(
  args: readonly string[],
  name: keyof typeof usages,
  options: Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>,
  work: (client: AppClient, project: string, values: Values) => Promise<void>,
): Promise<number> {
  try {
    const { project, values } = readOptions(args, name, options);
    await work(appClient(), project, values);
    return 0;
  } catch (error) {
    printNote(`${faultOf(error)}\n`);
    return 2;
  }
}

function readOptions(
  args: readonly string[],
  name: keyof typeof usages,
  options: Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>,
): { readonly project: string; readonly values: Values } {
  const usage = `Usage: ${usages[name]}`;
  const read = (() => {
    try {
      return parseArgs({ args: [...args], options, allowPositionals: true });
    } catch (error) {
      throw new Error(`${faultOf(error)}\n${usage}`);
    }
  })();
  const [project, ...more] = read.positionals;
  if (project === undefined || more.length > 0) throw new Error(usage);
  return { project, values: read.values };
}

function text(name: string) {
  return { [name]: { type: 'string' } } as const;
}

function numberOf(value: string | boolean | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new Error(`'${value}' is no number of a revision.`);
}

async function ask(client: AppClient, path: string, body?: unknown): Promise<unknown> {
  const response = await client.send(path, body === undefined ? {} : { body });
  return await response.json();
}

function lineOf({ number, author, message, createdAt, labels }: z.infer<typeof revision>): string {
  const [note = ''] = message.split('\n');
  const named = labels.length === 0 ? '' : ` (${labels.join(', ')})`;
  return terminalText(`${number}${named}  ${createdAt.slice(0, 16).replace('T', ' ')} UTC  ${author}  ${note}`);
}

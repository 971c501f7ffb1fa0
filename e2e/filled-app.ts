import { expect, type Page } from '@playwright/test';
import { z } from 'zod';
import { freePort } from '../lib/server/ports';
import { oidcProvider } from '../lib/testing/oidc-provider';
import { startSmtpListener } from '../lib/testing/smtp-listener';
import { exampleFiles } from './api';
import { type AppProcess, startApp } from './app-process';
import { withAccounts } from './people';

/** An app in which every screen has something to show: accounts are on, and mail, a provider and passkeys work. */
export interface FullApp extends AppProcess {
  /** The address of its mail that answers a question. */
  answerAddress(): Promise<string>;
}

export async function startFullApp(): Promise<FullApp> {
  const [port, provider, mail] = [await freePort(), await oidcProvider(), await startSmtpListener()];
  await provider.start();
  const app = await startApp(
    {
      ...withAccounts,
      // Passkeys need a name.
      CALLBOARD_PUBLIC_URL: `http://localhost:${port}`,
      CALLBOARD_OIDC_ISSUER: provider.issuer,
      CALLBOARD_OIDC_CLIENT_ID: provider.clientId,
      CALLBOARD_OIDC_CLIENT_SECRET: provider.clientSecret,
      CALLBOARD_OIDC_LABEL: 'Sign in with the account of the office',
      CALLBOARD_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      CALLBOARD_MAIL_FROM: 'callboard@example.org',
      CALLBOARD_MAIL_TO: 'desk@example.org',
      CALLBOARD_MAIL_ANSWERS: '1',
      OPENAI_API_KEY: '',
    },
    { port },
  );
  return {
    ...app,
    url: `http://localhost:${port}`,
    async answerAddress() {
      const found = () =>
        /\/answer\/[\w.-]+/.exec(mail.mails.map(({ source }) => textOf(source)).join('\n'))?.[0] ?? '';
      await expect.poll(found).not.toBe('');
      return found();
    },
    async stop() {
      await app.stop();
      await Promise.all([provider.stop(), mail.close()]);
    },
  };
}

/** Joins the lines that the mail breaks (RFC 2045, section 6.7). */
function textOf(source: string): string {
  return source.replaceAll(/=\r?\n/g, '');
}

const card = (name: string, fields: string, text: string) => `---\nname: ${name}\n${fields}---\n${text}\n`;
const hook = (name: string) =>
  `export async function ${name}(ctx: object, args: object, next: (args: object) => Promise<object>) {\n  return next(args);\n}\n`;

/** The folder of most screens. It delegates twice at the same time, and calls a function through a hook. */
export const officeFiles: Readonly<Record<string, string>> = {
  'agent-cards/lead.md': card(
    'lead',
    'description: Plans the weekly letter and has it written.\ndefault: true\nagents: [writer, reader]\n',
    'You plan the weekly letter.',
  ),
  'agent-cards/reader.md': card('reader', 'description: Reads the letters of last week.\n', 'Read.'),
  'agent-cards/writer.md': card(
    'writer',
    'description: Writes what it is asked for.\nfunction_tools: [../tools.ts:count_words, ../tools.ts:send]\ntool_hooks: [../hooks.ts:audit]\n',
    'Write what is asked for.',
  ),
  'agent-cards/clerk.md': card(
    'clerk',
    'description: Sends letters.\nfunction_tools: [../tools.ts:send]\n',
    'Send it.',
  ),
  'agent-cards/broken.md': card('broken', 'model: openai.gpt-none\n', 'Fail.'),
  'hooks.ts': `${hook('audit')}${hook('shorten')}`,
  'tools.ts': `export function count_words(args: { text: string }) {
  return args.text.split(" ").length;
}
export function send(args: { to: string; text: string }) {
  return "sent to ".concat(args.to);
}
`,
  'callboard.yaml': `version: 1
entry: lead
approvals:
  hold_s: 0
  rules:
    - { tools: [send], effect: ask }
scripts:
  lead:
    - turns:
        - text: I ask the writer for the letter, and the reader for what we said last week.
          delay_ms: 60
          calls:
            - { tool: agent__writer, arguments: { text: Write the letter of this week } }
            - { tool: agent__reader, arguments: { text: What did we say last week } }
        - delay_ms: 40
          text: "## The letter\\n\\nThe meeting settled on **Friday**.\\n\\n- The minutes are short.\\n- The next one is on Monday."
  writer:
    - turns:
        - delay_ms: 80
          calls: [{ tool: count_words, arguments: { text: The meeting settled on Friday } }]
        - { text: The meeting settled on Friday., delay_ms: 30 }
  reader:
    - turns:
        - { text: Last week said nothing about Friday., delay_ms: 150 }
  clerk:
    - turns:
        - text: I send it.
          calls: [{ tool: send, arguments: { to: everybody@example.org, text: The meeting settled on Friday. } }]
        - text: "{{result}}"
`,
};

/** Its server is a command, which waits until an administrator approves it. */
const commandFiles = {
  'agent-cards/keeper.md': card('keeper', 'default: true\nmodel: passthrough\nservers: [files]\n', 'Keep files.'),
  'fast-agent.yaml':
    'mcp:\n  servers:\n    files:\n      command: node\n      args: [servers/files.mjs, --root, /srv/files]\n',
  'servers/files.mjs': 'process.exit(1);\n',
};

/** The correlation id of two runs. */
export const weekOfLetters = 'week-of-letters';

/** What the addresses of the screens are made of. */
export interface Filled {
  readonly office: string;
  readonly run: string;
  readonly failed: string;
  readonly asking: string;
  readonly share: string;
}

/** Fills the app as its administrator, whose page is open. `others` are an editor and a reviewer of the project `office`. */
export async function fill(
  page: Page,
  office: string,
  { ed, rae }: { readonly ed: Page; readonly rae: Page },
): Promise<Filled> {
  const at = `projects/${office}`;
  const runs = await fillRuns(page, office);
  await fillSettings(page, office);
  await ask(page, 'POST', `${at}/triggers`, {
    kind: 'schedule',
    name: 'Every Monday',
    message: 'Write the letter of {{due}}',
    schedule: { cron: '0 7 * * 1', zone: 'Europe/Berlin' },
  });
  await ask(page, 'POST', `${at}/triggers`, { kind: 'webhook', name: 'Issues', message: 'New: {{body.title}}' });

  const { version } = z.looseObject({ version: z.number() }).parse(await ask(ed, 'GET', `${at}/files`));
  const writer = officeFiles['agent-cards/writer.md'] ?? '';
  await ask(ed, 'PATCH', `${at}/files`, {
    baseVersion: version,
    changes: [
      {
        path: 'agent-cards/writer.md',
        text: writer.replace('audit]', 'audit, ../hooks.ts:shorten]').replace('Write what', 'Write shortly what'),
      },
    ],
  });
  const opened = await ask(ed, 'POST', `${at}/reviews`, {
    title: 'Letters are short',
    body: 'The writer shortens what it wrote.',
  });
  const { revision } = z.looseObject({ revision: z.number() }).catch({ revision: 2 }).parse(opened);
  const threads = `${at}/reviews/1/threads`;
  await ask(rae, 'POST', threads, {
    anchor: { kind: 'hook', agent: 'writer', hook: '../hooks.ts:shorten' },
    body: 'What does it shorten? @ed',
  });
  await ask(rae, 'POST', threads, {
    anchor: { kind: 'line', file: 'agent-cards/writer.md', from: 4, to: 4 },
    body: 'Say how short.',
    suggestion: 'function_tools: [../tools.ts:count_words]',
  });
  await ask(rae, 'POST', `${at}/reviews/1/verdicts`, {
    verdict: 'request_changes',
    revision,
    note: 'See the comments.',
  });
  await ask(ed, 'POST', `${at}/drafts`, { name: 'with-a-longer-greeting' });
  return runs;
}

/** Publishes the project and starts runs: completed, in a conversation, failed, and one that asks. */
async function fillRuns(page: Page, office: string): Promise<Filled> {
  await confirm(page, office);
  await ask(page, 'POST', `projects/${office}/releases`, { note: 'The first letter.' });
  const together = { correlationId: weekOfLetters };
  const run = await startRun(page, office, { message: 'Write the letter of this week, please', ...together });
  const failed = await startRun(page, office, { agent: 'broken', message: 'Try it', ...together });
  const asking = await startRun(page, office, { agent: 'clerk', message: 'Send the letter' });
  await startRun(page, office, { message: 'What is new this week?', conversationId: 'new' });
  await expect.poll(() => statusOf(page, failed)).toBe('failed');
  await expect.poll(() => statusOf(page, run)).toBe('completed');
  await expect.poll(() => statusOf(page, asking)).toBe('suspended');
  await ask(page, 'POST', `runs/${run}/scores`, { value: 0, note: 'It names the wrong day.' });
  await ask(page, 'POST', `runs/${run}/scores`, { name: 'tone', value: 0.75 });
  const shared = await ask(page, 'POST', `runs/${run}/shares`, { hours: 24, texts: true });
  const { address } = z.looseObject({ address: z.string() }).parse(shared);
  return { office, run, failed, asking, share: new URL(address).pathname };
}

/** Sets secrets, a budget, a rule and a mirror, and makes projects beside the first one. */
async function fillSettings(page: Page, office: string): Promise<void> {
  const { id } = z
    .looseObject({ id: z.string() })
    .parse(await ask(page, 'POST', 'projects', { name: 'Files of the office', files: commandFiles }));
  await ask(page, 'POST', `projects/${id}/commands`, {});
  await ask(page, 'POST', 'projects', { name: 'Contract review', files: exampleFiles('workflow-parallel') });
  await ask(page, 'PUT', 'secrets/OPENAI_API_KEY', { value: 'sk-of-the-office', hosts: [] });
  await ask(page, 'PUT', `secrets/GIT_TOKEN?project=${office}`, { value: 'token-of-the-mirror', hosts: ['127.0.0.1'] });
  const budget = { maxUsd: 200, maxTokens: null, maxRuns: 1_000 };
  await ask(page, 'PUT', 'limits', {
    runs: { startsPerMinute: 60, activePerPerson: 10, activePerProject: 20 },
    budget,
  });
  await ask(page, 'PUT', `projects/${office}/budget`, { ...budget, maxUsd: 20 });
  const demand = { kind: 'models', allow: ['openai.*', 'passthrough', 'playback'] };
  await ask(page, 'PUT', `policy/Models%20of%20the%20team?project=${office}`, { level: 'warn', demand });
  // Nothing listens there, so the push fails and the screen says so.
  await ask(page, 'PUT', `projects/${office}/mirror`, { url: 'http://127.0.0.1:9/office.git', secret: 'GIT_TOKEN' });
}

/** Confirms what the folder would call, as the administrator does in the dialog. */
async function confirm(page: Page, project: string): Promise<void> {
  const { hash } = z.looseObject({ hash: z.string() }).parse(await ask(page, 'GET', `projects/${project}/trust`));
  await ask(page, 'POST', `projects/${project}/trust`, { hash });
}

async function startRun(page: Page, project: string, body: object): Promise<string> {
  return z.object({ runId: z.string() }).parse(await ask(page, 'POST', `projects/${project}/runs`, body)).runId;
}

async function statusOf(page: Page, run: string): Promise<string> {
  return z.looseObject({ status: z.string() }).parse(await ask(page, 'GET', `runs/${run}`)).status;
}

/** Calls the HTTP API as a script of the page, signed in by its cookie. */
export async function ask(page: Page, method: string, path: string, body?: object): Promise<unknown> {
  const [isOk, text] = await page.evaluate(
    async ([method, path, body]) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(path, { method, headers, ...(body !== undefined && { body }) });
      return [answer.ok, await answer.text()] as const;
    },
    [method, `/api/v1/${path}`, body && JSON.stringify(body)] as const,
  );
  if (!isOk) throw new Error(`${method} ${path}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
